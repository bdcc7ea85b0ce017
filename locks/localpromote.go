package locks

import (
	"math"
	"strconv"
)

// reapSize bounds the dead that one look buries.
const reapSize = 100

// What reap.lua has.

// drop takes tickets out of everything but the turn.
func (l *localLine) drop(tickets ...string) {
	for _, ticket := range tickets {
		l.waiting.remove(ticket)
		l.taken.remove(ticket)
		l.parked.remove(ticket)
		delete(l.lendings.of, ticket)
	}
}

// tally moves the share of tickets that go unserved.
func (l *localLine) tally(left float64, n int64) {
	share, _ := strconv.ParseFloat(l.share, 64) // written below, or "0"
	change := float64((share - left) * math.Pow(0.98, float64(n)))
	l.share = strconv.FormatFloat(left+change, 'f', 6, 64)
}

func (s *step) bury(l *localLine) {
	dead := l.lendings.dead(s.now, reapSize)
	if len(dead) == 0 {
		return
	}
	s.reaped += len(dead)
	l.tally(1, int64(len(dead)))
	l.drop(dead...)
}

// standAgain puts those whom the holder served along where they stood, and ends the turn.
func (l *localLine) standAgain() {
	for _, t := range l.taken.order {
		l.waiting.add(t.ticket, t.arrival)
	}
	l.taken, l.holder = queue{}, nil
}

func (s *step) reap(l *localLine) {
	if h := l.holder; h != nil && h.end <= s.now {
		s.lapsed = 2 - oneIf(h.claimed)
		l.standAgain()
	}
	s.bury(l)
}

func (s *step) witness(l *localLine, known, while int64) {
	if l.born == 0 {
		l.born = s.now
	}
	if till := l.born + while; known != 0 && known < l.born && till > s.now {
		l.until = till
	}
}

// What promote.lua has.

func (s *step) seat(l *localLine, head spot, desk string, fence int64) (here bool) {
	work := l.lendings.of[head.ticket].work
	l.waiting.remove(head.ticket)
	delete(l.lendings.of, head.ticket)
	here = desk == s.desk
	l.holder = &holding{
		ticket: head.ticket, desk: desk, work: work, fence: fence, arrival: head.arrival,
		acquired: s.now, end: s.now + s.claimWindow, claimed: here,
	}
	if here {
		s.turn = []any{head.ticket, number(fence), number(head.arrival), s.now, s.claimWindow, 1}
	}
	return here
}

func (s *step) promoteLine(l *localLine) {
	if l.holder != nil || s.settling(l) {
		return
	}
	for {
		head, any := l.waiting.head()
		if !any {
			return
		}
		n := l.lendings.of[head.ticket]
		switch {
		case n == nil || n.deadline <= s.now:
			s.bury(l)
			if l.waiting.remove(head.ticket) {
				l.drop(head.ticket)
			}
			continue
		case n.desk == l.name:
			l.ready = "" // it may get ready again after this turn
			desk, fence := n.desk, s.draw()
			if !s.seat(l, head, desk, fence) {
				s.publish(desk, message{Kind: "granted", Ticket: head.ticket, Fence: fence})
			}
		case n.desk != s.desk && l.ready != head.ticket:
			l.ready = head.ticket
			s.publish(n.desk, message{Kind: "ready", Ticket: head.ticket})
		}
		return
	}
}

// unite gives all lines of a joint desk to one ticket, or none.
func (s *step) unite() {
	first, any := s.first().waiting.head()
	if n := s.first().lendings.of[first.ticket]; !any || n == nil || n.desk != s.desk {
		return
	}
	for _, l := range s.lines {
		head, any := l.waiting.head()
		if !any || head.ticket != first.ticket || l.holder != nil || s.settling(l) {
			return
		}
	}
	fence := s.draw()
	for _, l := range s.lines {
		l.ready = ""
		s.seat(l, first, s.desk, fence)
	}
}

func (s *step) promote() {
	for _, l := range s.lines {
		s.promoteLine(l)
	}
	if len(s.lines) > 1 {
		s.unite()
	}
}

// answer is what every operation returns; a turn of the calling desk that it learns of here is claimed by that.
func (s *step) answer(status int, rest ...any) []any {
	turn := s.turn
	if h := s.first().holder; turn == nil && h != nil && h.desk == s.desk {
		if !h.claimed {
			for _, l := range s.lines {
				if l.holder != nil && l.holder.fence == h.fence {
					l.holder.claimed, l.holder.end = true, s.now+s.claimWindow
				}
			}
		}
		turn = []any{h.ticket, number(h.fence), number(h.arrival), number(h.acquired), h.end - s.now, 0}
	}
	if turn == nil {
		turn = []any{}
	}
	return append([]any{int64(status), s.now, int64(s.reaped), int64(s.lapsed), turn}, rest...)
}
