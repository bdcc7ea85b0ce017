package db_test

import (
	"errors"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/db/dbtest"
)

// That the party comes is said of the time that the reservation has, and only while the restaurant waits for it.
func TestNoteComing(t *testing.T) {
	t.Parallel()
	h := setup(t)
	id, diner := h.Confirmed(t, h.StartingIn(72*time.Hour))
	coming := func() time.Time {
		t.Helper()
		r, err := h.Reservations.Find(t.Context(), id)
		dbtest.Must(t, err)
		return r.ComingAt
	}
	if !coming().IsZero() {
		t.Error("nobody has said anything yet")
	}
	dbtest.Must(t, h.Reservations.NoteComing(t.Context(), id))
	first := coming()
	dbtest.Must(t, h.Reservations.NoteComing(t.Context(), id))
	if first.IsZero() || !coming().Equal(first) {
		t.Errorf("said at %v, and again at %v", first, coming())
	}
	if _, err := h.Change(t, id, func(req *booking.Request) { req.Slot = h.StartingIn(96 * time.Hour) }); err != nil {
		t.Fatal(err)
	}
	if !coming().IsZero() {
		t.Error("it was said of the other time")
	}
	h.MustCancel(t, id, diner)
	if err := h.Reservations.NoteComing(t.Context(), id); !errors.Is(err, booking.ErrWrongState) {
		t.Errorf("of a cancelled one: %v", err)
	}
	if err := h.Reservations.NoteComing(t.Context(), "none"); !errors.Is(err, booking.ErrNotFound) {
		t.Errorf("of none: %v", err)
	}
}
