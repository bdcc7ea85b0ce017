package locks

import "encoding/json"

// message is what scripts publish to a node.
type message struct {
	Line   string          `json:"line"` // the desk it is for: several keys for a joint line
	Kind   string          `json:"kind"`
	At     int64           `json:"at,string"` // µs of Redis' clock
	Ticket string          `json:"ticket"`
	Fence  int64           `json:"fence,string"`
	Reason string          `json:"reason"`
	Stay   []string        `json:"stay"` // of a closing: tickets that are being served
	Served []servedMessage `json:"served"`
}

// servedMessage tells of a ticket that was served in another node's turn.
type servedMessage struct {
	Ticket string `json:"ticket"`
	Result string `json:"result"`
}

// heard reads a message and passes it on.
func (c *Client) heard(partition, payload string) {
	var m message
	if err := json.Unmarshal([]byte(payload), &m); err != nil {
		c.cfg.Logger.Warn("locks: message not understood", "payload", payload, "error", err)
		return
	}
	c.deliver(partition, m)
}

// deliver passes a message on to the desk of its line.
func (c *Client) deliver(partition string, m message) {
	d, err := c.desk(&Line{client: c, name: Name{partition, m.Line}})
	if err != nil {
		return
	}
	defer c.done(d)
	switch m.Kind {
	case "granted":
		d.pushed(m.Ticket, m.Fence)
	case "ready":
		c.spawn(d.line, func(d *desk) { d.beatTickets(nil) })
	case "evicted":
		d.turn().evicted(d, m.Fence)
	case "adopted":
		d.lost(m.Ticket, m.At, Departure{Cause: Adopted})
	case "left":
		d.lost(m.Ticket, m.At, Departure{Cause: Elsewhere})
	case "served":
		for _, s := range m.Served {
			d.lost(s.Ticket, m.At, Departure{Cause: Served, Result: s.Result})
		}
	case "closed":
		d.closed(m.At, m.Reason, m.Stay)
	}
}
