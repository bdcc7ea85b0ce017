package testkit

import (
	"testing"

	"lunchgo/app/booking"
	"lunchgo/db/dbtest"
)

// WalkIn makes a request of a host one for somebody at the door.
func WalkIn(req booking.Request, state booking.State) booking.Request {
	req.Guest = &booking.Guest{Name: "워크인", Source: booking.WalkIn, State: state}
	return req
}

// OverPlan makes a request of a host one that goes over the plan.
func OverPlan(req booking.Request, party int, seats ...int64) booking.Request {
	req.PartySize, req.SeatIDs, req.Override = party, seats, &booking.Override{Reason: "단골, 30분만"}
	return req
}

// ServeAlone serves a request by itself, in all slots of its stay.
func (h *Harness) ServeAlone(t testing.TB, req booking.Request) booking.Outcome {
	t.Helper()
	outcomes, _, err := h.Slots.Serve(t.Context(), h.TurnOf(req, h.Restaurant.Capacity, 0), []booking.Request{req})
	dbtest.Must(t, err)
	return outcomes[0]
}

// SetFireLimit sets how many people the house holds.
func (h *Harness) SetFireLimit(t testing.TB, limit int) {
	t.Helper()
	h.MustExec(t, `UPDATE restaurants SET fire_limit = $1`, limit)
}
