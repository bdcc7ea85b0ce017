package db_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/keyset"
	"lunchgo/app/mail"
	"lunchgo/app/payments"
	"lunchgo/app/payments/practice"
	"lunchgo/app/reserve"
	"lunchgo/db"
	"lunchgo/db/dbtest"
	"lunchgo/db/letters"
	"lunchgo/db/testkit"
)

// giver is a harness whose staff give money back.
type giver struct {
	*cashier
	staff []string
}

func newGiver(t testing.TB) giver {
	t.Helper()
	h := newCashier(t)
	return giver{h, h.Diners(t, 2, 0)}
}

// paid returns a reservation whose deposit was paid by card, as far as the wallet did not have it.
func (g giver) paid(t testing.TB, balance int64) payments.Payment {
	t.Helper()
	diner := g.Diners(t, 1, balance)[0]
	p := g.begin(t, g.Reserve(t, g.Request(diner, g.Slot("19:00"))), diner, "pay")
	g.press(t, p.ID, practice.Pay)
	g.mustSettle(t, p.ID)
	return p
}

func (g giver) give(id, key string, amount int64) booking.GiveBack {
	return booking.GiveBack{ReservationID: id, StaffID: g.staff[0], Key: key, Amount: amount, Reason: "The soup was cold"}
}

func (g giver) mustGive(t testing.TB, give booking.GiveBack) booking.Reservation {
	t.Helper()
	r, err := g.harness.Reservations.GiveBack(t.Context(), give)
	dbtest.Must(t, err)
	return r
}

// What staff give back goes back the way it came, once for a key, in parts up to what was paid and not beyond it; a
// cancellation afterwards refunds the rest. The diner is written to each time.
func TestGiveBack_NeverMoreThanIsLeft(t *testing.T) {
	t.Parallel()
	for _, captured := range []bool{true, false} {
		t.Run(fmt.Sprintf("captured %v", captured), func(t *testing.T) {
			t.Parallel()
			g := newGiver(t)
			p := g.paid(t, 5_000)
			if captured {
				g.work(t)
			}
			for range 2 {
				if r := g.mustGive(t, g.give(p.ReservationID, "a", 8_000)); r.GivenBack != 8_000 || r.Left() != 12_000 {
					t.Errorf("given back %d, left %d", r.GivenBack, r.Left())
				}
			}
			other := g.give(p.ReservationID, "a", 9_000)
			if _, err := g.harness.Reservations.GiveBack(t.Context(), other); !errors.Is(err, booking.ErrKeyReused) {
				t.Errorf("another amount under the same key: %v", err)
			}
			var more *booking.MoreThanLeftError
			if _, err := g.harness.Reservations.GiveBack(t.Context(),
				g.give(p.ReservationID, "b", 12_001)); !errors.As(err, &more) || more.Left != 12_000 {
				t.Errorf("more than is left: %v", err)
			}
			g.mustGive(t, g.give(p.ReservationID, "c", 9_000))
			if f := g.figures(t); f.Refunds != 17_000 || f.RefundedByCard != 15_000 || f.Revenue() != 3_000 {
				t.Errorf("figures %+v", f)
			}
			cancelled, err := g.harness.Reservations.Cancel(t.Context(), p.ReservationID,
				reserve.Canceller{UserID: p.UserID})
			if err != nil || cancelled.RefundAmount != 3_000 {
				t.Fatalf("the cancellation refunds %d, %v", cancelled.RefundAmount, err)
			}
			g.settle(t)
			g.work(t)
			end := payments.Refunded
			if !captured {
				end = payments.Cancelled // all of it was to go back before it was taken
			}
			g.wants(t, p, end, booking.Refunded, 5_000)
			mails, err := letters.NewMailStore(g.Pool).ListMails(t.Context(), p.UserID, keyset.Request{})
			var given []mail.Given
			for _, n := range mails.Items {
				if n.Kind == mail.GivenBack {
					given = append(given, n.Given)
				}
			}
			want := mail.Given{Amount: 9_000, Reason: "The soup was cold"}
			if err != nil || len(given) != 2 || given[0] != want {
				t.Errorf("letters %+v, %v", given, err)
			}
			if n := g.Count(t, `SELECT count(*) FROM audit_log
				WHERE action = 'reservation.given_back' AND detail->>'reason' = 'The soup was cold'`); n != 2 {
				t.Errorf("%d acts in the log, want 2", n)
			}
		})
	}
}

// A wallet gets back what it paid; a smaller party gets back no more than the restaurant still has; a payment that is
// refused after all takes nothing out that did not come back.
func TestGiveBack_WithWhatElseComesBack(t *testing.T) {
	t.Parallel()
	t.Run("a smaller party", func(t *testing.T) {
		t.Parallel()
		g := newGiver(t)
		id, diner := g.Confirmed(t, g.Slot("19:00"))
		before := g.balance(t, diner)
		g.mustGive(t, g.give(id, "a", 15_000))
		if _, err := g.Change(t, id, testkit.Party(1)); err != nil {
			t.Fatal(err)
		}
		if back := g.balance(t, diner) - before; back != 20_000 {
			t.Errorf("%d won came back, want 20000", back)
		}
		g.agree(t)
	})
	t.Run("the bank keeps the money back", func(t *testing.T) {
		t.Parallel()
		g := newGiver(t)
		diner := g.Diners(t, 1, 5_000)[0]
		p := g.begin(t, g.Reserve(t, g.Request(diner, g.Slot("19:00"))), diner, "pay")
		g.press(t, p.ID, practice.Overdrawn)
		g.mustSettle(t, p.ID)
		g.mustGive(t, g.give(p.ReservationID, "a", 8_000))
		g.work(t)
		g.wants(t, p, payments.Refused, booking.Refunded, 5_000)
	})
}

// twoGiveBack has two members of staff who saw the same give back a part at once, and returns how many did.
func (g giver) twoGiveBack(t *testing.T) (made int) {
	t.Helper()
	id := g.paid(t, 0).ReservationID
	left := int64(20_000)
	var wg sync.WaitGroup
	failed := make([]error, len(g.staff))
	for i, staff := range g.staff {
		wg.Go(func() {
			give := g.give(id, id, 8_000)
			give.StaffID, give.Left = staff, &left
			_, failed[i] = g.harness.Reservations.GiveBack(t.Context(), give)
		})
	}
	wg.Wait()
	for _, err := range failed {
		switch {
		case err == nil:
			made++
		case !errors.Is(err, booking.ErrChangedMeanwhile):
			t.Error(err)
		}
	}
	return made
}

func TestGiveBack_TwiceAtOnceIsOnce(t *testing.T) {
	t.Parallel()
	g := newGiver(t)
	for range 10 {
		if made := g.twoGiveBack(t); made != 1 {
			t.Fatalf("given back %d times", made)
		}
	}
	g.work(t)
	g.agree(t)
}

// Control: both have read the reservation before either writes.
func TestGiveBack_TwiceAtOnceWithoutLock(t *testing.T) {
	t.Parallel()
	g := newGiver(t)
	g.Weaken(db.LockReservation, unlocked)
	g.Weaken(db.InsertRefund, dbtest.Meeting(2))
	if made := g.twoGiveBack(t); made != 2 {
		t.Errorf("given back %d times without the lock: the test above proves nothing", made)
	}
}
