package waiting

import (
	"context"
	"slices"
	"time"

	"lunchgo/locks"
)

// settledTogether is how many tickets of a closed line get their results in one round trip.
const settledTogether = 512

// departure is the news that a ticket is no longer in its line.
type departure struct {
	ticket string
	why    locks.Departure
}

// noteDeparture leaves a departure to the refresh loop: the line must not wait for it.
func (q *queue) noteDeparture(ticket string, why locks.Departure) {
	q.mu.Lock()
	q.departed = append(q.departed, departure{ticket, why})
	q.mu.Unlock()
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// settleDepartures ends the tickets of a closed line and those that another process served. It puts
// those back that were lost, or that need no seat, and notes which ones another process has adopted.
func (q *queue) settleDepartures(ctx context.Context) {
	q.mu.Lock()
	batch := q.departed
	q.departed = nil
	var closed, fellOut, served []ticketResult
	var lost []*localTicket
	for _, d := range batch {
		t := q.tickets[d.ticket]
		switch {
		case t == nil:
		case d.why.Cause == locks.Closed && t.request.HoldsSeats:
			lost = append(lost, t)
		case d.why.Cause == locks.Closed && t.fellOut:
			fellOut = append(fellOut, t.with(pushedResult(d.why.Reason)))
		case d.why.Cause == locks.Closed:
			closed = append(closed, t.with(pushedResult(d.why.Reason)))
		case d.why.Cause == locks.Served && d.why.Result != "":
			served = append(served, t.with(pushedResult(d.why.Result)))
		case d.why.Cause == locks.Reaped:
			lost = append(lost, t)
		case d.why.Cause == locks.Adopted:
			t.goneSince, t.adopted, t.adoptedAt = time.Now(), true, time.Now()
		default:
			t.goneSince = time.Now()
		}
	}
	q.mu.Unlock()

	q.publish(served) // the process that served them has stored the results
	for part := range slices.Chunk(closed, settledTogether) {
		q.room.finishUnserved(ctx, q.name, q.withEarlier(ctx, part, false))
	}
	for part := range slices.Chunk(fellOut, settledTogether) {
		q.room.finishUnserved(ctx, q.name, q.withEarlier(ctx, part, true))
	}
	for _, t := range lost {
		q.reenter(ctx, t)
	}
}

// publishStored publishes the result of a ticket, and says whether one is stored.
func (q *queue) publishStored(ctx context.Context, t *localTicket) bool {
	rec, err := q.room.store.find(ctx, Token{Ticket: t.id, UserID: t.request.UserID})
	if err != nil || rec.Result == nil {
		return false
	}
	q.publish([]ticketResult{t.with(*rec.Result)})
	return true
}
