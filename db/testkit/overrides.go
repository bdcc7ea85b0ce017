package testkit

import (
	"testing"

	"lunchgo/app/booking"
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

// SetFireLimit sets how many people the house holds.
func (h *Harness) SetFireLimit(t testing.TB, limit int) {
	t.Helper()
	h.MustExec(t, `UPDATE restaurants SET fire_limit = $1`, limit)
}
