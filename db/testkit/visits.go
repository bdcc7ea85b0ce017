package testkit

import (
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/reviews"
	"lunchgo/db"
	"lunchgo/db/dbtest"
	"lunchgo/db/pg"
	dbreviews "lunchgo/db/reviews"
)

// AtStart returns the reservations by a clock that says of each that its slot has just begun.
func (h *Harness) AtStart() *db.ReservationStore {
	const now = "clock_timestamp() AS now"
	const start = "(locked.\"slot.date\"::date + locked.\"slot.time\"::time) AT TIME ZONE locked.time_zone AS now"
	weaken := pg.Weakening(func(g pg.Guard, query string) string {
		if query = h.Guarded(g, query); g == db.LockReservation {
			return dbtest.Replacing(now, start)(query)
		}
		return query
	})
	return db.NewReservationStore(h.Weakened(weaken))
}

// Mark marks a party when its slot has just begun, one mark after another.
func (h *Harness) Mark(t testing.TB, id string, states ...booking.State) (r booking.Reservation) {
	t.Helper()
	host := h.Diners(t, 1, 0)[0]
	for _, state := range states {
		var err error
		if r, err = h.AtStart().Mark(t.Context(), id, state, host); err != nil {
			t.Fatalf("%s: %v", state, err)
		}
	}
	return r
}

// Visit returns a completed visit and its diner.
func (h *Harness) Visit(t testing.TB, at booking.TimeOfDay) (id, diner string) {
	t.Helper()
	id, diner = h.Confirmed(t, h.Slot(at))
	h.Mark(t, id, booking.Seated, booking.Completed)
	return id, diner
}

// Review reviews a visit as its diner.
func (h *Harness) Review(t testing.TB, reservation string, stars int) reviews.Review {
	t.Helper()
	r, err := h.Reservations.Find(t.Context(), reservation)
	dbtest.Must(t, err)
	review, err := dbreviews.NewStore(h.Pool).Write(t.Context(),
		reviews.Draft{UserID: r.UserID, ReservationID: reservation, Stars: stars, Text: "또 올게요."})
	dbtest.Must(t, err)
	return review
}
