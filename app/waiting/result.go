package waiting

import (
	"context"
	"encoding/json"
	"log/slog"

	"lunchgo/app/refusal"
	"lunchgo/app/telemetry"
	"lunchgo/locks"
)

// State is where a ticket stands.
type State string

// The states of a ticket. All but Waiting are final.
const (
	Waiting  State = "waiting"
	Reserved State = "reserved" // the request came true
	Rejected State = "rejected" // it did not; Code says why
	Left     State = "left"     // the diner left the line
)

// Result is the final answer to a request. It is stored with the ticket for browsers that come back.
type Result struct {
	State         State  `json:"state"`
	Code          string `json:"code,omitempty"`
	ReservationID string `json:"reservationId,omitempty"`
	ClaimID       string `json:"claimId,omitempty"`   // of a coupon
	Changed       bool   `json:"changed,omitempty"`   // the request was to change the reservation
	Confirmed     bool   `json:"confirmed,omitempty"` // the new reservation has nothing to pay
	Remaining     int    `json:"remaining,omitempty"` // seats left when it was refused
	OnHold        int    `json:"onHold,omitempty"`    // seats that wait for payment and may return
	Unseen        bool   `json:"unseen,omitempty"`    // nobody watched for it here when the turn came
	Detail        string `json:"detail,omitempty"`    // what else the Handler says of it, as it wrote that
}

// ticketResult is the result of one ticket.
type ticketResult struct {
	ticket  string
	request Request
	arrival int64 // 0 when it is not known here
	result  Result
}

// record returns what Redis stores of the ticket.
func (r ticketResult) record(handler Handler) storedTicket {
	return storedTicket{Ticket: r.ticket, Request: r.request.settled(handler), Arrival: r.arrival, Result: &r.result}
}

// pushedResult reads a result that came through the line: the reason given to CloseLine, or the result
// of a turn in another process.
func pushedResult(pushed string) Result {
	var result Result
	if err := json.Unmarshal([]byte(pushed), &result); err != nil || result.State == "" {
		return refusedAs(refusal.Unavailable)
	}
	return result
}

// storeResults stores results and frees their persons for other requests. It returns the results that
// count.
func (r *Room) storeResults(ctx context.Context, line locks.Name, results []ticketResult, how ending) []ticketResult {
	return r.finishStoring(ctx, line, r.store.settlement(results, how))
}

// finishStoring is storeResults for results of which some may have been sent already.
func (r *Room) finishStoring(ctx context.Context, line locks.Name, s *settlement) []ticketResult {
	if len(s.results) == 0 {
		return nil
	}
	stored, err := s.finish(ctx)
	if err == nil {
		r.tallies.count(line, storedAsGiven(s.results, stored))
		return stored
	}
	r.tallies.count(line, s.results)
	r.cfg.Log.WarnContext(ctx, "store results failed; will retry", "line", line, "tickets", len(s.results), "error", err)
	if q := r.queueOf(line); q != nil {
		q.postpone(s.results, s.how)
	}
	return s.results
}

// finishUnserved ends tickets that got no turn: it stores and publishes their results. A result of a
// turn elsewhere counts more.
func (r *Room) finishUnserved(ctx context.Context, line locks.Name, results []ticketResult) {
	r.publish(line, r.storeResults(ctx, line, results, unserved))
}

// publish gives results to those who watch in this process.
func (r *Room) publish(line locks.Name, results []ticketResult) {
	r.logAnswers(line, results)
	if q := r.queueOf(line); q != nil {
		q.publish(results)
	}
}

// logAnswers writes a line for each ticket that this process answers, with the id of the request that made it: what
// joins the press at one instance to the turn at another.
func (r *Room) logAnswers(line locks.Name, results []ticketResult) {
	if !r.cfg.Log.Enabled(context.Background(), slog.LevelDebug) {
		return
	}
	for _, of := range results {
		r.cfg.Log.DebugContext(telemetry.WithTicket(context.Background(), of.request.RequestID, of.ticket),
			"a ticket is answered", "line", line, "state", of.result.State, "code", of.result.Code)
	}
}

// publish gives results to the tickets' watchers; the tickets leave the queue.
func (q *queue) publish(results []ticketResult) {
	var seen []Result
	q.mu.Lock()
	for _, r := range results {
		if t := q.tickets[r.ticket]; t != nil {
			t.result = r.result
			q.judge(t, r.result)
			close(t.done)
			delete(q.tickets, r.ticket)
			delete(q.positions, r.ticket)
			if t.watchers > 0 {
				seen = append(seen, r.result)
			}
		}
	}
	q.mu.Unlock()
	q.room.noteSeen(seen...)
}
