package locks

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// rejoinSize bounds the tickets of one call, so that none keeps Redis busy for long.
const rejoinSize = 250

// watch asks Redis for a sign every beat until the tickets are back there.
func (l *link) watch() {
	ctx := l.client.ctx
	tick := time.NewTicker(l.client.cfg.Beat)
	defer tick.Stop()
	for {
		err := l.probe(ctx)
		if l.goBack(ctx, err) == nil {
			return
		}
		select {
		case <-tick.C:
		case <-l.nudge:
		case <-ctx.Done():
			return
		}
	}
}

// probe asks Redis whether it can be written to, and its time.
func (l *link) probe(ctx context.Context) error {
	d := l.deskOf("")
	_, err := l.tell(ctx, d, d.command(opRejoin, []any{0, 0, 0}))
	return err
}

// deskOf makes a desk that only sends calls.
func (l *link) deskOf(key string) *desk {
	return newDesk(&Line{client: l.client, name: Name{l.partition, key}})
}

// tell sends a call that does not wait for the link.
func (l *link) tell(ctx context.Context, d *desk, c command) (reply, error) {
	ctx, cancel := context.WithTimeout(ctx, l.client.cfg.Beat)
	defer cancel()
	sent := l.client.clock()
	values, err := d.send(ctx, c)
	if err != nil {
		return reply{}, err
	}
	r, err := decode(values)
	if err != nil {
		return reply{}, err
	}
	l.far.learn(sent, l.client.clock(), r.now)
	if r.status == expired {
		return reply{}, fmt.Errorf("line %s: %s: %w", d.name, c.op, errExpired)
	}
	return r, nil
}

// errHeld: the return to Redis waits for the end of a turn in memory.
var errHeld = errors.New("locks: a turn goes on")

// goBack brings everything back to Redis that stands in memory, if it can be reached. No operation of the partition is
// carried out meanwhile. Returns errHeld while a turn goes on here: no other begins until Redis gives it.
func (l *link) goBack(ctx context.Context, unreached error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.advance()
	now := l.now()
	l.engine.sweep(now, l.client.keyLife.Microseconds())
	l.held = unreached == nil && l.engine.serving(now)
	if l.state.Load() == away {
		l.engine.opens = 0
	}
	if unreached != nil {
		return unreached
	}
	if l.held {
		l.engine.opens = now + l.client.cfg.MaxHold.Microseconds()
		return errHeld
	}
	err := l.payDebts(ctx)
	if err == nil {
		err = l.rejoin(ctx)
	}
	if err != nil {
		l.distrust() // some of it may be there
		return err
	}
	gone := l.gone
	l.memory = memory{}
	l.state.Store(linked)
	if gone {
		l.happened(CameBack)
	}
	far, _ := l.far.read(l.client.clock())
	l.client.start(func() { l.client.linkedAgain(l.partition, far) })
	return nil
}

// payDebts tells Redis what was done with tickets that may still be alive there. Holds mu.
func (l *link) payDebts(ctx context.Context) error {
	for ; len(l.owed) > 0; l.owed = l.owed[1:] {
		owed := l.owed[0]
		d := l.deskOf(owed.desk)
		owed.expiry = l.expiry()
		r, err := l.tell(ctx, d, owed.command)
		if err != nil {
			return err
		}
		if owed.op != opRelease || r.status != 0 {
			continue
		}
		for _, ticket := range owed.tickets { // served, but Redis has ended the turn and they stand again
			c := d.command(opLeave, []any{ticket})
			c.expiry = l.expiry()
			if _, err := l.tell(ctx, d, c); err != nil {
				return err
			}
		}
	}
	return nil
}

// rejoin puts the tickets that stand in memory in their places in Redis, but for those that still live there. Holds mu.
func (l *link) rejoin(ctx context.Context) error {
	cfg := l.client.cfg
	for desk, tickets := range l.engine.standing(l.now()) {
		d := l.deskOf(desk)
		tickets = slices.DeleteFunc(tickets, func(s stander) bool { return s.grace == 0 && !l.client.lends(d.name, s.ticket) })
		for run := range slices.Chunk(tickets, rejoinSize) {
			own := []any{cfg.TTL.Microseconds(), l.highest, settleTime(cfg).Microseconds()}
			for _, t := range run {
				own = append(own, t.ticket, t.arrival, t.grace, t.work)
			}
			c := d.command(opRejoin, own)
			c.expiry = l.expiry()
			if _, err := l.tell(ctx, d, c); err != nil {
				return err
			}
		}
	}
	return nil
}

// lends tells whether a ticket is on a desk.
func (c *Client) lends(n Name, ticket string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	d := c.desks[n]
	if d == nil {
		return false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.tickets[ticket] != nil
}

// linkedAgain makes every line of a partition ask Redis how its tickets are. What they were told in memory at moments that
// Redis' clock has not reached counts as told now.
func (c *Client) linkedAgain(partition string, now int64) {
	for _, d := range c.desksOf(partition) {
		d.mu.Lock()
		for _, e := range d.tickets {
			e.seen, e.gone = min(e.seen, now), min(e.gone, now)
		}
		d.closedAt = min(d.closedAt, now)
		d.mu.Unlock()
	}
	c.beatAll(partition)
}

// stander is a ticket on its way back.
type stander struct {
	spot
	grace int64 // µs that it may still be away, 0 if it is not parked
	work  string
}

// keep notes that the tickets are the engine's alone: none lives in Redis any more.
func (e *engine) keep() {
	for _, l := range e.lines {
		for _, n := range l.lendings.of {
			n.entered = true
		}
	}
}

// standing lists, by the desks that lend them and in order, the tickets alive that Redis does not know.
func (e *engine) standing(now int64) map[string][]stander {
	desks := make(map[string][]stander)
	known := make(map[[2]string]bool) // a ticket of a joint line stands in several
	for _, l := range e.lines {
		for ticket, n := range l.lendings.of {
			id := [2]string{n.desk, ticket}
			if !n.entered || n.deadline <= now || known[id] {
				continue
			}
			known[id] = true
			s := stander{spot: spot{max(l.waiting.at[ticket], l.taken.at[ticket]), ticket}, work: n.work}
			if arrival, parked := l.parked.at[ticket]; parked {
				s.arrival, s.grace = arrival, n.deadline-now
			}
			desks[n.desk] = append(desks[n.desk], s)
		}
	}
	for _, tickets := range desks {
		slices.SortFunc(tickets, func(a, b stander) int {
			return a.compare(b.spot)
		})
	}
	return desks
}
