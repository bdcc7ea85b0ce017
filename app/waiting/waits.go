package waiting

import (
	"context"
	"time"

	"lunchgo/locks"
)

// Wait is a place in a line, as its person sees it from outside the line.
type Wait struct {
	Token     string // signed
	Line      locks.Name
	Position  int // 1 is next; 0 while the turn is being served, while places are drawn, and when this process does not know
	Count     int // how many wait in the line; 0 when this process does not know
	EnteredAt time.Time
	Request   Request
}

// Waits returns where a person waits, in all lines and processes, the oldest first. While Redis is away it returns what
// this process knows.
func (r *Room) Waits(ctx context.Context, userID string) ([]Wait, error) {
	tickets, err := r.store.list(ctx, userID)
	if locks.IsAway(err) {
		tickets, err = r.listLocal(userID), nil
	}
	var waits []Wait
	for _, rec := range tickets {
		if rec.Result == nil {
			waits = r.appendWait(waits, rec)
		}
	}
	return waits, err
}

// appendWait appends the place of a ticket that has no stored result, unless this process knows the result.
func (r *Room) appendWait(waits []Wait, rec storedTicket) []Wait {
	token := Token{Line: rec.Request.Line, Ticket: rec.Ticket, UserID: rec.Request.UserID}
	w := Wait{Line: rec.Request.Line, EnteredAt: rec.enteredAt(), Request: rec.Request}
	if q := r.queueOf(rec.Request.Line); q != nil {
		q.mu.Lock()
		defer q.mu.Unlock()
		if _, over := q.pending[rec.Ticket]; over {
			return waits
		}
		if t := q.tickets[rec.Ticket]; t != nil {
			token.Arrival = q.place(t.arrival)
		}
		if w.Position = q.everyone[rec.Ticket]; w.Position == 0 {
			w.Position = q.positions[rec.Ticket].number
		}
		if q.steering.Draws(time.Now()) {
			w.Position = 0
		}
		w.Count = q.progress.Count
	}
	w.Token = r.signer.Sign(token)
	return append(waits, w)
}

// listLocal returns a person's tickets of this process.
func (r *Room) listLocal(userID string) []storedTicket {
	r.mu.Lock()
	defer r.mu.Unlock()
	var tickets []storedTicket
	for _, q := range r.queues { // in any order
		tickets = append(tickets, q.ticketsOf(userID)...)
	}
	return tickets
}

func (q *queue) ticketsOf(userID string) []storedTicket {
	q.mu.Lock()
	defer q.mu.Unlock()
	var tickets []storedTicket
	for _, t := range q.tickets { // in any order
		if t.request.UserID == userID {
			tickets = append(tickets, t.record())
		}
	}
	return tickets
}
