package api

import (
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/waiting"
	"lunchgo/app/web/respond"
)

// codeWaiting is the code of the problem that says: you stand in line.
const codeWaiting = "waiting"

// place is where a ticket stands in its line.
type place struct {
	Position         int `json:"position"` // people ahead plus one; 0 while the turn is being served
	WaitingCount     int `json:"waitingCount"`
	EstimatedSeconds int `json:"estimatedSeconds"`
}

func newPlace(s waiting.Status) place {
	return place{Position: s.Position, WaitingCount: s.Count, EstimatedSeconds: int(s.Estimate.Seconds())}
}

// waitingTicket is what the problem "waiting" adds: the ticket and its place.
type waitingTicket struct {
	Ticket string `json:"ticket"`
	place
}

// ticket is a ticket as the API tells it: its place while it waits, and then what came of it.
type ticket struct {
	Ticket string        `json:"ticket"`
	State  waiting.State `json:"state"`

	*place

	ReservationID string `json:"reservationId,omitempty"`
	ClaimID       string `json:"claimId,omitempty"`   // of a coupon
	Code          string `json:"code,omitempty"`      // why it was rejected
	Remaining     *int   `json:"remaining,omitempty"` // seats left, for sold_out
	OnHold        *int   `json:"onHold,omitempty"`    // seats that may return, for sold_out

	Items []booking.Shortage `json:"items,omitempty"` // of which less is left than was ordered, for out_of_stock
}

func newTicket(pass string, s waiting.Status) ticket {
	t := ticket{Ticket: pass, State: s.State, ReservationID: s.Result.ReservationID,
		ClaimID: s.Result.ClaimID, Code: s.Result.Code,
		Items: waiting.Shortages(s.Result)}
	if s.State == waiting.Waiting {
		p := newPlace(s)
		t.place = &p
	}
	if s.Result.Code == waiting.CodeSoldOut {
		t.Remaining, t.OnHold = &s.Result.Remaining, &s.Result.OnHold
	}
	return t
}

// When a program asks again: soonPoll at the head of the line, and far from it a random pause with a mean of latePoll, since
// everybody there waits for the same turn. The longest pause, 5 s, keeps a program present in the waiting room, which takes
// whoever has not been seen for 10 s for away.
const (
	soonPoll = time.Second
	latePoll = 4 * time.Second
)

func pollAfter(s waiting.Status) time.Duration {
	if s.Reconnect {
		return respond.RandomPause(respond.UsualPause, time.Second)
	}
	return min(max(s.Estimate, soonPoll), respond.RandomPause(latePoll, time.Second))
}
