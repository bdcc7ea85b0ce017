package e2e_test

import (
	"lunchgo/db/dbtest"
	"lunchgo/db/embedded"
)

// wire is what lies between a browser and the server, and can be cut.
type wire struct {
	*embedded.Relay
	product *product // as it is reached over the wire
}

// newWire lays a wire to the server that lasts as long as the test.
func (p *product) newWire() *wire {
	p.t.Helper()
	far := *p
	w := &wire{dbtest.NewRelay(p.t, p.url), &far}
	far.url = w.URL
	return w
}
