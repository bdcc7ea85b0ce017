package locks

import (
	"context"
	"strconv"
	"time"
)

// operator sends raw operations of two nodes, past the clients' own bookkeeping, so that nothing happens but what it
// sends.
type operator struct {
	*harness
	clients map[string]*Client
}

// newOperator plays on a line of its own; edit, if not nil, changes each node's scripts.
func newOperator(h *harness, seed uint64, edit func(*Client)) *operator {
	mine := *h
	mine.name.Key = "line " + strconv.FormatUint(seed, 10)
	p := &operator{harness: &mine, clients: map[string]*Client{}}
	slow := func(cfg *Config) {
		cfg.Lease, cfg.TTL, cfg.ClaimWindow, cfg.MaxHold = time.Hour, time.Hour, time.Hour, time.Hour
	}
	for _, node := range []string{"a", "b"} {
		p.clients[node] = h.node(node, slow)
		if edit != nil {
			edit(p.clients[node])
		}
	}
	return p
}

// run sends one operation on the player's line.
func (p *operator) run(node string, op operation, args ...any) (reply, error) {
	return runAt(p.clients[node], p.name, op, args...)
}

// runAt sends one operation on a line.
func runAt(c *Client, line Name, op operation, args ...any) (reply, error) {
	s := newSession(c.Line(line))
	values, _, err := s.run(context.Background(), s.newCommand(op, args))
	if err != nil {
		return reply{}, err
	}
	return decode(values)
}
