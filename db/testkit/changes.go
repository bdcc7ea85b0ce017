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

// Change changes a reservation and returns what it is then, and why not if it is not changed.
func (h *Harness) Change(t testing.TB, id string, edit func(*booking.Request)) (booking.Reservation, error) {
	t.Helper()
	out, _ := h.Serve(t, h.Wanting(t, id, edit))
	r, err := h.Reservations.Find(t.Context(), id)
	dbtest.Must(t, err)
	return r, out.Err
}
