package locks

// farewell is the news that a ticket is no longer in line, on its way to whoever has to know.
type farewell struct {
	ticket string
	why    Departure
	waiter *waiter // the Lock that waits for the ticket, if any
}

// tell passes departures on: to the Lock that waits for the ticket, else to Config.Departed. Must not hold mu.
func (d *desk) tell(news []farewell) {
	d.tellWaiters(news)
	departed := d.client.cfg.Departed
	if departed == nil || len(news) == 0 {
		return
	}
	d.telling.Lock()
	defer d.telling.Unlock()
	for _, f := range news {
		if f.waiter == nil {
			departed(d.name, f.ticket, f.why)
		}
	}
}

func (d *desk) tellWaiters(news []farewell) {
	for _, f := range news {
		if f.waiter == nil {
			continue
		}
		select {
		case f.waiter.departed <- f.why:
		default: // it has been told something already
		}
	}
}

// closed sends away the tickets that stood in line when it was closed at a moment of Redis' clock. Later ones stay, and
// those that were being served.
func (d *desk) closed(at int64, reason string, served []string) {
	d.mu.Lock()
	for _, ticket := range served {
		if e := d.tickets[ticket]; e != nil && e.turn == nil {
			e.elsewhere = true
		}
	}
	if at > d.closedAt {
		d.closedAt, d.closedReason = at, reason
	}
	var out []farewell
	var gone []*lent
	for _, e := range d.tickets {
		if e.seen > 0 && e.seen < at && e.turn == nil && e.claiming == 0 && !e.elsewhere {
			out = append(out, d.remove(e, at, Departure{Cause: Closed, Reason: reason}))
			gone = append(gone, e)
		}
	}
	d.mu.Unlock()
	if d.name.joint() && len(gone) > 0 { // a beat takes them out of the lines that were not closed
		d.client.spawn(d.line, func(d *desk) { d.beatEach(gone) })
	}
	d.tell(out)
	d.settle()
}

// lost sends away a ticket that, at a moment of Redis' clock, went to, left or was served through another node.
func (d *desk) lost(ticket string, at int64, why Departure) {
	d.mu.Lock()
	var out []farewell
	if e := d.tickets[ticket]; e != nil && e.seen > 0 && e.seen < at && e.turn == nil {
		out = append(out, d.remove(e, at, why))
	}
	d.mu.Unlock()
	d.tell(out)
	d.settle()
}

// ending is how a turn ends.
type ending int

const (
	lost     ending = iota // the holder is out of the line and the taken ones stand in it again, if Redis still has them
	released               // holder and taken tickets are done
	returned               // all of them stand in line again
)

// turnOver takes a turn off the desk, as of a moment of Redis' clock. What it cannot know the next beat tells.
func (d *desk) turnOver(t *tenure, how ending, at int64) {
	d.mu.Lock()
	if d.current == t {
		d.current = nil
	}
	unseen := d.withdraw(t)
	var out []farewell
	for _, ticket := range t.party {
		e := d.tickets[ticket]
		switch {
		case e == nil || e.turn != nil && e.turn != t || e.turn == nil && (how != released || e.seen > at):
			continue
		case how == released:
			d.tellWaiters([]farewell{d.remove(e, at, Departure{Cause: Elsewhere})})
		case how == lost && ticket == t.ticket:
			f := d.remove(e, at, Departure{Cause: Reaped})
			if unseen {
				out = append(out, f)
			}
		default:
			e.turn = nil
			if how == returned {
				e.seen = max(e.seen, at)
			}
			d.beatDue = true
		}
	}
	d.mu.Unlock()
	d.tell(out)
	d.settle()
}

// withdraw takes back a turn that Next has not handed out; it reports whether there was one. Holds mu.
func (d *desk) withdraw(t *tenure) bool {
	for i, r := range d.ready {
		if r == t {
			d.ready = append(d.ready[:i], d.ready[i+1:]...)
			return true
		}
	}
	return false
}
