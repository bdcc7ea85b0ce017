package dbtest

import (
	"context"
	"slices"
	"strconv"
	"strings"
)

// member is a line of CLUSTER NODES: how a node sees another, or itself.
type member struct {
	id, address, flags, master string // address as "host:port@bus"; master is an id, "-" for masters
	slots                      []string
}

func parseMembers(text string) []member {
	var all []member
	for line := range strings.Lines(text) {
		if f := strings.Fields(line); len(f) >= 8 {
			all = append(all, member{id: f[0], address: f[1], flags: f[2], master: f[3], slots: f[8:]})
		}
	}
	return all
}

func (m member) is(flag string) bool { return slices.Contains(strings.Split(m.flags, ","), flag) }

func (m member) addr() string {
	addr, _, _ := strings.Cut(m.address, "@")
	return addr
}

// leads reports whether the member is a master that nobody found dead.
func (m member) leads() bool { return m.is("master") && !m.is("fail") }

func (m member) owns(slot int) bool {
	return slices.ContainsFunc(m.slots, func(owned string) bool {
		low, high, isRange := strings.Cut(owned, "-")
		if !isRange {
			high = low
		}
		first, err1 := strconv.Atoi(low)
		last, err2 := strconv.Atoi(high)
		return err1 == nil && err2 == nil && first <= slot && slot <= last // else it is "[slot->-id]", on its way
	})
}

// view is how the node at the address sees the cluster.
func (c *Cluster) view(addr string) []member {
	c.t.Helper()
	text, err := c.nodes[addr].client.ClusterNodes(c.ctx()).Result()
	c.must(err)
	return parseMembers(text)
}

// self is how the node at the address sees itself.
func (c *Cluster) self(addr string) member {
	c.t.Helper()
	all := c.view(addr)
	return all[slices.IndexFunc(all, func(m member) bool { return m.is("myself") })]
}

// living are the addresses of the nodes that were not killed.
func (c *Cluster) living() []string {
	return slices.DeleteFunc(slices.Clone(c.Addrs), func(addr string) bool { return c.nodes[addr].killed })
}

// slot is asked of a node, which knows best.
func (c *Cluster) slot(key string) int {
	c.t.Helper()
	slot, err := c.nodes[c.living()[0]].client.ClusterKeySlot(c.ctx(), key).Result()
	c.must(err)
	return int(slot)
}

// agree waits until every living node sees the cluster as it should be.
func (c *Cluster) agree(what string, met func([]member) bool) {
	c.t.Helper()
	Eventually(c.t, what, func() bool {
		return !slices.ContainsFunc(c.living(), func(addr string) bool { return !met(c.view(addr)) })
	})
}

// agreeOnHealth waits until every living node finds the cluster whole, and every
// living replica has copied its master.
func (c *Cluster) agreeOnHealth() {
	c.t.Helper()
	Eventually(c.t, "the cluster is whole", func() bool {
		for _, addr := range c.living() {
			state := c.nodes[addr].client.ClusterInfo(c.ctx()).Val()
			role := c.nodes[addr].client.Info(c.ctx(), "replication").Val()
			copying := strings.Contains(role, "role:slave") && !strings.Contains(role, "master_link_status:up")
			if copying || !strings.Contains(state, "cluster_state:ok") {
				return false
			}
		}
		return true
	})
}

// must ends the test when a step of the set-up fails.
func (c *Cluster) must(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
}

// ctx is not the test's, which ends before its clean-up.
func (c *Cluster) ctx() context.Context { return context.Background() }
