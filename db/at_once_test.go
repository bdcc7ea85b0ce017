package db

import (
	"errors"
	"slices"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/mail"
	"lunchgo/app/reserve"
	"lunchgo/db/dbtest"
)

// free asks for a table that costs nothing, for somebody who has waited for it a minute and looks elsewhere.
func (h *harness) free(userID string, slot booking.SlotKey) booking.Request {
	req := h.request(userID, slot)
	req.DepositAmount, req.UnseenTime = 0, time.Minute
	req.Arrival = time.Now().Add(-time.Minute).UnixMicro()
	return req
}

// What costs nothing is confirmed by the turn: it has no hold that could end, one letter says so, and the restaurant
// knows its guest.
func TestServe_ConfirmsAtOnce(t *testing.T) {
	t.Parallel()
	h := setup(t)
	diner := h.diners(t, 1, 0)[0]
	id := h.reserve(t, h.free(diner, h.slot("19:00")))
	h.mustExec(t, `UPDATE reservations SET hold_expires_at = now() - interval '1 hour'`)
	h.expire(t)
	r, err := h.reservations.Find(t.Context(), id)
	if err != nil || r.State != booking.Confirmed || r.ConfirmedAt.IsZero() || r.IsUnseen() || r.PaidAmount != 0 {
		t.Errorf("%+v, %v", r, err)
	}
	if got := h.letters(t, diner); !slices.Equal(got, []mail.Kind{mail.Confirmed}) {
		t.Errorf("letters: %v", got)
	}
	if n := h.count(t, `SELECT count(*) FROM guests WHERE user_id = $1`, diner); n != 1 {
		t.Errorf("%d guests", n)
	}
	if report, err := NewAuditStore(h.Pool).Audit(t.Context()); err != nil || report.Found() != 0 {
		t.Errorf("the auditor: %+v, %v", report.Wrong(), err)
	}
	if paid, err := h.pay(t, id, diner, booking.Deposit, "pay"); err != nil || paid.State != booking.Confirmed {
		t.Errorf("a deposit of nothing, as of a hold: %+v, %v", paid, err) // as programs have it that pay whatever they book
	}
	if _, err := h.pay(t, id, diner, booking.Prepay, "prepay"); !errors.Is(err, booking.ErrAlreadyPaid) {
		t.Errorf("the menu: %v", err)
	}
	if n := h.count(t, `SELECT count(*) FROM ledger_entries`); n != 0 {
		t.Errorf("%d entries in the ledger", n)
	}
	got, err := h.reservations.Cancel(t.Context(), id, reserve.Canceller{UserID: diner})
	if err != nil || got.State != booking.RefundPending || got.RefundAmount != 0 {
		t.Errorf("cancelled: %s with %d, %v", got.State, got.RefundAmount, err)
	}
}

// An account whose address is not confirmed gets a hold, as does an offer of the waitlist, and says itself that it comes.
func TestServe_HoldsWhatIsToBeConfirmed(t *testing.T) {
	t.Parallel()
	h := setup(t)
	diner := h.diners(t, 1, 0)[0]
	h.mustExec(t, `UPDATE users SET email_confirmed_at = NULL WHERE id = $1`, diner)
	id := h.reserve(t, h.free(diner, h.slot("19:00")))
	if r, err := h.reservations.Find(t.Context(), id); err != nil || r.State != booking.Temporary || !r.IsUnseen() ||
		!r.ConfirmedAt.IsZero() {
		t.Errorf("%+v, %v", r, err)
	}
	if got := h.letters(t, diner); !slices.Equal(got, []mail.Kind{mail.Turn}) {
		t.Errorf("letters: %v", got)
	}
	if got, err := h.pay(t, id, diner, booking.Deposit, "pay"); err != nil || got.State != booking.Confirmed {
		t.Errorf("%+v, %v", got, err)
	}
	h.restaurant.DepositPerPerson, h.restaurant.DepositTiers = 0, nil
	if _, err := h.seeds.PutRestaurant(t.Context(), h.restaurant, testMenu()); err != nil {
		t.Fatal(err)
	}
	w := newWaitlist(t, h, "12:00")
	entry := w.join(t, 2)
	w.cancel(t, 0)
	w.offer(t)
	if r, err := h.reservations.Find(t.Context(), w.offerOf(t, entry)); err != nil || r.State != booking.Temporary ||
		r.DepositAmount != 0 {
		t.Errorf("an offer: %+v, %v", r, err)
	}
}

// Load tests and rehearsals write to nobody.
func TestServe_ConfirmsAtOnceWithoutLettersOfShadows(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.mustExec(t, `UPDATE restaurants SET shadow = true`)
	diner := h.diners(t, 1, 0)[0]
	h.reserve(t, h.free(diner, h.slot("19:00")))
	if got := h.letters(t, diner); len(got) != 0 {
		t.Errorf("letters: %v", got)
	}
}

// Those who are confirmed at once take their seats like everybody: no more than there are, and each diner once.
func TestServe_ConfirmsAtOnceNoMoreThanThereIs(t *testing.T) {
	t.Parallel()
	h := setup(t)
	slot := h.slot("19:00")
	var run []booking.Request
	for _, id := range h.diners(t, 8, 0) {
		run = append(run, h.free(id, slot), h.free(id, slot))
	}
	outcomes, after, err := h.slots.Serve(t.Context(), h.turn(slot, 10, 1), run)
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
	if n := h.count(t, `SELECT count(*) FROM reservations WHERE state = 'confirmed'`); n != 5 {
		t.Errorf("%d are confirmed", n)
	}
}
