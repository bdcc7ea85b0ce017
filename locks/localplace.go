package locks

// The operations on places: enter, leave, park, beat, restore, close, state.

func (s *step) enter() []any {
	ticket, arrival := s.text(0), s.whole(1)
	if arrival != 0 {
		if arrival > max(s.now, s.counter)+3_600_000_000 {
			return s.answer(-1, 0, 0, 0, 0, -1, 0)
		}
		s.counter = max(s.counter, arrival)
	}
	stands, stood, served := s.find(ticket)
	switch {
	case stood != 0:
		arrival = stood
	case arrival == 0:
		arrival = s.draw()
	}
	for i, l := range s.lines {
		if !l.holder.has(ticket) && !stands[i] {
			l.parked.remove(ticket)
			l.waiting.add(ticket, arrival)
			l.lendings.lend(ticket, s.desk, s.after(2)).entered = true
		}
		l.load(ticket, s.text(3))
	}
	s.promote()
	if h := s.first().holder; h.has(ticket) {
		count, _, _, _ := s.place(ticket, arrival)
		return s.answer(1, h.arrival, h.fence, 0, count, -1, 0)
	}
	count, position, wake, pause := s.place(ticket, arrival)
	return s.answer(2+oneIf(served), arrival, 0, position, count, wake, pause)
}

// find looks for a ticket that enters. It tells in which of the lines the ticket stands, with which arrival number, if
// any, and whether it is served in another's turn.
func (s *step) find(ticket string) (stands []bool, stood int64, served bool) {
	stands = make([]bool, len(s.lines))
	for i, l := range s.lines {
		s.witness(l, s.whole(4), s.whole(5))
		_, lent := l.lendings.of[ticket]
		if lent { // before reap: a ticket that comes late is not dead
			l.lendings.lend(ticket, s.desk, s.after(2))
		}
		s.reap(l)
		if l.holder.has(ticket) {
			stood = l.holder.arrival
		}
		if !lent {
			continue
		}
		along, isTaken := l.taken.at[ticket]
		waits, isWaiting := l.waiting.at[ticket]
		away := l.parked.at[ticket]
		stands[i], served = isTaken || isWaiting, served || isTaken
		if stood == 0 {
			stood = max(along, waits, away) // it is in one of them
		}
	}
	return stands, stood, served
}

// load keeps what another node needs to serve a ticket.
func (l *localLine) load(ticket, work string) {
	if work == "" {
		return
	}
	if l.holder.has(ticket) {
		l.holder.work = work
	} else if n := l.lendings.of[ticket]; n != nil {
		n.work = work
	}
}

// place tells how long the lines are, where a ticket stands, when to look after the line and whether it is settling.
func (s *step) place(ticket string, arrival int64) (count, position int, wake int64, pause int) {
	wake = -1
	for _, l := range s.lines {
		count = max(count, l.waiting.len()+l.parked.len())
		rank, waits := l.waiting.rank(ticket)
		if !waits {
			continue
		}
		position = max(position, rank+1+l.parked.below(arrival))
		pause = max(pause, oneIf(s.settling(l)))
		if rank > 0 {
			continue
		}
		if l.holder != nil {
			wake = max(wake, l.holder.end-s.now)
		} else {
			wake = max(wake, s.opensAt(l)-s.now)
		}
	}
	return count, position, wake, pause
}

func (s *step) leave() []any {
	ticket, status := s.text(0), 0
	for _, l := range s.lines {
		s.reap(l)
		switch _, lent := l.lendings.of[ticket]; {
		case l.holder.has(ticket) && !l.holder.claimed:
			l.holder = nil
		case l.holder.has(ticket) || l.taken.has(ticket):
			status = 2
			continue
		case lent:
			l.drop(ticket)
		default:
			continue
		}
		l.tally(1, 1)
		status = 1
	}
	s.promote()
	return s.answer(status)
}

func (s *step) park() []any {
	ticket, status := s.text(0), 0
	for _, l := range s.lines {
		s.reap(l)
		h, n := l.holder, l.lendings.of[ticket]
		switch {
		case h.has(ticket) && h.claimed || l.taken.has(ticket):
			status = 2
		case h.has(ticket):
			l.parked.add(ticket, h.arrival)
			l.lendings.lend(ticket, s.desk, s.after(1)).work = h.work
			l.holder = nil
			status = 1
		case n != nil:
			l.parked.add(ticket, max(l.waiting.at[ticket], l.parked.at[ticket]))
			l.waiting.remove(ticket)
			l.lendings.lend(ticket, s.desk, s.after(1))
			status = 1
		}
	}
	s.promote()
	return s.answer(status)
}

func (s *step) beat() []any {
	tickets := s.own[3:]
	marks := make([]byte, len(tickets))
	for _, l := range s.lines {
		s.witness(l, s.whole(1), s.whole(2))
		s.look(l, tickets, marks)
		s.reap(l)
	}
	if len(s.lines) > 1 { // gone from one of its lines, it is gone from all
		for i, mark := range marks {
			if mark == 'g' {
				for _, l := range s.lines {
					l.drop(text(tickets[i]))
				}
			}
		}
	}
	s.promote()
	wake, closed, reason := int64(-1), int64(0), ""
	for _, l := range s.lines {
		till := s.opensAt(l)
		if l.holder != nil {
			till = l.holder.end
		}
		if head, any := l.waiting.head(); any && l.lendings.of[head.ticket] != nil && till > s.now {
			wake = max(wake, till-s.now)
		}
		if l.closed > closed {
			closed, reason = l.closed, l.reason
		}
	}
	return s.answer(1, string(marks), wake, closed, reason)
}

// look refreshes the tickets of a beat in one line and marks what became of each.
func (s *step) look(l *localLine, tickets []any, marks []byte) {
	lost := byte('g')
	if s.settling(l) {
		lost = 'l'
	}
	for i, v := range tickets {
		ticket, mark := text(v), lost
		n := l.lendings.of[ticket]
		if h := l.holder; h.has(ticket) && h.desk == s.desk && h.end > s.now {
			mark = 'h'
		} else if n != nil {
			mark = 'w'
		}
		if n != nil {
			n.deadline = max(n.deadline, s.after(0)) // a parked ticket lives longer
		}
		if marks[i] == 0 || mark == 'g' || marks[i] != 'g' && mark == 'l' {
			marks[i] = mark
		}
	}
}

func (s *step) restore() []any {
	const fields = 3
	if !s.settling(s.first()) {
		return s.answer(0)
	}
	for _, l := range s.lines {
		for i := 1; i+fields <= len(s.own); i += fields {
			ticket, arrival := s.text(i), s.whole(i+1)
			s.counter = max(s.counter, arrival)
			if l.lendings.of[ticket] == nil {
				l.waiting.add(ticket, arrival)
				l.lendings.lend(ticket, s.desk, s.after(0)).work = s.text(i + 2)
			}
		}
	}
	return s.answer(1)
}

func (s *step) close() []any {
	l := s.first()
	if l.closeRequest == s.request {
		return s.answer(1, l.closeCount, l.staying())
	}
	s.reap(l)
	s.promote()
	count, desks, kept := int64(l.waiting.len()+l.parked.len()), l.lendings.desks(), newLendings()
	stay := make(map[string][]string)
	for _, t := range l.taken.order {
		if n := l.lendings.of[t.ticket]; n != nil {
			kept.lend(t.ticket, n.desk, n.deadline).work = n.work
			stay[n.desk] = append(stay[n.desk], t.ticket)
		}
	}
	l.waiting, l.parked, l.lendings = queue{}, queue{}, kept
	l.closed, l.reason, l.closeRequest, l.closeCount = s.now, s.text(0), s.request, count
	for _, desk := range desks {
		s.publish(desk, message{Kind: "closed", Reason: l.reason, Stay: stay[desk]})
	}
	return s.answer(1, count, l.staying())
}

// staying lists the tickets that are served along and lent at the line's own desk.
func (l *localLine) staying() []any {
	own := []any{}
	for _, t := range l.taken.order {
		if n := l.lendings.of[t.ticket]; n != nil && n.desk == l.name {
			own = append(own, t.ticket)
		}
	}
	return own
}

func (s *step) state() []any {
	read := make([]any, len(s.lines))
	for i, l := range s.lines {
		held, lasted, size := 0, int64(0), 0
		if h := l.holder; h != nil && h.end > s.now {
			held, lasted, size = 1, s.now-h.acquired, 1+l.taken.len()
		}
		order, ahead := make([]any, l.waiting.len()), make([]any, l.parked.len())
		for k, t := range l.waiting.order {
			order[k] = t.ticket
		}
		for k, t := range l.parked.order {
			ahead[k] = int64(l.waiting.below(t.arrival))
		}
		read[i] = []any{
			int64(held), lasted, int64(size), l.pace, l.share, order, ahead, int64(oneIf(s.settling(l))),
		}
	}
	return read
}
