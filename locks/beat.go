package locks

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"
)

// beatSize bounds the tickets of one beat call, so that none keeps Redis busy for long.
const beatSize = 500

// attend is the one goroutine of a line that has tickets on this node. It beats them and looks after the line when
// the present turn's lease ends. It ends when no ticket lives by beats any more.
func (d *desk) attend() {
	d.client.listen(d.name.Partition)
	defer d.client.unlisten(d.name.Partition)
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
		case <-d.nudge:
		case <-d.client.ctx.Done():
		}
	}
}

// plan tells attend whether to stay, whether a beat is due now, and when to look after the line.
func (d *desk) plan() (stay, due bool, wake time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	due, d.beatDue = d.beatDue, false
	wake = d.wakeAt
	if !wake.IsZero() && d.client.until(wake) <= 0 {
		d.wakeAt = time.Time{} // the answer to the look sets it again
	}
	d.attended = d.busy() && d.client.ctx.Err() == nil
	return d.attended, due, wake
}

// beat refreshes every ticket on the desk that lives by beats and deals with what Redis says of each.
func (d *desk) beat() {
	d.mu.Lock()
	all := make([]*lent, 0, len(d.tickets))
	for _, e := range d.tickets {
		if e.wantsBeat() {
			all = append(all, e)
		}
	}
	d.mu.Unlock()
	d.beatEach(all)
}

// beatEach sends as many beats as the tickets need.
func (d *desk) beatEach(tickets []*lent) {
	for run := range slices.Chunk(tickets, beatSize) {
		if !d.beatTickets(run) {
			return
		}
	}
}

// beatTickets sends one beat. Without tickets it only makes Redis reap and promote.
func (d *desk) beatTickets(tickets []*lent) bool {
	c := d.client
	ctx, cancel := context.WithTimeout(c.ctx, c.cfg.TTL)
	defer cancel()
	args := make([]any, 0, 3+len(tickets))
	args = append(args, c.cfg.TTL.Microseconds(), d.oldest(), settleTime(c.cfg).Microseconds())
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
		d.wakeIn(micros(left))
	}
	var out []farewell
	var unknown []*lent
	marks := r.text(0)
	for i, e := range tickets {
		switch {
		case i >= len(marks):
		case marks[i] == 'l' && e.turn == nil && d.tickets[e.ticket] == e:
			unknown = append(unknown, e)
		default:
			out = append(out, d.marked(e, marks[i], r)...)
		}
	}
	d.mu.Unlock()
	d.tell(out)
	d.restore(ctx, unknown)
	d.settle()
	return true
}

// restoredFields is how many values restore.lua takes for each ticket.
const restoredFields = 3

// restore puts tickets back in their places that Redis has lost with its data. Those that come too late depart.
func (d *desk) restore(ctx context.Context, unknown []*lent) {
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
	var out []farewell
	d.mu.Lock()
	for _, e := range unknown {
		switch {
		case d.tickets[e.ticket] != e || e.seen >= r.now:
		case r.status == 1:
			e.seen = r.now
		default:
			out = append(out, d.remove(e, r.now, Departure{Cause: Reaped}))
		}
	}
	d.mu.Unlock()
	d.tell(out)
}

// marked notes what a beat said of a ticket. Holds mu. A turn of this node knows better than a beat what becomes of
// its tickets, and later news outdate it.
func (d *desk) marked(e *lent, mark byte, r reply) []farewell {
	if d.tickets[e.ticket] != e || e.seen >= r.now || e.turn != nil {
		return nil
	}
	switch mark {
	case 'w', 'h':
		e.seen = r.now
		e.elsewhere = mark == 'h' && r.turn == nil
		return nil
	case 'a':
		return []farewell{d.remove(e, r.now, Departure{Cause: Adopted})}
	}
	why := Departure{Cause: Reaped}
	if closed := r.integer(2); e.elsewhere {
		why.Cause = Elsewhere
	} else if closed >= e.seen {
		why = Departure{Cause: Closed, Reason: r.text(3)}
	}
	return []farewell{d.remove(e, r.now, why)}
}
