package testkit

import (
	"crypto/rand"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/db/dbtest"
)

// Wanting is a request that takes the place of a reservation as it is now, edited.
func (h *Harness) Wanting(t testing.TB, id string, edit func(*booking.Request)) booking.Request {
	t.Helper()
	r, err := h.Reservations.Find(t.Context(), id)
	dbtest.Must(t, err)
	req := booking.Request{UserID: r.UserID, IdempotencyKey: "key-" + rand.Text(), Ticket: rand.Text(), Slot: r.Slot,
		Stay: r.Stay, PartySize: r.PartySize, Items: r.Items, Note: r.Note, Allergies: r.Allergies,
		CouponID: r.Discount.CouponID, DepositAmount: r.DepositAmount, Policy: h.Restaurant.Policy,
		Change: &booking.Change{ReservationID: id, Number: r.Changes, From: r.Slots(), FromParty: r.PartySize,
			Quoted: 1_000_000}}
	edit(&req)
	return req
}

// Party asks for a party of so many, for 10,000 won each.
func Party(n int) func(*booking.Request) {
	return func(req *booking.Request) { req.PartySize, req.DepositAmount = n, int64(n)*10_000 }
}

// ServeChange serves a change by itself.
func (h *Harness) ServeChange(t testing.TB, req booking.Request) (booking.Outcome, []booking.Occupancy) {
	t.Helper()
	outcomes, after, err := h.Slots.Serve(t.Context(), h.TurnOf(req, 10, 0), []booking.Request{req})
	dbtest.Must(t, err)
	return outcomes[0], after
}

// Change changes a reservation and returns what it is then, and why not if it is not changed.
func (h *Harness) Change(t testing.TB, id string, edit func(*booking.Request)) (booking.Reservation, error) {
	t.Helper()
	out, _ := h.ServeChange(t, h.Wanting(t, id, edit))
	r, err := h.Reservations.Find(t.Context(), id)
	dbtest.Must(t, err)
	return r, out.Err
}
