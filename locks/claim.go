package locks

import "context"

// pushed deals with the message that a ticket of this node got the turn: it is claimed, once.
func (d *desk) pushed(ticket string, fence int64) {
	d.mu.Lock()
	e := d.tickets[ticket]
	known := fence <= d.fence || e != nil && e.claiming == fence
	if e != nil && !known {
		e.claiming = fence
	}
	d.mu.Unlock()
	switch {
	case known:
	case e == nil:
		d.client.spawn(d.line, func(d *desk) { d.giveBack(ticket, fence) })
	default:
		d.client.spawn(d.line, func(d *desk) { d.claim(e, fence) })
	}
}

// claim takes possession of a grant within its window; call hands out the turn. If it fails, a beat tells what became
// of the ticket.
func (d *desk) claim(e *lent, fence int64) {
	r, err := d.hold(d.client.ctx, e.ticket, fence)
	if err == nil && r.status == 1 {
		return
	}
	if err != nil && d.client.ctx.Err() == nil {
		d.client.cfg.Logger.Warn("locks: claim failed", "error", err)
	}
	d.mu.Lock()
	if e.claiming == fence {
		e.claiming = 0
	}
	d.beatDue = true
	d.mu.Unlock()
	d.settle()
}

// hold claims a grant or renews its lease.
func (d *desk) hold(ctx context.Context, ticket string, fence int64) (reply, error) {
	cfg := d.client.cfg
	return d.call(ctx, opHold, ticket, fence, cfg.Lease.Microseconds(), cfg.MaxHold.Microseconds())
}

// giveBack passes a turn on that came for a ticket which nobody on this node waits with any more, such as one whose
// Enter was given up before Redis had answered.
func (d *desk) giveBack(ticket string, fence int64) {
	ctx, cancel := context.WithTimeout(d.client.ctx, d.client.cfg.ClaimWindow)
	defer cancel()
	if _, err := d.call(ctx, opRelease, ticket, fence, 0); err != nil && d.client.ctx.Err() == nil {
		d.client.cfg.Logger.Warn("locks: turn of an unknown ticket not given back", "error", err)
	}
}
