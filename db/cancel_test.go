package db_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/db/dbtest"
	"lunchgo/db/pg"
)

func TestCancel_RefundsByPolicy(t *testing.T) {
	t.Parallel()
	h := setup(t)
	for _, c := range []struct {
		name   string
		in     time.Duration
		staff  bool
		refund int64
		err    error
	}{
		{"three days before", 72 * time.Hour, false, 20_000, nil},
		{"a day and a half before", 36 * time.Hour, false, 10_000, nil},
		{"an hour before", time.Hour, false, 0, nil},
		{"after it began", -time.Hour, false, 0, booking.ErrPast},
		{"by the staff an hour before", time.Hour + 2*time.Minute, true, 20_000, nil},
		{"by the staff after it began", -2 * time.Hour, true, 20_000, nil},
	} {
		id, diner := h.Confirmed(t, h.StartingIn(c.in))
		cancel := func() (booking.Reservation, error) {
			return h.Reservations.Cancel(t.Context(), id, reserve.Canceller{UserID: diner})
		}
		if host := h.Diners(t, 1, 0)[0]; c.staff {
			cancel = func() (booking.Reservation, error) {
				return h.Reservations.CancelByStaff(t.Context(), id, host, "")
			}
		}
		got, err := cancel()
		if !errors.Is(err, c.err) {
			t.Errorf("%s: %v, want %v", c.name, err, c.err)
		}
		if c.err == nil && (got.State != booking.RefundPending || got.RefundAmount != c.refund) {
			t.Errorf("%s: %s with a refund of %d, want %d", c.name, got.State, got.RefundAmount, c.refund)
		}
		if _, err := cancel(); err == nil {
			t.Errorf("%s: it could be cancelled twice", c.name)
		}
	}
	if n := h.Count(t, `SELECT count(*) FROM audit_log WHERE action = 'reservation.cancelled'`); n != 2 {
		t.Errorf("%d cancellations by staff in the audit log, want 2", n)
	}
}

func TestCancel_FreesSeatsOfHold(t *testing.T) {
	t.Parallel()
	h := setup(t)
	slot := h.Slot("19:00")
	diners := h.Diners(t, 2, 0)
	id := h.Reserve(t, h.Request(diners[0], slot))
	if _, err := h.Reservations.Cancel(t.Context(), id, reserve.Canceller{UserID: diners[1]}); !errors.Is(err,
		booking.ErrNotFound) {
		t.Errorf("by a stranger: %v, want %v", err, booking.ErrNotFound)
	}
	if held := h.held(t, slot); held != 2 {
		t.Errorf("%d seats held, want 2", held)
	}
	got, err := h.Reservations.Cancel(t.Context(), id, reserve.Canceller{UserID: diners[0]})
	if err != nil || got.State != booking.Cancelled || h.held(t, slot) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
	h.Reserve(t, h.Request(diners[0], slot)) // the diner may come again
}

func TestLock_ReadsClockAfterWait(t *testing.T) {
	t.Parallel()
	h := setup(t)
	id := h.Reserve(t, h.Request(h.Diners(t, 1, 0)[0], h.Slot("19:00")))
	other, err := h.SQL().BeginTxx(t.Context(), nil)
	dbtest.Must(t, err)
	if _, err := other.ExecContext(t.Context(), `SELECT id FROM reservations WHERE id = $1 FOR UPDATE`,
		id); err != nil {
		t.Fatal(err)
	}
	read := make(chan time.Time, 1)
	go func() {
		_ = h.InTx(t.Context(), func(ctx context.Context, tx *pg.Tx) error {
			r, err := h.Reservations.Lock(ctx, tx, id)
			read <- r.Now
			return err
		})
	}()
	dbtest.AwaitLocks(t, h.SQL(), 1)
	var released time.Time
	dbtest.Must(t, other.GetContext(t.Context(), &released, `SELECT clock_timestamp()`))
	if err := other.Rollback(); err != nil { // nothing changed, so nothing makes the waiting query look again
		t.Fatal(err)
	}
	if now := <-read; now.Before(released) {
		t.Errorf("decided by the clock of %v before the lock was had", released.Sub(now))
	}
}
