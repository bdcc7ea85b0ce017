package locks

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The moves of those who wait: each does one operation in Redis and in the reference, and compares the answers.

// enter lets a few tickets of one session enter together.
func (w *model) enter(node, ticket string) error {
	session := sessionOf(ticket)
	p := w.at(node, session)
	known := w.knownAt(session)
	group, args := []string{}, []any{known}
	kept, works := map[string]int64{}, map[string]string{}
	for i := range 1 + w.random.IntN(3) {
		t := ticket[:len(ticket)-1] + strconv.Itoa((int(ticket[len(ticket)-1]-'0')+i)%5)
		kept[t], works[t] = w.keptSometimes(t), w.workSometimes(t)
		group = append(group, t)
		args = append(args, t, kept[t], works[t], commitment(t))
	}
	r, err := w.send(node, session, opEnter, args...)
	if err != nil {
		return err
	}
	states := r.list(0)
	want := w.find(p, group, works, known)
	for i, t := range group {
		e := want[t]
		if !e.stood {
			e.arrival = cmp.Or(kept[t], integer(states[placeFields*i+1]))
		}
		e.drawn = kept[t] == 0
	}
	w.stand(p, group, want, works)
	p.promote()
	for i, t := range group {
		w.owned[node][t] = true
		if err := w.entered(p, t, states[placeFields*i:], *want[t]); err != nil {
			return err
		}
	}
	return w.enteredTogether(p, group, r)
}

// entered is what an enter has to answer for a ticket.
type entered struct {
	arrival               int64
	stood, drawn, serving bool
	logged                int
}

// find adopts the tickets wherever they stand, and returns their arrivals.
func (w *model) find(p modelSession, group []string, works map[string]string, known int64) map[string]*entered {
	want := map[string]*entered{}
	for _, t := range group {
		want[t] = &entered{}
	}
	for _, row := range p.lines {
		row.detectLoss(p.now, known)
		var here []string
		for _, t := range group {
			if old, owned := row.tickets[t]; owned {
				here = append(here, t)
				works[t] = cmp.Or(works[t], old.work)
				row.tickets[t] = modelTicket{p.by, works[t]}
			}
		}
		p.keepNodeIfDue(row)
		p.reap(row)
		for _, t := range here {
			e := want[t]
			for _, set := range []map[string]int64{row.taken, row.waiting} {
				if a, in := set[t]; in {
					e.arrival, e.stood = a, true
				}
			}
			if _, along := row.taken[t]; along {
				e.serving = true
			}
			if row.has(t) {
				e.arrival, e.stood = row.holder.arrival, true
			}
		}
	}
	return want
}

// stand puts the tickets into the lines where they do not stand.
func (w *model) stand(p modelSession, group []string, want map[string]*entered, works map[string]string) {
	for i, row := range p.lines {
		var texts []string
		for _, t := range group {
			if _, stands := row.tickets[t]; !stands {
				row.waiting[t] = want[t].arrival
				if !want[t].drawn {
					row.doubt = max(row.doubt, want[t].arrival)
				}
				row.tickets[t] = modelTicket{p.by, works[t]}
				texts = append(texts, fmt.Sprintf("%d:%s", want[t].arrival, commitment(t)))
				if i == 0 {
					want[t].logged = len(row.log) + 1
				}
			}
		}
		if len(texts) > 0 {
			row.logf("enter %s", strings.Join(texts, ","))
		}
	}
}

func (w *model) entered(p modelSession, ticket string, state []any, want entered) error {
	if want.drawn && !want.stood && want.arrival <= w.highest {
		return fmt.Errorf("enter %s: drew %d, but %d was there before", ticket, want.arrival, w.highest)
	}
	w.highest, w.kept[ticket] = max(w.highest, want.arrival), want.arrival
	status, position := int64(2), int64(0)
	for _, row := range p.lines {
		position = max(position, row.position(ticket))
	}
	if want.serving {
		status = 3
	}
	if p.lines[0].has(ticket) {
		status = 1
	}
	if status != 2 {
		position = 0
	}
	if integer(state[0]) != status || integer(state[1]) != want.arrival || integer(state[3]) != position ||
		integer(state[4]) != int64(want.logged) && !w.repeats {
		return fmt.Errorf("enter %s: %v; want status %d, %+v, position %d", ticket, state[:placeFields], status,
			want, position)
	}
	return nil
}

// enteredTogether checks what an enter says of the line.
func (w *model) enteredTogether(p modelSession, group []string, r reply) error {
	count, settling := int64(0), int64(0)
	for _, row := range p.lines {
		count = max(count, int64(len(row.waiting)))
		for _, t := range group {
			if row.position(t) > 0 && row.until > p.now {
				settling = 1
			}
		}
	}
	if r.integer(1) != count || r.integer(3) != settling {
		return fmt.Errorf("enter: %v; want %d in line, settling %d", r.rest, count, settling)
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
		p.reap(row)
		_, along := row.taken[ticket]
		_, stands := row.tickets[ticket]
		switch {
		case row.has(ticket) || along:
			want = 2
		case stands:
			row.logf("left %d", row.waiting[ticket])
			row.drop(ticket)
			want = 1
		}
	}
	p.promote()
	return w.agree(opLeave, ticket, r, want, 0)
}

// beat asks for all that the node believes to own at the session.
func (w *model) beat(node, ticket string) error {
	session := sessionOf(ticket)
	p := w.at(node, session)
	known, all := w.knownAt(session), w.ticketsOf(node, session)
	args := []any{known, min(len(all), 1)}
	for _, t := range all {
		args = append(args, t)
	}
	r, err := w.send(node, session, opBeat, args...)
	if err != nil {
		return err
	}
	marks := make([]byte, len(all))
	for _, row := range p.lines {
		row.detectLoss(p.now, known)
		if len(all) > 0 {
			p.keepNode(row)
		}
		for i, t := range all {
			marks[i] = joinMarks(marks[i], p.mark(row, t))
		}
		p.reap(row)
	}
	for i, t := range all {
		for _, row := range p.lines {
			if arrival, waits := row.waiting[t]; waits && marks[i] == 'g' && len(p.lines) > 1 {
				row.logf("lost %d", arrival)
				row.drop(t)
			}
		}
	}
	p.promote()
	if r.status != 1 || r.text(0) != string(marks) && !w.repeats { // a repetition finds who got a turn by the first
		return fmt.Errorf("beat of %s at %s for %v: %q, want %q", node, session, all, r.text(0), marks)
	}
	standing := int64(0)
	for _, row := range p.lines {
		standing += int64(min(len(row.waiting), 1))
		if row.holder != nil {
			standing++
		}
	}
	if r.integer(4) != standing {
		return fmt.Errorf("beat: %d stand in line, want %d", r.integer(4), standing)
	}
	return nil
}

// mark says how a ticket of a beat stands.
func (p modelSession) mark(row *modelLine, ticket string) byte {
	t, stands := row.tickets[ticket]
	switch {
	case row.has(ticket) && row.holder.by.session == p.by.session && row.holder.end > p.now:
		return 'h'
	case stands && t.by.node == p.by.node:
		return 'w'
	case stands:
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
