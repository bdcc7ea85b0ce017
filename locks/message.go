package locks

import "encoding/json"

// message is what scripts publish to a node.
type message struct {
	Line   string `json:"line"` // the session it is for: several keys for a joint line
	Kind   string `json:"kind"`
	At     int64  `json:"at,string"` // µs of Redis' clock
	Ticket string `json:"ticket"`
	Fence  int64  `json:"fence,string"`
	// Of a grant: the ticket's arrival number, how long the turn lasts (µs), and the work of an orphan.
	Arrival int64           `json:"arrival,string"`
	Left    int64           `json:"left"`
	Work    string          `json:"work"`
	Reason  string          `json:"reason"`
	Stay    []string        `json:"stay"` // of a closing: tickets that are being served
	Served  []servedMessage `json:"served"`
}

// servedMessage names a ticket that was served in another node's turn.
type servedMessage struct {
	Ticket string `json:"ticket"`
	Result string `json:"result"`
}

// onMessage reads a message, of Redis or of this node's memory, and passes it on.
func (c *Client) onMessage(partition, payload string, local bool) {
	var m message
	if err := json.Unmarshal([]byte(payload), &m); err != nil {
		c.cfg.Logger.Warn("locks: read message failed", "payload", payload, "error", err)
		return
	}
	c.dispatch(partition, m, local)
}

// dispatch passes a message on to the session of its line.
func (c *Client) dispatch(partition string, m message, local bool) {
	d, err := c.session(&Line{client: c, name: Name{partition, m.Line}})
	if err != nil {
		return
	}
	defer c.endUse(d)
	switch m.Kind {
	case "granted":
		d.onGrantMessage(m, local)
	case "ready":
		c.spawn(d.line, func(d *session) { d.beatTickets(nil) })
	case "evicted":
		d.currentTurn().onEvicted(d, m.Fence)
	case "adopted":
		d.onDeparted(m.Ticket, m.At, Departure{Cause: Adopted})
	case "left":
		d.onDeparted(m.Ticket, m.At, Departure{Cause: Elsewhere})
	case "served":
		for _, s := range m.Served {
			d.onDeparted(s.Ticket, m.At, Departure{Cause: Served, Result: s.Result})
		}
	case "closed":
		d.onClosed(m.At, m.Reason, m.Stay)
	}
}
