package db_test

import (
	"errors"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/payments/practice"
	"lunchgo/app/reserve"
	"lunchgo/db"
	"lunchgo/db/audits"
	"lunchgo/db/dbtest"
	"lunchgo/db/testkit"
)

// freely pays for a reservation whose tiers refund nothing any more, and which is free to cancel for 15 minutes.
func (h *harness) freely(t testing.TB) (id, diner string) {
	t.Helper()
	diner = h.Diners(t, 1, 100_000)[0]
	req := h.Request(diner, h.StartingIn(time.Hour))
	req.Policy.FreeCancelMinutes = 15
	id = h.Reserve(t, req)
	h.MustPay(t, id, diner, booking.Deposit, "pay")
	return id, diner
}

func TestCancel_FreeAfterConfirmation(t *testing.T) {
	t.Parallel()
	h := setup(t)
	for name, c := range map[string]struct {
		confirmed string // SQL
		refund    int64
	}{
		"at once":                            {"confirmed_at", 20_000},
		"some seconds before it is over":     {"clock_timestamp() - interval '14 minutes 30 seconds'", 20_000},
		"a second afterwards":                {"clock_timestamp() - interval '15 minutes 1 second'", 0},
		"confirmed before it was noted when": {"NULL", 0},
	} {
		id, diner := h.freely(t)
		h.MustExec(t, `UPDATE reservations SET confirmed_at = `+c.confirmed+` WHERE id = $1`, id)
		got, err := h.Reservations.Cancel(t.Context(), id, reserve.Canceller{UserID: diner})
		if err != nil || got.State != booking.RefundPending || got.RefundAmount != c.refund {
			t.Errorf("%s: %s with a refund of %d, %v; want %d", name, got.State, got.RefundAmount, err, c.refund)
		}
	}
	if n := h.Count(t, `SELECT count(*) FROM reservations WHERE diner_cancelled_at IS NOT NULL`); n != 4 {
		t.Errorf("of %d it is noted when their diner cancelled them, want 4", n)
	}
}

// Whichever way a reservation is confirmed, the database's clock says when.
func TestConfirm_NotesWhen(t *testing.T) {
	t.Parallel()
	h := setup(t)
	cards := h.cashier(t, h.Pool)
	for name, confirm := range map[string]func(t *testing.T) string{
		"from the wallet": func(t *testing.T) string {
			id, _ := h.Confirmed(t, h.Slot("18:00"))
			return id
		},
		"by card": func(t *testing.T) string {
			diner := h.Diners(t, 1, 0)[0]
			p := cards.begin(t, h.Reserve(t, h.Request(diner, h.Slot("18:00"))), diner, "card")
			cards.press(t, p.ID, practice.Pay)
			cards.mustSettle(t, p.ID)
			return p.ReservationID
		},
		"after its hold": func(t *testing.T) string {
			diner := h.Diners(t, 1, 100_000)[0]
			req := h.Request(diner, h.Slot("19:00"))
			req.HoldTime = 0
			id := h.Reserve(t, req)
			h.expire(t)
			h.MustPay(t, id, diner, booking.Deposit, "late")
			return id
		},
		"by staff": func(t *testing.T) string {
			req := h.Request(h.Diners(t, 1, 0)[0], h.Slot("20:00"))
			req.DepositAmount, req.Guest = 0, &booking.Guest{Name: "Ann", Source: booking.Phone, State: booking.Confirmed}
			return h.Reserve(t, req)
		},
	} {
		t.Run(name, func(t *testing.T) {
			var before time.Time
			dbtest.Must(t, h.SQL().GetContext(t.Context(), &before, `SELECT clock_timestamp()`))
			id := confirm(t)
			r, err := h.Reservations.Find(t.Context(), id)
			if err != nil || r.State != booking.Confirmed || r.ConfirmedAt.Before(before) || h.Count(t, `
				SELECT count(*) FROM reservations WHERE id = $1 AND confirmed_at <= clock_timestamp()`, id) != 1 {
				t.Errorf("%s, confirmed at %v, %v", r.State, r.ConfirmedAt, err)
			}
		})
	}
	hold, err := h.Reservations.Find(t.Context(), h.Reserve(t, h.Request(h.Diners(t, 1, 0)[0], h.Slot("17:00"))))
	if err != nil || !hold.ConfirmedAt.IsZero() {
		t.Errorf("a hold: %v, %v", hold.ConfirmedAt, err)
	}
}

// cancelWhileItEnds has a cancellation wait for the lock of its reservation, and the time in which it is free end
// meanwhile.
func cancelWhileItEnds(t *testing.T, h *harness) (booking.Reservation, error) {
	t.Helper()
	id, diner := h.freely(t)
	holder, err := h.SQL().BeginTxx(t.Context(), nil)
	dbtest.Must(t, err)
	defer func() { _ = holder.Rollback() }()
	if _, err := holder.ExecContext(t.Context(), `SELECT FROM reservations WHERE id = $1 FOR UPDATE`, id); err != nil {
		t.Fatal(err)
	}
	var cancelled booking.Reservation
	var refusal error
	done := make(chan struct{})
	go func() {
		defer close(done)
		cancelled, refusal = h.Reservations.Cancel(t.Context(), id, reserve.Canceller{UserID: diner, Quoted: 20_000})
	}()
	dbtest.AwaitLocks(t, h.SQL(), 1)
	_, err = holder.ExecContext(t.Context(), `
		UPDATE reservations
		SET confirmed_at = clock_timestamp() - interval '15 minutes'
		WHERE id = $1`, id)
	if err == nil {
		err = holder.Commit()
	}
	dbtest.Must(t, err)
	<-done
	return cancelled, refusal
}

// A cancellation that waits while its free time ends is not free, and does not happen: its diner saw another refund.
func TestCancel_FreeTimeEndsWhileItWaits(t *testing.T) {
	t.Parallel()
	var changed *booking.RefundChangedError
	if r, err := cancelWhileItEnds(t, setup(t)); !errors.As(err, &changed) || changed.Refund != 0 {
		t.Errorf("%s with a refund of %d, %v", r.State, r.RefundAmount, err)
	}
}

// Control: by the clock from before the wait, it would be free when it is not any more.
func TestCancel_ByAnEarlierClockIsFreeTooLate(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Weaken(db.LockReservation, dbtest.Replacing(`clock_timestamp() AS now`, `statement_timestamp() AS now`))
	if r, err := cancelWhileItEnds(t, h); err != nil || r.RefundAmount != 20_000 {
		t.Errorf("a refund of %d, %v: the test above proves nothing", r.RefundAmount, err)
	}
}

// A change neither renews the time in which a reservation is free to cancel nor takes it away, and in that time all of
// a lower price comes back.
func TestChange_KeepsTheFreeTime(t *testing.T) {
	t.Parallel()
	h := setup(t)
	id, diner := h.freely(t)
	was, err := h.Reservations.Find(t.Context(), id)
	dbtest.Must(t, err)
	h.Restaurant.Policy.FreeCancelMinutes = 90
	fewer, err := h.Change(t, id, testkit.Party(1))
	if err != nil || h.balance(t, diner) != 90_000 || fewer.Policy.FreeCancelMinutes != 15 ||
		!fewer.ConfirmedAt.Equal(was.ConfirmedAt) || fewer.Policy.Tiers[0].Percent != 100 {
		t.Errorf("in time: %d won, %+v, %v", h.balance(t, diner), fewer.Policy, err)
	}
	h.MustExec(t, `UPDATE reservations SET confirmed_at = confirmed_at - interval '16 minutes' WHERE id = $1`, id)
	later, err := h.Change(t, id, testkit.Party(2))
	if err != nil || later.Policy.FreeCancelMinutes != 15 || len(later.Policy.Tiers) != 0 {
		t.Errorf("afterwards: %+v, %v", later.Policy, err)
	}
	got, err := h.Reservations.Cancel(t.Context(), id, reserve.Canceller{UserID: diner})
	if err != nil || got.RefundAmount != 0 {
		t.Errorf("a refund of %d, %v", got.RefundAmount, err)
	}
	if report, err := audits.NewStore(h.Pool).Audit(t.Context()); err != nil || report.Found() != 0 {
		t.Errorf("the auditor: %+v, %v", report.Wrong(), err)
	}
}
