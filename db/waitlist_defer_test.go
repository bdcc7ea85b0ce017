package db_test

import (
	"errors"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/db/dbtest"
)

func TestServe_BehindWaitlist(t *testing.T) {
	t.Parallel()
	w := newWaitlist(t, setup(t), "19:00")
	large, small := w.join(t, 6), w.join(t, 2)
	w.cancel(t, 0)
	press := func(party int) booking.Outcome {
		req := w.Request(w.Diners(t, 1, 0)[0], w.slot)
		req.PartySize = party
		outcomes, _, err := w.Slots.Serve(t.Context(), w.Turn(w.slot, 10, 1), []booking.Request{req})
		dbtest.Must(t, err)
		return outcomes[0]
	}
	var full *booking.SoldOutError
	if out := press(1); !errors.As(out.Err, &full) || full.Remaining != 0 {
		t.Errorf("before the offer: %+v, want sold out", out)
	}
	known, err := w.Slots.ListOccupancy(t.Context(), w.slot.RestaurantID, w.slot.Date, w.slot.Date)
	if o := known[w.slot]; err != nil || o.Held != 8 || o.Promised != 2 || o.Remaining() != 0 || o.Waitlisted != 2 {
		t.Errorf("the listed occupancy is %+v, %v", o, err)
	}
	w.offer(t)
	w.is(t, small, booking.EntryOffered)
	w.cancel(t, 1)
	if out := press(2); !out.Reserves() || len(out.Passed) != 1 {
		t.Errorf("seats that are too few for who waits: %+v, want them", out)
	}
	if e := w.is(t, large, booking.EntryWaiting); e.Passes != 2 {
		t.Errorf("passed %d times, want 2", e.Passes)
	}
	w.cancel(t, 2)
	if out := press(1); !out.Reserves() {
		t.Errorf("the third to pass: %+v", out)
	}
	if out := press(1); !errors.As(out.Err, &full) {
		t.Errorf("the fourth to pass: %+v, want sold out", out)
	}
	w.cancel(t, 3)
	w.cancel(t, 4)
	w.offer(t)
	w.is(t, large, booking.EntryWaiting)
	checkBalances(t, w.harness)
}

// A late payment comes after those who wait.
func TestPayLate_BehindWaitlist(t *testing.T) {
	t.Parallel()
	w := newWaitlist(t, setup(t), "19:00")
	entry := w.join(t, 2)
	w.MustExec(t,
		`UPDATE reservations SET hold_expires_at = now() - interval '1 second' WHERE id = ANY (ARRAY[$1, $2])`,
		w.held[0], w.held[1])
	if _, err := w.Reservations.ExpireHolds(t.Context(), 10); err != nil {
		t.Fatal(err)
	}
	pay := func(n int) error {
		_, err := w.Reservations.Pay(t.Context(), booking.PaymentOrder{
			ReservationID: w.held[n], UserID: w.by[n], Kind: booking.Deposit, IdempotencyKey: "late"})
		return err
	}
	if err := pay(0); err != nil {
		t.Errorf("two of four seats are nobody's: %v", err)
	}
	if err := pay(1); !errors.Is(err, booking.ErrReturned) {
		t.Errorf("the other two are the waitlist's: %v, want %v", err, booking.ErrReturned)
	}
	w.offer(t)
	w.is(t, entry, booking.EntryOffered)
	checkBalances(t, w.harness)
}
