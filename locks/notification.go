package locks

// notification is the news that a ticket is no longer in line, on its way to whoever has to know.
type notification struct {
	ticket string
	why    Departure
	waiter *waiter // the Lock that waits for the ticket, if any
}

// notify passes departures on: to the Lock that waits for the ticket, else to Config.Departed. Must not hold mu.
func (d *session) notify(news []notification) {
	d.notifyWaiters(news)
	departed := d.client.cfg.Departed
	if departed == nil || len(news) == 0 {
		return
	}
	d.notifying.Lock()
	defer d.notifying.Unlock()
	for _, f := range news {
		if f.waiter == nil {
			departed(d.name, f.ticket, f.why)
		}
	}
}

func (d *session) notifyWaiters(news []notification) {
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

// onClosed sends away the tickets that waited in line when it was closed at a moment of Redis' clock. Later ones stay, and
// those that were being served.
func (d *session) onClosed(at int64, reason string, served []string) {
	d.mu.Lock()
	for _, ticket := range served {
		if e := d.tickets[ticket]; e != nil && e.turn == nil {
			e.servedElsewhere = true
		}
	}
	if at > d.closedAt {
		d.closedAt, d.closedReason = at, reason
	}
	var out []notification
	var gone []*localTicket
	for _, e := range d.tickets {
		if e.knownAt > 0 && e.knownAt < at && e.turn == nil && e.claiming == 0 && !e.servedElsewhere {
			out = append(out, d.removeTicket(e, at, Departure{Cause: Closed, Reason: reason}))
			gone = append(gone, e)
		}
	}
	d.mu.Unlock()
	if d.name.joint() && len(gone) > 0 { // a beat takes them out of the lines that were not closed
		d.client.spawn(d.line, func(d *session) { d.beatEach(gone) })
	}
	d.notify(out)
	d.wakeKeepAlive()
}

// onDeparted sends away a ticket that, at a moment of Redis' clock, went to, left or was served through another node.
func (d *session) onDeparted(ticket string, at int64, why Departure) {
	d.mu.Lock()
	var out []notification
	if e := d.tickets[ticket]; e != nil && e.knownAt > 0 && e.knownAt < at && e.turn == nil {
		out = append(out, d.removeTicket(e, at, why))
	}
	d.mu.Unlock()
	d.notify(out)
	d.wakeKeepAlive()
}

// turnEnd is how a turn ends.
type turnEnd int

const (
	lost     turnEnd = iota // the holder is out of the line and the taken ones stand in it again, if Redis still has them
	released                // holder and taken tickets are done
	returned                // all of them wait in line again
)

// endTurn takes a turn off the session, as of a moment of Redis' clock. What it cannot know the next beat finds out.
func (d *session) endTurn(t *heldTurn, how turnEnd, at int64) {
	d.mu.Lock()
	if d.current == t {
		d.current = nil
	}
	unseen := d.withdraw(t)
	var out []notification
	for _, ticket := range t.party {
		e := d.tickets[ticket]
		switch {
		case e == nil || e.turn != nil && e.turn != t || e.turn == nil && (how != released || e.knownAt > at):
			continue
		case how == released:
			d.notifyWaiters([]notification{d.removeTicket(e, at, Departure{Cause: Elsewhere})})
		case how == lost && ticket == t.ticket:
			f := d.removeTicket(e, at, Departure{Cause: Reaped})
			if unseen {
				out = append(out, f)
			}
		default:
			e.turn = nil
			if how == returned {
				e.knownAt = max(e.knownAt, at)
			}
			d.beatDue = true
		}
	}
	d.mu.Unlock()
	d.notify(out)
	d.wakeKeepAlive()
}

// withdraw takes back a turn that Next has not handed out; it reports whether there was one. Holds mu.
func (d *session) withdraw(t *heldTurn) bool {
	for i, r := range d.ready {
		if r == t {
			d.ready = append(d.ready[:i], d.ready[i+1:]...)
			return true
		}
	}
	return false
}
