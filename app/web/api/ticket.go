package api

import (
	"context"
	"time"

	"lunchgo/app/lineup"
	"lunchgo/app/receipt"
	"lunchgo/app/refusal"
	"lunchgo/app/reserve"
	"lunchgo/app/waiting"
	"lunchgo/app/web/respond"
)

// place is a ticket's place in its line.
type place struct {
	// People ahead in the line plus one; 1 also while the turn is being served. Only while waiting.
	Position int `json:"position"`
	// People in the line, this one included. Only while waiting.
	WaitingCount int `json:"waitingCount"`
	// Until the result comes, the likeliest time: it lies inside the range. Only while waiting.
	EstimatedSeconds int `json:"estimatedSeconds"`

	// The result hardly comes sooner. Only while waiting, and once this line, or one before it, has shown how fast it
	// moves.
	EstimatedSecondsLow *int `json:"estimatedSecondsLow,omitempty"`
	// The result hardly comes later: 9 of 10 people have it inside the range they were shown. Only with
	// estimatedSecondsLow.
	EstimatedSecondsHigh *int `json:"estimatedSecondsHigh,omitempty"`

	steering
}

func newPlace(s waiting.Status) place {
	position := max(1, s.Position)
	p := place{Position: position, WaitingCount: max(position, s.Count), EstimatedSeconds: int(s.Estimate.Seconds()),
		steering: newSteering(s.Steering)}
	if p.OpensAt != nil {
		p.EstimatedSeconds += int(time.Until(*p.OpensAt).Seconds())
	}
	if s.RangeKnown {
		low, high := int(s.Range.Low.Seconds()), int(s.Range.High.Seconds())
		p.EstimatedSecondsLow, p.EstimatedSecondsHigh = &low, &high
	}
	return p
}

// waitingTicket is what the problem "waiting" adds: the ticket and its place.
type waitingTicket struct {
	Ticket string `json:"ticket"` // the place in the line, for waiting
	place
}

// ticket is a ticket as the API shows it: its place while it waits, and then what came of it. One that was
// rejected carries the members of the problem that answers a request at once.
type ticket struct {
	// Signed; only its diner can use it. It carries the place, so keep the newest.
	Ticket string        `json:"ticket"`
	State  waiting.State `json:"state"`
	// Why it was rejected, or left. The ticket then has the members that the problem of this code has.
	Code string `json:"code,omitempty"`
	// While waiting, why the line is paused, in the restaurant's words; of a ticket refused with too_many_holds,
	// which limit that is.
	Reason string `json:"reason,omitempty"`

	// Once in each stream of a ticket that waits; at any time from /api/tickets/{ticket}/receipt.
	Receipt *receipt.Receipt `json:"receipt,omitempty"`

	*place
	details
}

// newTicket is the ticket that a watch looks at, with its status.
func (a *API) newTicket(ctx context.Context, watch *waiting.Watch, status waiting.Status) ticket {
	t := ticket{Ticket: watch.Token(), State: status.State}
	if status.State == waiting.Waiting {
		p := newPlace(status)
		t.place, t.Reason = &p, status.Steering.Reason
		return t
	}
	if why, refused := respond.ProblemOfResult(status.Result); refused {
		t.Code, t.details = why.Code, a.detailsOf(ctx, watch, why)
		t.Reason = string(t.details.Reason)
		return t
	}
	t.ReservationID, t.ClaimID = status.Result.ReservationID, status.Result.ClaimID
	return t
}

// detailsOf are what the problem of a refused ticket carries, with open slots near the one that it is for where
// another slot would help.
func (a *API) detailsOf(ctx context.Context, watch *waiting.Watch, why respond.Problem) details {
	d := newDetails(why)
	if isClaim(watch) {
		d.Remaining, d.OnHold = nil, nil // count seats
		return d
	}
	asked, ok := watch.OriginalRequest()
	if !ok || !why.Alternatives {
		return d
	}
	near, err := a.near(ctx, asked)
	if err == nil { // a refusal without alternatives beats none
		d.Alternatives = newSlots(near)
	}
	d.TakenBy = a.holdersOf(ctx, asked, d.TakenSeatIDs)
	return d
}

func (a *API) near(ctx context.Context, asked waiting.Request) ([]reserve.Slot, error) {
	request, err := lineup.BookingOf(asked)
	if err != nil {
		return nil, err
	}
	r, err := a.Bookings.Catalog.FindRestaurant(ctx, request.Slot.RestaurantID)
	if err != nil {
		return nil, err
	}
	return a.nearby.List(ctx, r, request.Slot, r.Elsewhere(request.Slot, request.PartySize, r.MinutesOf(request)))
}

// isClaim says whether a ticket is for a coupon, and not for a table.
func isClaim(watch *waiting.Watch) bool {
	asked, ok := watch.OriginalRequest()
	if !ok {
		return false
	}
	_, claims := lineup.CampaignOf(asked.Line)
	return claims
}

// When a program asks again: soonPoll at the head of the line, and far from it a random pause with a mean of
// latePoll, since everybody there waits for the same turn.
const (
	soonPoll = time.Second
	latePoll = 4 * time.Second
)

func pollAfter(s waiting.Status) time.Duration {
	if s.Reconnect {
		return respond.RandomPause(refusal.UsualPause, time.Second)
	}
	return min(max(s.Estimate, soonPoll), respond.RandomPause(latePoll, time.Second))
}
