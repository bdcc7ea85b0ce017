package locks

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"
	"unicode/utf8"
)

// groupSize bounds the tickets that enter in one call, so that none keeps Redis busy for long.
const groupSize = 256

// entering is a ticket on its way into the line.
type entering struct {
	Entry
	ctx    context.Context
	local  *localTicket
	left   bool          // its caller waits no more; guarded by the session's mu
	done   chan struct{} // closed when what follows is set
	place  Place
	failed error
}

// enter puts a ticket into the line and on this session; waiter, if not nil, gets its turn. What comes while a call is
// under way goes together in the next one.
func (s *session) enter(ctx context.Context, in Entry, w *waiter) (Place, error) {
	if in.Ticket == "" || len(in.Ticket) > maxTicket || !utf8.ValidString(in.Ticket) || in.Arrival < 0 ||
		!utf8.ValidString(in.Work) || in.Lot < 0 || in.Lot >= LotsBelow {
		return Place{}, fmt.Errorf("line %s: %w", s.name, ErrBadEntry)
	}
	one := &entering{Entry: in, ctx: ctx, done: make(chan struct{})}
	s.mu.Lock()
	one.local = s.beginEnter(in.Ticket, w) // first, because the grant may be here before the answer
	s.arriving = append(s.arriving, one)
	first := !s.sending
	s.sending = true
	s.mu.Unlock()
	if first {
		s.enterGroup()
	}
	select {
	case <-one.done:
		return one.place, one.failed
	case <-ctx.Done():
	}
	s.mu.Lock()
	one.left = true
	s.mu.Unlock()
	select {
	case <-one.done:
		return one.place, one.failed
	default:
		return Place{}, ctx.Err()
	}
}

// enterGroup enters those who have arrived, and leaves those who arrive meanwhile to a goroutine.
func (s *session) enterGroup() {
	s.mu.Lock()
	group := s.nextGroup()
	s.mu.Unlock()
	if len(group) > 0 {
		s.sendGroup(group)
	}
	s.mu.Lock()
	s.sending = len(s.arriving) > 0
	more := s.sending
	s.mu.Unlock()
	if more && !s.client.spawn(s.line, (*session).enterGroup) {
		s.refuseArriving()
	}
}

// nextGroup takes those who enter together: no ticket twice, and nobody whose caller has gone. Holds mu.
func (s *session) nextGroup() []*entering {
	var group, later []*entering
	in := map[string]bool{}
	for _, one := range s.arriving {
		switch {
		case one.left:
			s.forgetEntering(one)
		case len(group) == groupSize || in[one.Ticket]:
			later = append(later, one)
		default:
			in[one.Ticket] = true
			group = append(group, one)
		}
	}
	s.arriving = later
	return group
}

// refuseArriving lets go of those who came while the client was closed.
func (s *session) refuseArriving() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range s.arriving {
		s.forgetEntering(one)
		one.failed = ErrClientClosed
		close(one.done)
	}
	s.arriving, s.sending = nil, false
}

// How many values enter.lua takes, and answers, for each ticket.
const (
	entryFields = 4
	placeFields = 5
)

// sendGroup enters a group in one call.
func (s *session) sendGroup(group []*entering) {
	waiting := make([]context.Context, len(group))
	for i, one := range group {
		waiting[i] = one.ctx
	}
	ctx, cancel := jointContext(waiting)
	defer cancel()
	known := s.knownArrival()
	args := make([]any, 1, 1+entryFields*len(group))
	for _, one := range group {
		if one.Work != "" {
			s.answerFor(ctx)
		}
		known = max(known, one.Arrival)
		args = append(args, one.Ticket, one.number(), one.Work, commitment(one.Ticket))
	}
	args[0] = known
	r, err := s.call(ctx, opEnter, args...)
	states := r.list(0)
	if err == nil && len(states) != placeFields*len(group) {
		err = fmt.Errorf("line %s: unexpected answer %v", s.name, r.rest)
	}
	s.endEnter(group, states, r, err)
}

// number is what enter.lua gets as a ticket's number.
func (in Entry) number() any {
	if in.Arrival == 0 && in.Lot > 0 {
		return fmt.Sprintf("lot %d %d", in.Lot, in.LotUntil.UnixMicro())
	}
	return in.Arrival
}

// commitment stands for a ticket in the line's log.
func commitment(ticket string) string {
	sum := sha256.Sum256([]byte(ticket))
	return hex.EncodeToString(sum[:16])
}

// beginEnter notes a ticket that is about to enter. Holds mu.
func (s *session) beginEnter(ticket string, w *waiter) *localTicket {
	e := s.tickets[ticket]
	if e == nil {
		e = &localTicket{ticket: ticket}
		s.tickets[ticket] = e
	}
	e.entering++
	if w != nil {
		e.waiter = w
		if e.turn != nil && s.withdraw(e.turn) {
			s.handOver(e)
		}
	}
	return e
}

// forgetEntering notes that a ticket does not enter after all. Holds mu.
func (s *session) forgetEntering(one *entering) {
	e := one.local
	if e.entering--; e.knownAt == 0 && e.turn == nil && e.entering == 0 && s.tickets[e.ticket] == e {
		delete(s.tickets, e.ticket)
	}
}

// endEnter notes what Redis answered to a group. Messages and other calls may have brought later news in the
// meantime: Redis' clock in the answer decides.
func (s *session) endEnter(group []*entering, states []any, r reply, err error) {
	var out []notification
	s.mu.Lock()
	for i, one := range group {
		if err != nil {
			one.failed = err
		} else if place := s.readPlace(one.Ticket, states[placeFields*i:], r); place == nil {
			one.failed = fmt.Errorf("line %s: %w: arrival number lies in the future", s.name, ErrBadEntry)
		} else {
			one.place = *place
		}
		if one.failed != nil || one.left {
			s.forgetEntering(one)
			continue
		}
		one.local.entering--
		if e := one.local; e.goneAt < r.now {
			e.arrival, e.work = one.place.Arrival, cmp.Or(one.Work, e.work)
			out = append(out, s.setPlace(e, one.place, r)...)
		}
	}
	if left := r.integer(2); err == nil && left >= 0 {
		s.scheduleCheck(micros(left))
	}
	s.mu.Unlock()
	s.notify(out)
	s.wakeKeepAlive()
	for _, one := range group {
		close(one.done)
	}
}

// readPlace reads what enter.lua answers for one ticket; nil if its arrival number cannot have been drawn here.
func (s *session) readPlace(ticket string, state []any, r reply) *Place {
	status := integer(state[0])
	if status < 0 {
		return nil
	}
	return &Place{
		Ticket:     ticket,
		Granted:    status == 1,
		Serving:    status == 3,
		Arrival:    integer(state[1]),
		Fence:      integer(state[2]),
		Position:   int(integer(state[3])),
		Count:      int(r.integer(1)),
		Settling:   status == 2 && r.integer(3) == 1,
		Logged:     int(integer(state[4])),
		Local:      r.local,
		ServerTime: time.UnixMicro(r.now),
	}
}

// setPlace notes where a ticket stands. Holds mu.
func (s *session) setPlace(e *localTicket, place Place, r reply) []notification {
	if other := s.tickets[e.ticket]; other != nil && other != e {
		if e.waiter != nil {
			other.waiter = e.waiter
		}
		other.arrival, other.work = e.arrival, e.work
		e = other
	}
	s.tickets[e.ticket] = e
	e.knownAt = max(e.knownAt, r.now)
	if e.turn != nil {
		return nil
	}
	e.servedElsewhere = place.Serving || place.Granted && (r.turn == nil || r.turn.ticket != e.ticket)
	if place.Position > 0 && s.closedAt > e.knownAt {
		return []notification{s.removeTicket(e, s.closedAt, Departure{Cause: Closed, Reason: s.closedReason})}
	}
	return nil
}

// knownArrival is the arrival number of a ticket that stands in the line for all this node knows, 0 if there is none.
// Any will do: it is older than a line that Redis has lost.
func (s *session) knownArrival() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.tickets { // in any order
		if e.arrival > 0 && e.knownAt > 0 {
			return e.arrival
		}
	}
	return 0
}

// settleTime is how long a line that lost its data waits for older tickets: every node has beaten once by then.
func settleTime(cfg Config) time.Duration { return cfg.Beat * 5 / 4 }

// scheduleCheck makes the session check the line when the present turn's lease ends, so that a dead holder is replaced
// within milliseconds. Holds mu.
func (s *session) scheduleCheck(left time.Duration) {
	s.checkAt = s.client.clock().Add(left + time.Millisecond)
	signal(s.wake)
}
