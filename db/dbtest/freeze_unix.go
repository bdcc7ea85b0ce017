//go:build unix

package dbtest

import (
	"testing"

	"lunchgo/db/embedded"
)

// FreezeMaster makes the node that owns the key's slot stand still, its
// connections open, until thaw. AwaitMaster cannot ask a frozen node; a client
// learns of the new master from the others.
func (c *Cluster) FreezeMaster(key string) (thaw func()) {
	c.t.Helper()
	node := c.nodes[c.Master(key)]
	return freeze(c.t, node.server)
}

// FreezeMaster makes the master stand still, its connections open, until thaw.
func (s *Sentinels) FreezeMaster() (thaw func()) {
	s.t.Helper()
	return freeze(s.t, s.servers[s.Master()])
}

// freeze makes a server stand still until thaw, or the test's end.
func freeze(t testing.TB, server *embedded.Server) (thaw func()) {
	server.Freeze()
	t.Cleanup(server.Thaw)
	return server.Thaw
}
