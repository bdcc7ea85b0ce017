package db_test

import (
	"errors"
	"slices"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/mail"
	"lunchgo/app/reserve"
	"lunchgo/db/audits"
	"lunchgo/db/dbtest"
	"lunchgo/db/testkit"
)

// What costs nothing is confirmed by the turn: it has no hold that could end, one letter says so, and the restaurant
// knows its guest.
func TestServe_ConfirmsAtOnce(t *testing.T) {
	t.Parallel()
	h := setup(t)
	diner := h.Diners(t, 1, 0)[0]
	id := h.Reserve(t, h.Free(diner, h.Slot("19:00")))
	h.MustExec(t, `UPDATE reservations SET hold_expires_at = now() - interval '1 hour'`)
	h.expire(t)
	r, err := h.Reservations.Find(t.Context(), id)
	if err != nil || r.State != booking.Confirmed || r.ConfirmedAt.IsZero() || r.IsUnseen() || r.PaidAmount != 0 {
		t.Errorf("%+v, %v", r, err)
	}
	if got := h.Letters(t, diner); !slices.Equal(got, []mail.Kind{mail.Confirmed}) {
		t.Errorf("letters: %v", got)
	}
	if n := h.Count(t, `SELECT count(*) FROM guests WHERE user_id = $1`, diner); n != 1 {
		t.Errorf("%d guests", n)
	}
	if report, err := audits.NewStore(h.Pool).Audit(t.Context()); err != nil || report.Found() != 0 {
		t.Errorf("the auditor: %+v, %v", report.Wrong(), err)
	}
	if paid, err := h.Pay(t, id, diner, booking.Deposit, "pay"); err != nil || paid.State != booking.Confirmed {
		t.Errorf("a deposit of nothing, as of a hold: %+v, %v", paid, err) // as programs have it that pay whatever they book
	}
	if _, err := h.Pay(t, id, diner, booking.Prepay, "prepay"); !errors.Is(err, booking.ErrAlreadyPaid) {
		t.Errorf("the menu: %v", err)
	}
	if n := h.Count(t, `SELECT count(*) FROM ledger_entries`); n != 0 {
		t.Errorf("%d entries in the ledger", n)
	}
	got, err := h.Reservations.Cancel(t.Context(), id, reserve.Canceller{UserID: diner})
	if err != nil || got.State != booking.RefundPending || got.RefundAmount != 0 {
		t.Errorf("cancelled: %s with %d, %v", got.State, got.RefundAmount, err)
	}
}

// An account whose address is not confirmed gets a hold, as does an offer of the waitlist, and says itself that it comes.
func TestServe_HoldsWhatIsToBeConfirmed(t *testing.T) {
	t.Parallel()
	h := setup(t)
	diner := h.Diners(t, 1, 0)[0]
	h.MustExec(t, `UPDATE users SET email_confirmed_at = NULL WHERE id = $1`, diner)
	id := h.Reserve(t, h.Free(diner, h.Slot("19:00")))
	if r, err := h.Reservations.Find(t.Context(), id); err != nil || r.State != booking.Temporary || !r.IsUnseen() ||
		!r.ConfirmedAt.IsZero() {
		t.Errorf("%+v, %v", r, err)
	}
	if got := h.Letters(t, diner); !slices.Equal(got, []mail.Kind{mail.Turn}) {
		t.Errorf("letters: %v", got)
	}
	if got, err := h.Pay(t, id, diner, booking.Deposit, "pay"); err != nil || got.State != booking.Confirmed {
		t.Errorf("%+v, %v", got, err)
	}
	h.Restaurant.DepositPerPerson, h.Restaurant.DepositTiers = 0, nil
	if _, err := h.Seeds.PutRestaurant(t.Context(), h.Restaurant, testkit.Menu()); err != nil {
		t.Fatal(err)
	}
	w := newWaitlist(t, h, "12:00")
	entry := w.join(t, 2)
	w.cancel(t, 0)
	w.offer(t)
	if r, err := h.Reservations.Find(t.Context(), w.offerOf(t, entry)); err != nil || r.State != booking.Temporary ||
		r.DepositAmount != 0 {
		t.Errorf("an offer: %+v, %v", r, err)
	}
}

// Load tests and rehearsals write to nobody.
func TestServe_ConfirmsAtOnceWithoutLettersOfShadows(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.MustExec(t, `UPDATE restaurants SET shadow = true`)
	diner := h.Diners(t, 1, 0)[0]
	h.Reserve(t, h.Free(diner, h.Slot("19:00")))
	if got := h.Letters(t, diner); len(got) != 0 {
		t.Errorf("letters: %v", got)
	}
}

// Those who are confirmed at once take their seats like everybody: no more than there are, and each diner once.
func TestServe_ConfirmsAtOnceNoMoreThanThereIs(t *testing.T) {
	t.Parallel()
	h := setup(t)
	slot := h.Slot("19:00")
	var run []booking.Request
	for _, id := range h.Diners(t, 8, 0) {
		run = append(run, h.Free(id, slot), h.Free(id, slot))
	}
	outcomes, after, err := h.Slots.Serve(t.Context(), h.Turn(slot, 10, 1), run)
	dbtest.Must(t, err)
	confirmed := 0
	for _, out := range outcomes {
		if out.Reserves() && out.AtOnce {
			confirmed++
		}
	}
	if held := h.held(t, slot); confirmed != 5 || held != 10 || after[0].OnHold != 0 {
		t.Errorf("%d confirmed, %d covers held, %d on hold", confirmed, held, after[0].OnHold)
	}
	if n := h.Count(t, `SELECT count(*) FROM reservations WHERE state = 'confirmed'`); n != 5 {
		t.Errorf("%d are confirmed", n)
	}
}
