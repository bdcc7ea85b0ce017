package dbtest

import (
	"net/url"
	"testing"

	"lunchgo/db/embedded"
)

// Relay stands before a server. Frozen, it is like a server that stands still, or a dead link.
type Relay struct {
	*embedded.Relay
	URL string // of the server, as it is reached through the relay
}

// NewRelay opens a relay before the server of an address until the test ends.
func NewRelay(t testing.TB, address string) *Relay {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	r, err := embedded.NewRelay(u.Host)
	if err != nil {
		t.Fatal(err)
	}
	u.Host = r.Address
	t.Cleanup(func() { _ = r.Close() })
	return &Relay{Relay: r, URL: u.String()}
}
