package locks

import "context"

// takenFields is how many values take.lua answers for each ticket.
const takenFields = 4

// Take adds up to n (at most 256, and 2,000 a turn) further tickets to the turn, from the head of the line on, and
// returns them in arrival order: those that this node owns, and others whose Entry.Work is known, be their nodes alive
// or dead. It stops at the first ticket that cannot be served here, and at one of another line: a joint turn takes
// tickets of the same joint line, as long as they are first in all its lines. They are served in this turn: Release
// ends their place too. If the turn is lost instead, they go back to their places, and so do those that Redis took
// along in a call whose answer was lost. Returns ErrStale if the turn is over.
func (t *heldTurn) Take(ctx context.Context, n int) ([]Taken, error) {
	if n <= 0 {
		return nil, nil
	}
	s, err := t.line.client.session(t.line)
	if err != nil {
		return nil, err
	}
	defer s.client.endUse(s)
	r, err := s.call(ctx, opTake, t.ticket, t.fence, min(n, maxTake))
	if err != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		t.unsure = true
		return nil, err
	}
	if r.status == 0 {
		s.observe(StaleFence, 1)
		return nil, ErrStale
	}
	return s.take(t, r), nil
}

// Alone reports whether nobody else stands in the line as far as this node knows, so that Take would take nobody. It does
// not know whom another node has let in since the turn was granted.
func (t *heldTurn) Alone() bool {
	s, err := t.line.client.session(t.line)
	if err != nil {
		return false
	}
	defer s.client.endUse(s)
	s.mu.Lock()
	defer s.mu.Unlock()
	return t.alone && len(s.tickets) == 1 && s.current == t
}

// take notes on the session who is served in the turn.
func (s *session) take(t *heldTurn, r reply) []Taken {
	if len(r.rest) == 0 {
		return nil
	}
	run, _ := r.rest[0].([]any)
	var out []Taken
	s.mu.Lock()
	defer s.mu.Unlock()
	for ; len(run) >= takenFields; run = run[takenFields:] {
		taken := Taken{Ticket: text(run[0]), Arrival: integer(run[1]), Foreign: integer(run[2]) == 1,
			Work: text(run[3])}
		switch {
		case taken.Foreign:
			t.foreign[taken.Ticket] = true
		case s.current == t:
			t.party = append(t.party, taken.Ticket)
			// Else it left, or another node adopted it while the answer was on its way: the caller knows which.
			if e := s.tickets[taken.Ticket]; e != nil {
				e.turn, e.servedElsewhere, e.knownAt = t, false, max(e.knownAt, r.now)
			}
		}
		out = append(out, taken)
	}
	return out
}
