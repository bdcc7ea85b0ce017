package locks

import "context"

// onGrantMessage deals with the message that a ticket of this node got the turn: it is claimed, once.
func (d *session) onGrantMessage(ticket string, fence int64) {
	d.mu.Lock()
	e := d.tickets[ticket]
	known := fence <= d.lastFence || e != nil && e.claiming == fence
	if e != nil && !known {
		e.claiming = fence
	}
	d.mu.Unlock()
	switch {
	case known:
	case e == nil:
		d.client.spawn(d.line, func(d *session) { d.releaseUnknown(ticket, fence) })
	default:
		d.client.spawn(d.line, func(d *session) { d.claim(e, fence) })
	}
}

// claim takes possession of a grant within its window; call hands out the turn. If it fails, a beat finds out what became
// of the ticket.
func (d *session) claim(e *localTicket, fence int64) {
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
	d.wakeKeepAlive()
}

// hold claims a grant or renews its lease.
func (d *session) hold(ctx context.Context, ticket string, fence int64) (reply, error) {
	cfg := d.client.cfg
	return d.call(ctx, opHold, ticket, fence, cfg.Lease.Microseconds(), cfg.MaxHold.Microseconds())
}

// releaseUnknown passes a turn on that came for a ticket which nobody on this node waits with any more, such as one whose
// Enter was given up before Redis had answered.
func (d *session) releaseUnknown(ticket string, fence int64) {
	ctx, cancel := context.WithTimeout(d.client.ctx, d.client.cfg.ClaimWindow)
	defer cancel()
	if _, err := d.call(ctx, opRelease, ticket, fence, 0); err != nil && d.client.ctx.Err() == nil {
		d.client.cfg.Logger.Warn("locks: turn of an unknown ticket not given back", "error", err)
	}
}
