package locks

import "math"

// maxTaken bounds the tickets of a turn, as take.lua does.
const maxTaken = 2000

// The operations on turns: hold, take, release, return, evict.

func (s *step) hold() []any {
	ticket, fence, lease, longest := s.text(0), s.whole(1), s.whole(2), s.whole(3)
	held, last := true, int64(math.MaxInt64)
	for _, l := range s.lines {
		s.reap(l)
		held = held && l.holder.is(ticket, fence)
		if held {
			last = l.holder.acquired + longest
		}
	}
	for _, l := range s.lines {
		if held {
			l.holder.claimed, l.holder.end = true, min(s.now+lease, last)
		}
	}
	s.promote()
	return s.answer(oneIf(held))
}

func (s *step) take() []any {
	ticket, fence, most := s.text(0), s.whole(1), s.whole(2)
	l := s.first()
	s.reap(l)
	h := l.holder
	if !h.is(ticket, fence) {
		s.promote()
		return s.answer(0, []any{})
	}
	if h.takeRequest == s.request {
		return s.answer(1, l.along(h.takeNames))
	}
	var names []string
	most = max(min(most, maxTaken-int64(l.taken.len()), int64(l.waiting.len())), 0)
	for _, t := range l.waiting.order[:most] {
		n := l.lendings.of[t.ticket]
		if n == nil || n.desk != l.name {
			break
		}
		if n.deadline > s.now {
			names = append(names, t.ticket)
		}
	}
	for _, name := range names {
		l.taken.add(name, l.waiting.at[name])
		l.waiting.remove(name)
	}
	if len(names) > 0 {
		h.takeRequest, h.takeNames = s.request, names
	}
	return s.answer(1, l.along(names))
}

// along lists tickets that are taken along as take answers them.
func (l *localLine) along(names []string) []any {
	run := []any{}
	for _, name := range names {
		if arrival, in := l.taken.at[name]; in {
			run = append(run, name, number(arrival), int64(0), "")
		}
	}
	return run
}

func (s *step) release() []any {
	ticket, fence, served := s.text(0), s.whole(1), s.whole(2)
	status, held := 0, int64(0)
	for _, l := range s.lines {
		h := l.holder
		switch {
		case h.is(ticket, fence):
			status, held = 1, s.now-h.acquired
			for _, t := range l.taken.order {
				delete(l.lendings.of, t.ticket)
			}
			l.taken, l.holder, l.released = queue{}, nil, fence
			if served > 0 {
				l.measure(held, served)
			}
			s.bury(l)
			continue
		case l.released == fence && fence != 0:
			status = max(status, 2)
		}
		s.reap(l)
	}
	s.promote()
	return s.answer(status, held)
}

// measure moves the average of the time that a served ticket takes.
func (l *localLine) measure(held, served int64) {
	each := float64(held) / float64(served)
	pace := each
	if l.paced {
		pace = float64(l.pace)
	}
	l.pace, l.paced = rounded(float64(pace*0.8)+float64(each*0.2)), true
	l.tally(0, served)
}

// giveBack is the operation return.
func (s *step) giveBack() []any {
	ticket, fence, status := s.text(0), s.whole(1), 0
	for _, l := range s.lines {
		h := l.holder
		switch {
		case h.is(ticket, fence):
			l.waiting.add(ticket, h.arrival)
			l.lendings.lend(ticket, h.desk, s.after(2)).work = h.work
			l.standAgain()
			l.released = fence
			status = 1
		case status == 0 && l.released == fence && fence != 0:
			status = 2
		}
		s.reap(l)
	}
	s.promote()
	return s.answer(status)
}

func (s *step) evict() []any {
	l := s.first()
	if l.evictRequest != s.request {
		s.reap(l)
		h := l.holder
		l.evictRequest, l.evicted = s.request, spot{}
		if h != nil {
			l.evicted = spot{h.fence, h.ticket}
			l.standAgain()
			if h.desk != s.desk {
				s.publish(h.desk, message{Kind: "evicted", Ticket: h.ticket, Fence: h.fence})
			}
		}
		s.promote()
	}
	return s.answer(oneIf(l.evicted.ticket != ""), l.evicted.ticket, l.evicted.arrival)
}
