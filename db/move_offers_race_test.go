package db_test

import (
	"context"
	"errors"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/messages"
	"lunchgo/db"
	"lunchgo/db/dbtest"
	"lunchgo/db/testkit"
)

// moveOffered is a reservation whose staff offer another time, with a request that takes it.
type moveOffered struct {
	*harness
	writing   testkit.Writing
	id, diner string
	take      booking.Request
}

func newMoveOffered(t *testing.T) moveOffered {
	t.Helper()
	w := testkit.NewWriting(t)
	slot, next := w.Slot("18:00"), w.Slot("19:00")
	o := moveOffered{harness: &harness{w.Harness}, writing: w}
	o.id, o.diner = w.Confirmed(t, slot)
	o.offer(t, "offer")
	o.take = o.Wanting(t, o.id, at(next))
	o.take.Change.Offered = true
	return o
}

// offer offers another time, and a full refund.
func (o moveOffered) offer(t *testing.T, key string) {
	t.Helper()
	m := o.writing.Message(key, messages.Audience{ReservationID: o.id})
	m.Offer = booking.OfferedTime{Date: o.Slot("19:00").Date, Time: "19:00", Refund: true}
	o.writing.MustSend(t, m)
}

// withdraw withdraws what is offered, by another instance.
func (o moveOffered) withdraw(t *testing.T) error {
	t.Helper()
	_, err := db.NewReservationStore(o.Instance(t)).WithdrawMoveOffer(context.WithoutCancel(t.Context()), o.id,
		o.writing.Staff)
	return err
}

func (o moveOffered) withdrawals(t *testing.T) int {
	t.Helper()
	return o.Count(t, `SELECT count(*) FROM audit_log WHERE action = 'reservation.offer_withdrawn'`)
}

// An offer that is withdrawn can neither be taken nor cancelled by, once, and is written down once; another one can.
func TestWithdrawMoveOffer(t *testing.T) {
	t.Parallel()
	o := newMoveOffered(t)
	for range 2 {
		dbtest.Must(t, o.withdraw(t))
	}
	if n := o.withdrawals(t); n != 1 {
		t.Errorf("%d acts, want one", n)
	}
	if _, err := o.Reservations.FindMoveOffer(t.Context(), o.id); !errors.Is(err, booking.ErrOfferWithdrawn) {
		t.Errorf("the offer: %v", err)
	}
	if out, _ := o.Serve(t, o.take); !errors.Is(out.Err, booking.ErrNoMoveOffer) {
		t.Errorf("taken: %v", out.Err)
	}
	if _, err := o.Reservations.CancelOffered(t.Context(), o.id, o.writing.Staff); !errors.Is(err,
		booking.ErrNoMoveOffer) {
		t.Errorf("cancelled: %v", err)
	}
	o.offer(t, "another")
	if out, _ := o.Serve(t, o.take); out.Err != nil {
		t.Errorf("the other offer: %v", out.Err)
	}
	if err := o.withdraw(t); !errors.Is(err, booking.ErrNoMoveOffer) {
		t.Errorf("withdrawn after it was taken: %v", err)
	}
}

// withdrawDuring withdraws an offer while a run in which the diner takes it has read it and not yet written, and
// returns what both said.
func (o moveOffered) withdrawDuring(t *testing.T) (taken, withdrawn error) {
	t.Helper()
	over := make(chan struct{})
	o.Weaken(db.UpdateTerms, func(query string) string {
		go func() {
			defer close(over)
			withdrawn = o.withdraw(t)
		}()
		dbtest.AwaitLockOr(t, o.SQL(), dbtest.Closed(over))
		return query
	})
	out, _ := o.Serve(t, o.take)
	<-over
	return out.Err, withdrawn
}

// Whoever takes an offer while it is withdrawn has it: staff read that it was taken.
func TestWithdrawMoveOffer_WhileItIsTaken(t *testing.T) {
	t.Parallel()
	o := newMoveOffered(t)
	if taken, withdrawn := o.withdrawDuring(t); taken != nil || !errors.Is(withdrawn, booking.ErrNoMoveOffer) {
		t.Errorf("taken: %v, withdrawn: %v", taken, withdrawn)
	}
	if n := o.withdrawals(t); n != 0 {
		t.Errorf("%d acts, want none", n)
	}
}

// Control: without the lock of the reservation it is both withdrawn and taken.
func TestWithdrawMoveOffer_WhileItIsTakenWithoutLock(t *testing.T) {
	t.Parallel()
	o := newMoveOffered(t)
	o.Weaken(db.LockChanging, dbtest.Replacing("FOR UPDATE", ""))
	if _, withdrawn := o.withdrawDuring(t); withdrawn != nil || o.withdrawals(t) != 1 {
		t.Errorf("withdrawn: %v: the test above proves nothing", withdrawn)
	}
}

// cancelDuringWithdrawal has a diner cancel by an offer while it is withdrawn, and not yet written that it is, and
// returns what both said.
func (o moveOffered) cancelDuringWithdrawal(t *testing.T) (cancelled, withdrawn error) {
	t.Helper()
	over := make(chan struct{})
	o.Weaken(db.WithdrawOffer, func(query string) string {
		go func() {
			defer close(over)
			_, cancelled = db.NewReservationStore(o.Instance(t)).CancelOffered(context.WithoutCancel(t.Context()), o.id,
				o.writing.Staff)
		}()
		dbtest.AwaitLockOr(t, o.SQL(), dbtest.Closed(over))
		return query
	})
	_, withdrawn = o.Reservations.WithdrawMoveOffer(t.Context(), o.id, o.writing.Staff)
	<-over
	return cancelled, withdrawn
}

// Whoever cancels by an offer while it is withdrawn comes too late.
func TestWithdrawMoveOffer_WhileItIsCancelled(t *testing.T) {
	t.Parallel()
	o := newMoveOffered(t)
	if cancelled, withdrawn := o.cancelDuringWithdrawal(t); withdrawn != nil ||
		!errors.Is(cancelled, booking.ErrNoMoveOffer) {
		t.Errorf("cancelled: %v, withdrawn: %v", cancelled, withdrawn)
	}
}

// Control: without the lock of the reservation both come true.
func TestWithdrawMoveOffer_WhileItIsCancelledWithoutLock(t *testing.T) {
	t.Parallel()
	o := newMoveOffered(t)
	o.Weaken(db.LockReservation, dbtest.Replacing("FOR UPDATE OF r", ""))
	if cancelled, withdrawn := o.cancelDuringWithdrawal(t); withdrawn != nil || cancelled != nil {
		t.Errorf("cancelled: %v, withdrawn: %v: the test above proves nothing", cancelled, withdrawn)
	}
}
