package locks

import (
	"fmt"
	"slices"
)

// debt is a call that Redis has to be told of if it answers before its tickets have died there.
type debt struct {
	command
	tickets []string // of a turn that was released, to be taken out if Redis has ended it by itself
}

// doubt notes that Redis is silent. From now on tickets stand in memory, those too that stood in Redis; beats bring there
// those that Redis was still about to answer for.
func (l *link) doubt() {
	l.mu.Lock()
	begun := l.engine == nil
	if begun {
		l.memory = memory{engine: newEngine(l.client.cfg.ClaimWindow, l.highest), begun: l.client.clock()}
		l.begunAt, _ = l.far.read(l.begun)
		l.distrust()
		l.furnish()
	}
	l.mu.Unlock()
	if begun {
		l.client.start(l.watch)
	}
}

// now is the present moment (µs) in memory. Holds mu.
func (l *link) now() int64 { return l.begunAt - l.client.until(l.begun).Microseconds() }

// distrust starts the time anew after which nothing of this node's is left in Redis. Holds mu.
func (l *link) distrust() {
	l.engine.opens = l.now() + l.client.patience.Microseconds()
	l.state.Store(doubtful)
}

// furnish puts the tickets of the desks in their places in memory, but for those that are being served. Holds mu.
func (l *link) furnish() {
	for _, d := range l.client.desksOf(l.partition) {
		own := []any{l.client.cfg.TTL.Microseconds()}
		d.mu.Lock()
		for _, e := range d.tickets {
			if e.seen > 0 && e.arrival > 0 && e.turn == nil {
				own = append(own, e.ticket, e.arrival, e.work)
			}
		}
		d.mu.Unlock()
		l.engine.run(l.now(), d.command(opRestore, own))
	}
}

// advance notes that turns may be given in memory, once it is so. Holds mu.
func (l *link) advance() {
	if l.state.Load() == doubtful && l.now() >= l.engine.opens {
		l.owed = nil // Redis has ended by itself what it could be told of
		l.engine.keep()
		l.state.Store(away)
		if !l.gone {
			l.gone = true
			l.happened(WentAway)
		}
	}
}

func (l *link) happened(event Event) {
	l.client.cfg.Logger.Warn("locks: "+string(event), "partition", l.partition)
	if o := l.client.cfg.Observer; o != nil {
		o.Happened(Name{Partition: l.partition}, event, 1)
	}
}

// serve carries an operation out in memory. Returns errLinked if Redis is to be asked.
func (l *link) serve(d *desk, c command) ([]any, error) {
	values, news, err := l.inMemory(d, c)
	for _, m := range news {
		l.client.deliver(l.partition, m)
	}
	return values, err
}

func (l *link) inMemory(d *desk, c command) ([]any, []message, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.engine == nil {
		return nil, nil, errLinked
	}
	l.advance()
	if l.state.Load() == doubtful {
		values, err := l.inDoubt(d, c)
		if values != nil || err != nil {
			return values, nil, err
		}
	}
	if c.op == opEnter && integer(c.own[1]) == 0 { // Redis may have told it and the engine may not know
		c.own = slices.Clone(c.own)
		c.own[1] = d.arrivalOf(text(c.own[0]))
	}
	values, news := l.engine.run(l.now(), c)
	l.highest = max(l.highest, l.engine.counter)
	if l.held && !l.engine.serving(l.now()) {
		signal(l.nudge)
	}
	return values, news, nil
}

// inDoubt deals with operations on what may still live in Redis. Turns that Redis gave can end, but not be renewed; what
// Redis has to know is owed to it. Returns nothing if the operation is to be carried out in memory. Holds mu.
func (l *link) inDoubt(d *desk, c command) ([]any, error) {
	turn, party := d.turnOfRedis()
	answer := func(status int64, more ...any) []any {
		return append([]any{status, l.now(), int64(0), int64(0), []any{}}, more...)
	}
	switch c.op {
	case opEvict:
		return nil, fmt.Errorf("line %s: %s: %w", d.name, c.op, ErrAway)
	case opLeave, opPark:
		if slices.Contains(party, text(c.own[0])) {
			return answer(2), nil
		}
		l.owed = append(l.owed, debt{command: c})
	case opClose:
		l.owed = append(l.owed, debt{command: c})
	case opHold, opTake, opRelease, opReturn:
		if turn == nil || turn.fence != integer(c.own[1]) {
			return nil, nil
		}
		if c.op == opHold || c.op == opTake {
			return nil, fmt.Errorf("line %s: %s: %w", d.name, c.op, ErrAway)
		}
		l.owed = append(l.owed, debt{c, party})
		return answer(1, max(l.now()-turn.acquired, 0)), nil
	}
	return nil, nil
}

// turnOfRedis is the present turn if Redis gave it and its lease has not ended, and the tickets served in it.
func (d *desk) turnOfRedis() (t *tenure, party []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	t = d.current
	if t == nil || t.local || !t.lasts() {
		return nil, nil
	}
	party = slices.Clone(t.party)
	for ticket := range t.foreign {
		party = append(party, ticket)
	}
	return t, party
}

// lasts tells whether the lease has not ended.
func (t *tenure) lasts() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.line.client.until(t.deadline) > 0
}

// arrivalOf is the number of a ticket on the desk, or 0.
func (d *desk) arrivalOf(ticket string) int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	if e := d.tickets[ticket]; e != nil {
		return e.arrival
	}
	return 0
}

// lengthHere counts the tickets of a line that stand in memory; false if none do because Redis is to be asked.
func (c *Client) lengthHere(n Name) (int, bool) {
	c.mu.Lock()
	l := c.links[n.Partition]
	c.mu.Unlock()
	if l == nil {
		return 0, false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.engine == nil {
		return 0, false
	}
	return l.engine.length(n.Lines()[0], l.now()), true
}

// Local tells whether this node gave the turn by itself because Redis could not be reached (Config.Fallback). A ticket
// with Entry.Work that stood in Redis before may have been served by another node since, whose message did not get here:
// look whether its work was done.
func (t *tenure) Local() bool { return t.local }
