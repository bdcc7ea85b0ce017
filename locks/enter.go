package locks

import (
	"context"
	"fmt"
	"time"
	"unicode/utf8"
)

// enter puts a ticket into the line and on this desk; waiter, if not nil, gets its turn.
func (d *desk) enter(ctx context.Context, in Entry, w *waiter) (Place, error) {
	if in.Ticket == "" || len(in.Ticket) > maxTicket || !utf8.ValidString(in.Ticket) || in.Arrival < 0 {
		return Place{}, fmt.Errorf("line %s: %w", d.name, ErrBadEntry)
	}
	e := d.expect(in.Ticket, w) // first, because the grant may be here before the answer
	r, err := d.call(ctx, d.client.scripts.enter, in.Ticket, in.Arrival, d.client.cfg.TTL.Microseconds())
	d.entered(e, r, err)
	if err != nil {
		return Place{}, err
	}
	if r.status < 0 {
		return Place{}, fmt.Errorf("line %s: %w: arrival number lies in the future", d.name, ErrBadEntry)
	}
	return Place{
		Ticket:     in.Ticket,
		Granted:    r.status == 1,
		Serving:    r.status == 3,
		Arrival:    r.integer(0),
		Fence:      r.integer(1),
		Position:   int(r.integer(2)),
		Count:      int(r.integer(3)),
		ServerTime: time.UnixMicro(r.now),
	}, nil
}

// expect notes a ticket that is about to enter.
func (d *desk) expect(ticket string, w *waiter) *lent {
	d.mu.Lock()
	defer d.mu.Unlock()
	e := d.tickets[ticket]
	if e == nil {
		e = &lent{ticket: ticket}
		d.tickets[ticket] = e
	}
	e.entering++
	if w != nil {
		e.waiter = w
		if e.turn != nil && d.withdraw(e.turn) {
			d.deliver(e)
		}
	}
	return e
}

// entered notes what Redis answered to an enter. Messages and other calls may have told later news in the meantime:
// Redis' clock in the answer decides.
func (d *desk) entered(e *lent, r reply, err error) {
	d.mu.Lock()
	e.entering--
	var out []farewell
	switch {
	case err != nil || r.status < 0:
		if e.seen == 0 && e.turn == nil && e.entering == 0 && d.tickets[e.ticket] == e {
			delete(d.tickets, e.ticket)
		}
	case e.gone < r.now:
		out = d.place(e, r)
	}
	d.mu.Unlock()
	d.tell(out)
	d.settle()
}

// place notes where a ticket stands. Holds mu.
func (d *desk) place(e *lent, r reply) []farewell {
	if other := d.tickets[e.ticket]; other != nil && other != e {
		if e.waiter != nil {
			other.waiter = e.waiter
		}
		e = other
	}
	d.tickets[e.ticket] = e
	e.seen = max(e.seen, r.now)
	if e.turn != nil {
		return nil
	}
	e.elsewhere = r.status == 3 || r.status == 1 && r.turn == nil
	if r.status == 2 && d.closedAt > e.seen {
		return []farewell{d.remove(e, d.closedAt, Departure{Closed, d.closedReason})}
	}
	if left := r.integer(4); r.status == 2 && left >= 0 {
		d.wakeIn(micros(left))
	}
	return nil
}

// wakeIn makes the desk look after the line when the present turn's lease ends, so that a dead holder is replaced
// within milliseconds. Holds mu.
func (d *desk) wakeIn(left time.Duration) {
	d.wakeAt = time.Now().Add(left + time.Millisecond)
	signal(d.nudge)
}
