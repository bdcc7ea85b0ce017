package locks

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"
)

// beatSize bounds the tickets of one beat call, so that none keeps Redis busy for long.
const beatSize = 500

// keepAlive is the one goroutine of a line that has tickets on this node. It beats them and checks the line when
// the present turn's lease ends. It ends when no ticket lives by beats any more.
func (d *session) keepAlive() {
	d.client.retainSubscription(d.name.Partition)
	defer d.client.releaseSubscription(d.name.Partition)
	period := d.client.cfg.Beat
	next := d.client.clock().Add(period/2 + rand.N(period/2)) // lines opened together do not beat together
	timer := time.NewTimer(period)
	defer timer.Stop()
	for {
		stay, due, wake := d.plan()
		if !stay {
			return
		}
		now := d.client.clock()
		if due || !now.Before(next) {
			d.beat()
			next = d.client.clock().Add(period)
			continue
		}
		if !wake.IsZero() && !now.Before(wake) {
			d.beatTickets(nil)
			continue
		}
		until := next
		if !wake.IsZero() && wake.Before(next) {
			until = wake
		}
		timer.Reset(until.Sub(now))
		select {
		case <-timer.C:
		case <-d.wake:
		case <-d.client.ctx.Done():
		}
	}
}

// plan tells keepAlive whether to stay, whether a beat is due now, and when to check the line.
func (d *session) plan() (stay, due bool, wake time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	due, d.beatDue = d.beatDue, false
	wake = d.checkAt
	if !wake.IsZero() && d.client.until(wake) <= 0 {
		d.checkAt = time.Time{} // the answer to the look sets it again
	}
	d.keepingAlive = d.needsBeats() && d.client.ctx.Err() == nil
	return d.keepingAlive, due, wake
}

// beat refreshes every ticket on the session that lives by beats and deals with what Redis says of each.
func (d *session) beat() {
	d.mu.Lock()
	all := make([]*localTicket, 0, len(d.tickets))
	for _, e := range d.tickets {
		if e.needsBeat() {
			all = append(all, e)
		}
	}
	d.mu.Unlock()
	d.beatEach(all)
}

// beatEach sends as many beats as the tickets need.
func (d *session) beatEach(tickets []*localTicket) {
	for run := range slices.Chunk(tickets, beatSize) {
		if !d.beatTickets(run) {
			return
		}
	}
}

// beatTickets sends one beat. Without tickets it only makes Redis reap and promote.
func (d *session) beatTickets(tickets []*localTicket) bool {
	c := d.client
	ctx, cancel := context.WithTimeout(c.ctx, c.cfg.TTL)
	defer cancel()
	args := make([]any, 0, 3+len(tickets))
	args = append(args, c.cfg.TTL.Microseconds(), d.knownArrival(), settleTime(c.cfg).Microseconds())
	for _, e := range tickets {
		args = append(args, e.ticket)
	}
	r, err := d.call(ctx, opBeat, args...)
	if err != nil {
		if c.ctx.Err() == nil {
			c.cfg.Logger.Warn("locks: beat failed", "error", err)
		}
		return false
	}
	d.mu.Lock()
	if left := r.integer(1); left >= 0 {
		d.scheduleCheck(micros(left))
	}
	var out []notification
	var unknown []*localTicket
	marks := r.text(0)
	for i, e := range tickets {
		switch {
		case i >= len(marks):
		case marks[i] == 'l' && e.turn == nil && d.tickets[e.ticket] == e:
			unknown = append(unknown, e)
		default:
			out = append(out, d.applyMark(e, marks[i], r)...)
		}
	}
	d.mu.Unlock()
	d.notify(out)
	d.restore(ctx, unknown)
	d.wakeKeepAlive()
	return true
}

// restoredFields is how many values restore.lua takes for each ticket.
const restoredFields = 3

// restore puts tickets back in their places that Redis has lost with its data. Those that come too late depart.
func (d *session) restore(ctx context.Context, unknown []*localTicket) {
	if len(unknown) == 0 {
		return
	}
	args := []any{d.client.cfg.TTL.Microseconds()} // then restoredFields a ticket
	d.mu.Lock()
	for _, e := range unknown {
		args = append(args, e.ticket, e.arrival, e.work)
	}
	d.mu.Unlock()
	r, err := d.call(ctx, opRestore, args...)
	if err != nil {
		return // the next beat finds them missing again
	}
	var out []notification
	d.mu.Lock()
	for _, e := range unknown {
		switch {
		case d.tickets[e.ticket] != e || e.knownAt >= r.now:
		case r.status == 1:
			e.knownAt = r.now
		default:
			out = append(out, d.removeTicket(e, r.now, Departure{Cause: Reaped}))
		}
	}
	d.mu.Unlock()
	d.notify(out)
}

// applyMark notes what a beat said of a ticket. Holds mu. A turn of this node knows better than a beat what becomes of
// its tickets, and later news outdate it.
func (d *session) applyMark(e *localTicket, mark byte, r reply) []notification {
	if d.tickets[e.ticket] != e || e.knownAt >= r.now || e.turn != nil {
		return nil
	}
	switch mark {
	case 'w', 'h':
		e.knownAt = r.now
		e.servedElsewhere = mark == 'h' && r.turn == nil
		return nil
	case 'a':
		return []notification{d.removeTicket(e, r.now, Departure{Cause: Adopted})}
	}
	why := Departure{Cause: Reaped}
	if closed := r.integer(2); e.servedElsewhere {
		why.Cause = Elsewhere
	} else if closed >= e.knownAt {
		why = Departure{Cause: Closed, Reason: r.text(3)}
	}
	return []notification{d.removeTicket(e, r.now, why)}
}
