package locks

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// The moves of those who wait: each does one operation in Redis and in the reference, and compares the answers.

func (w *model) enter(node, ticket string) error {
	session := sessionOf(ticket)
	p := w.at(node, session)
	kept, load, known := w.keptSometimes(ticket), w.workSometimes(ticket), w.knownAt(session)
	r, err := w.send(node, session, opEnter, ticket, kept, ttl, load, known, pause)
	if err != nil {
		return err
	}
	arrival, stood, serving := w.find(p, ticket, known)
	if !stood {
		arrival = cmp.Or(kept, r.integer(0))
	}
	for _, row := range p.lines {
		w.stand(p, row, ticket, arrival)
		if load != "" {
			row.work[ticket] = load
		}
	}
	p.finish()
	w.owned[node][ticket] = true
	return w.entered(p, ticket, r, entered{arrival: arrival, drawn: !stood && kept == 0, serving: serving})
}

// find adopts the ticket wherever it waits, and returns its arrival.
func (w *model) find(p modelSession, ticket string, known int64) (arrival int64, stood, serving bool) {
	for _, row := range p.lines {
		row.detectLoss(p.now, known, pause)
		_, owned := row.owners[ticket]
		if owned {
			row.setOwner(ticket, p.by, p.now+ttl)
		}
		row.reap(p.now)
		for _, set := range []map[string]int64{row.parked, row.waiting, row.taken} {
			if a, in := set[ticket]; in && owned {
				arrival, stood = a, true
			}
		}
		_, along := row.taken[ticket]
		serving = serving || along
		if row.has(ticket) {
			arrival, stood = row.holder.arrival, true
		}
	}
	return arrival, stood, serving
}

// stand puts the ticket into a line, unless it stands or has the turn there.
func (w *model) stand(p modelSession, row *modelLine, ticket string, arrival int64) {
	_, waits := row.waiting[ticket]
	_, along := row.taken[ticket]
	switch {
	case row.has(ticket) && row.holder.by.node != p.by.node && row.holder.claimed:
		row.setOwner(ticket, p.by, p.now+ttl)
	case row.has(ticket):
		row.holder.by.node = p.by.node
	case !waits && !along:
		delete(row.parked, ticket)
		row.waiting[ticket] = arrival
		row.setOwner(ticket, p.by, p.now+ttl)
	}
}

// entered is what an enter has to answer.
type entered struct {
	arrival        int64
	drawn, serving bool
}

func (w *model) entered(p modelSession, ticket string, r reply, want entered) error {
	if want.drawn && want.arrival <= w.highest {
		return fmt.Errorf("enter %s: drew %d, but %d was there before", ticket, want.arrival, w.highest)
	}
	w.highest, w.kept[ticket] = max(w.highest, want.arrival), want.arrival
	status, position, count, settling := int64(2), int64(0), 0, int64(0)
	for _, row := range p.lines {
		position = max(position, row.position(ticket))
		count = max(count, len(row.waiting)+len(row.parked))
		if row.position(ticket) > 0 && row.until > p.now {
			settling = 1
		}
	}
	if want.serving {
		status = 3
	}
	if p.lines[0].has(ticket) {
		status, position, settling = 1, 0, 0
	}
	if r.status != status || r.integer(0) != want.arrival || r.integer(2) != position || r.integer(3) != int64(count) ||
		r.integer(5) != settling {
		return fmt.Errorf("enter %s: status %d, %v; want %d, arrival %d, position %d of %d", ticket, r.status, r.rest,
			status, want.arrival, position, count)
	}
	return nil
}

func (w *model) leave(node, ticket string) error {
	session := sessionOf(ticket)
	p := w.at(node, session)
	r, err := w.send(node, session, opLeave, ticket)
	if err != nil {
		return err
	}
	want := int64(0)
	for _, row := range p.lines {
		row.reap(p.now)
		_, along := row.taken[ticket]
		_, owned := row.owners[ticket]
		switch {
		case row.has(ticket) && !row.holder.claimed:
			row.holder, want = nil, 1
			delete(row.work, ticket)
		case row.has(ticket) || along:
			want = 2
		case owned:
			row.drop(ticket)
			want = 1
		}
	}
	p.finish()
	return w.agree(opLeave, ticket, r, want, 0)
}

func (w *model) park(node, ticket string) error {
	session := sessionOf(ticket)
	p := w.at(node, session)
	r, err := w.send(node, session, opPark, ticket, historyTimes.Grace.Microseconds())
	if err != nil {
		return err
	}
	want := int64(0)
	for _, row := range p.lines {
		row.reap(p.now)
		want = w.parkIn(p, row, ticket, want)
	}
	p.finish()
	return w.agree(opPark, ticket, r, want, want)
}

func (w *model) parkIn(p modelSession, row *modelLine, ticket string, status int64) int64 {
	by, owned := row.owners[ticket]
	holds := row.has(ticket)
	if holds {
		by = row.holder.by
	}
	_, along := row.taken[ticket]
	switch {
	case (holds || owned) && by.node != p.by.node:
		return 3
	case holds && row.holder.claimed || along:
		return 2
	case !holds && !owned:
		return status
	}
	if holds {
		row.parked[ticket], row.holder = row.holder.arrival, nil
	} else if a, waits := row.waiting[ticket]; waits {
		row.parked[ticket] = a
	}
	delete(row.waiting, ticket)
	row.setOwner(ticket, p.by, p.now+historyTimes.Grace.Microseconds())
	return 1
}

// beat refreshes all that the node believes to own at the session.
func (w *model) beat(node, ticket string) error {
	session := sessionOf(ticket)
	p := w.at(node, session)
	known, all := w.knownAt(session), w.ticketsOf(node, session)
	args := []any{ttl, known, pause}
	for _, t := range all {
		args = append(args, t)
	}
	r, err := w.send(node, session, opBeat, args...)
	if err != nil {
		return err
	}
	marks := make([]byte, len(all))
	for _, row := range p.lines {
		row.detectLoss(p.now, known, pause)
		for i, t := range all {
			marks[i] = joinMarks(marks[i], p.mark(row, t))
		}
		row.reap(p.now)
	}
	for i, t := range all {
		for _, row := range p.lines {
			if marks[i] == 'g' && len(p.lines) > 1 {
				row.drop(t)
			}
		}
	}
	p.finish()
	if r.status != 1 || r.text(0) != string(marks) && !w.repeats { // a repetition finds who got a turn by the first
		return fmt.Errorf("beat of %s at %s for %v: %q, want %q", node, session, all, r.text(0), marks)
	}
	return nil
}

// mark refreshes one ticket of a beat and says how it stands.
func (p modelSession) mark(row *modelLine, ticket string) byte {
	by, owned := row.owners[ticket]
	if owned && by.node == p.by.node {
		row.alive[ticket] = max(row.alive[ticket], p.now+ttl)
	}
	switch {
	case row.has(ticket) && row.holder.by.session == p.by.session && row.holder.end > p.now:
		return 'h'
	case owned && by.node == p.by.node:
		return 'w'
	case owned:
		return 'a'
	case row.until > p.now:
		return 'l'
	}
	return 'g'
}

// joinMarks is what a beat says of a ticket in several lines: what is missing in one counts.
func joinMarks(sum, next byte) byte {
	if sum == 0 || next == 'g' || next == 'l' && sum != 'g' {
		return next
	}
	return sum
}

// restore brings back those that the node owns. Some may be there again, through the other node.
func (w *model) restore(node, ticket string) error {
	session := sessionOf(ticket)
	p := w.at(node, session)
	args := []any{ttl}
	var brought []string
	for _, t := range w.ticketsOf(node, session) {
		if held := slices.ContainsFunc(p.lines, func(r *modelLine) bool { return r.has(t) }); !held && w.kept[t] > 0 {
			brought = append(brought, t)
			args = append(args, t, w.kept[t], workOf(t))
		}
	}
	if len(brought) == 0 {
		return nil
	}
	r, err := w.send(node, session, opRestore, args...)
	if err != nil {
		return err
	}
	want := int64(0)
	if p.lines[0].until > p.now {
		want = 1
	}
	for _, row := range p.lines {
		for _, t := range brought {
			if _, owned := row.owners[t]; !owned && want == 1 {
				row.waiting[t] = w.kept[t]
				row.setOwner(t, p.by, p.now+ttl)
				if workOf(t) != "" {
					row.work[t] = workOf(t)
				}
			}
		}
	}
	p.claim()
	return w.agree(opRestore, strings.Join(brought, " "), r, want, want)
}

// sessionOf returns the session of a ticket, which its name carries, as in a1, b2 and ab3.
func sessionOf(ticket string) string {
	return strings.Join(strings.Split(strings.TrimRight(ticket, "0123456789"), ""), separator)
}

// workOf is what a ticket enters with: every other one can be served by any node.
func workOf(ticket string) string {
	if (ticket[len(ticket)-1]-'0')%2 == 0 {
		return "work of " + ticket
	}
	return ""
}

// ticketsOf lists the tickets of a session that the node believes to own.
func (w *model) ticketsOf(node, session string) []string {
	var all []string
	for ticket := range w.owned[node] {
		if sessionOf(ticket) == session {
			all = append(all, ticket)
		}
	}
	slices.Sort(all)
	return all
}
