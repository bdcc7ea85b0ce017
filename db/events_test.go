package db_test

import (
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/db"
	"lunchgo/db/audits"
	"lunchgo/db/dbtest/measured"
	"lunchgo/db/testkit"
)

// wrongReservations counts reservations whose money is not what their state says: what was paid and what came back
// stand in the ledger, each once.
const wrongReservations = `
	SELECT count(*)
	FROM reservations r
	CROSS JOIN LATERAL (
		SELECT COALESCE(-sum(amount) FILTER (WHERE kind IN ('deposit', 'prepay', 'change')), 0) AS paid,
			COALESCE(sum(amount) FILTER (WHERE kind = 'refund'), 0) AS back
		FROM ledger_entries e
		WHERE e.reservation_id = r.id
	) ledger
	CROSS JOIN LATERAL (
		SELECT COALESCE(sum(kept), 0) AS kept
		FROM reservation_changes c
		WHERE c.reservation_id = r.id
	) changes
	CROSS JOIN LATERAL (
		SELECT CASE r.discount_use WHEN 'deposit' THEN r.discount_amount ELSE 0 END AS deposit_off,
			CASE r.discount_use WHEN 'menu' THEN r.discount_amount ELSE 0 END AS menu_off
	) coupon
	WHERE r.paid_amount + kept <> ledger.paid
		OR ledger.back <> CASE WHEN r.state IN ('refunded', 'expired') THEN r.refund_amount ELSE 0 END
		OR r.refund_amount <> 0 AND r.state NOT IN ('refund_pending', 'refunded', 'expired')
		OR r.paid_amount <> CASE
			WHEN r.state IN ('temporary', 'cancelled') THEN 0
			WHEN r.state = 'expired' THEN r.refund_amount
			WHEN r.state = 'prepaid_confirmed' OR r.payment_kind = 'prepay'
			THEN greatest(r.deposit_amount, r.menu_amount - menu_off) - deposit_off
			ELSE r.deposit_amount - deposit_off
		END`

// checkBalances fails unless money, seats and dishes are where the states of all reservations say, and an auditor finds
// nothing either.
func checkBalances(t testing.TB, h *harness) {
	t.Helper()
	if n := h.Count(t, wrongReservations); n != 0 {
		t.Errorf("the money of %d reservations is not what their states say", n)
	}
	report, err := audits.NewStore(h.Pool).Audit(t.Context())
	if err != nil || report.Found() != 0 {
		t.Errorf("the audit: %+v, %v", report.Wrong(), err)
	}
}

// eventful is a booking that everything happens to, in a slot of its own, with dishes from the stock.
type eventful struct {
	*harness
	slot      booking.SlotKey
	id, diner string
	host      string // a member of staff
}

// event is something that happens to a booking.
type event struct {
	name   string
	happen func(t testing.TB, b eventful) error
}

func pays(kind booking.PaymentKind) event {
	return event{string(kind), func(t testing.TB, b eventful) error {
		_, err := b.Pay(t, b.id, b.diner, kind, string(kind)+b.id)
		return err
	}}
}

// marks marks a party, one mark after another.
func marks(states ...booking.State) event {
	return event{fmt.Sprint(states), func(t testing.TB, b eventful) error {
		for _, state := range states {
			if _, err := b.AtStart().Mark(t.Context(), b.id, state, b.host); err != nil {
				return err
			}
		}
		return nil
	}}
}

var (
	dinerCancels = event{"cancel", func(t testing.TB, b eventful) error {
		_, err := b.Reservations.Cancel(t.Context(), b.id, reserve.Canceller{UserID: b.diner})
		return err
	}}
	staffCancels = event{"staff cancel", func(t testing.TB, b eventful) error {
		_, err := b.Reservations.CancelByStaff(t.Context(), b.id, b.host, "")
		return err
	}}
	// staffErr marks a party as a no-show and takes that back.
	staffErr = event{"no-show undone", func(t testing.TB, b eventful) error {
		if err := marks(booking.NoShow).happen(t, b); err != nil {
			return err
		}
		_, err := b.AtStart().Undo(t.Context(), b.id, booking.NoShow, b.host)
		return err
	}}

	expires = event{"expire", func(t testing.TB, b eventful) error {
		err := b.Exec(t.Context(), `
			UPDATE reservations
			SET hold_expires_at = clock_timestamp() - interval '1 second'
			WHERE id = $1 AND state = 'temporary'`, b.id)
		if err == nil {
			_, err = b.Reservations.ExpireHolds(t.Context(), 1_000)
		}
		return err
	}}
	settles = event{"settle", func(t testing.TB, b eventful) error {
		_, err := b.Reservations.SettleRefunds(t.Context(), 1_000)
		return err
	}}
	// dinerChanges gives the party another time, more persons and fewer dishes.
	dinerChanges = event{"change", func(t testing.TB, b eventful) error {
		req := b.Wanting(t, b.id, func(req *booking.Request) {
			testkit.Party(3)(req)
			req.Slot.Time, req.Items = "03:33", req.Items[:1]
		})
		outcomes, _, err := b.Slots.Serve(t.Context(), b.Turn(req.Slot, 1_000_000, 0), []booking.Request{req})
		if err != nil {
			return err
		}
		return outcomes[0].Err
	}}
	staffClose = event{"close", func(t testing.TB, b eventful) error {
		return b.setClosed(t, b.slot, true, b.host)
	}}
	staffTakeSeats = event{"no seats", func(t testing.TB, b eventful) error {
		return b.SetCapacity(t, b.slot, 0, b.host)
	}}
)

// staffChanges are what the restaurant may do to a booking or to its slot.
var staffChanges = []event{staffCancels, marks(booking.Arrived, booking.Seated, booking.Completed),
	marks(booking.NoShow), staffErr, staffClose, staffTakeSeats}

// refusals are the answers of an event that comes too late: it has changed nothing.
var refusals = []error{booking.ErrAlreadyPaid, booking.ErrWrongState, booking.ErrHoldExpired, booking.ErrReturned,
	booking.ErrBelowSold, booking.ErrChangedMeanwhile, booking.ErrNothingToChange}

func isRefusal(err error) bool {
	return err == nil || slices.ContainsFunc(refusals, func(refusal error) bool { return errors.Is(err, refusal) })
}

// bookings are so many of them, each of another diner in a slot of its own, two of three with a coupon.
func (h *harness) bookings(t testing.TB, n int) []eventful {
	t.Helper()
	host := h.Diners(t, 1, 0)[0]
	diners := h.Diners(t, n, 100_000)
	coupons := []int64{0, h.Campaign(t, "deposit-"+rand.Text(), n), h.menuCampaign(t, "menu-"+rand.Text(), n)}
	h.GiveCoupons(t, coupons[1], diners...)
	h.GiveCoupons(t, coupons[2], diners...)
	all := make([]eventful, 0, n)
	for i, diner := range diners {
		b := eventful{harness: h, slot: h.Slot(booking.TimeOfDay(twoDigits(i/60%24) + ":" + twoDigits(i%60))),
			diner: diner, host: host}
		b.slot.Date = b.slot.Date.AddDays(i / 1440)
		req := h.Ordering(diner, b.slot, 2, 1)
		req.CouponID = coupons[i%len(coupons)]
		b.id = h.Reserve(t, req)
		all = append(all, b)
	}
	return all
}

// orders are all orders of events.
func orders(events []event) [][]event {
	if len(events) == 0 {
		return [][]event{nil}
	}
	var all [][]event
	for i, first := range events {
		rest := slices.Delete(slices.Clone(events), i, i+1)
		for _, order := range orders(rest) {
			all = append(all, append([]event{first}, order...))
		}
	}
	return all
}

// TestEvents_EveryOrderBalances plays all orders of paying, expiry, cancelling, a change by staff and the worker that
// refunds, for each change that staff or the diner can make and both ways to pay, each order on a booking of its own.
func TestEvents_EveryOrderBalances(t *testing.T) {
	t.Parallel()
	played := 0
	for i, change := range slices.Concat(staffChanges, []event{dinerChanges}) {
		kind := []booking.PaymentKind{booking.Deposit, booking.Prepay}[i%2]
		all := orders([]event{pays(kind), expires, dinerCancels, change, settles})
		played += len(all)
		t.Run(change.name, func(t *testing.T) {
			t.Parallel()
			h := setup(t)
			h.Limit(t, h.Menu[0], 1_000)
			bookings := h.bookings(t, len(all))
			var wg sync.WaitGroup
			for worker := range 4 {
				wg.Go(func() {
					for i := worker; i < len(all); i += 4 {
						bookings[i].play(t, all[i])
					}
				})
			}
			wg.Wait()
			checkBalances(t, h)
			h.checkNothingPends(t)
		})
	}
	measured.Log(t, "orders-of-events", map[string]int{"orders": played}, nil)
}

// play lets events happen one after another, and then the worker.
func (b eventful) play(t testing.TB, order []event) {
	var log []string
	for _, e := range append(order, expires, settles) {
		err := e.happen(t, b)
		log = append(log, fmt.Sprintf("%s: %v", e.name, err))
		if !isRefusal(err) {
			t.Errorf("%v", log)
		}
	}
}

func (h *harness) checkNothingPends(t testing.TB) {
	t.Helper()
	if n := h.Count(t, `SELECT count(*) FROM reservations WHERE state IN ('temporary', 'refund_pending')`); n != 0 {
		t.Errorf("%d reservations still wait for something", n)
	}
}

// eventsAtOnce lets all events happen to bookings at the same moment, at two instances, and returns how many bookings
// have money that their state does not explain.
func eventsAtOnce(t *testing.T, h *harness, rounds int) (wrong int) {
	t.Helper()
	second := newHarness(h.Instance(t), h.URL)
	second.Restaurant = h.Restaurant
	for i, b := range h.bookings(t, rounds) {
		other := b
		other.harness = second
		kind := []booking.PaymentKind{booking.Deposit, booking.Prepay}[i%2]
		start := make(chan struct{})
		var wg sync.WaitGroup
		for j, e := range []event{pays(kind), expires, dinerCancels, staffChanges[i%len(staffChanges)], settles,
			pays(booking.Deposit), dinerChanges} {
			at := []eventful{b, other}[j%2]
			wg.Go(func() {
				<-start
				if err := e.happen(t, at); !isRefusal(err) {
					t.Errorf("booking %d, %s: %v", i, e.name, err)
				}
			})
		}
		close(start)
		wg.Wait()
	}
	return h.Count(t, wrongReservations)
}

// All events at once leave the money where the states say.
func TestEvents_AtOnceBalance(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Limit(t, h.Menu[0], 1_000)
	h.Weaken(db.CancelReservation, changeSlowly)
	if wrong := eventsAtOnce(t, h, 40); wrong != 0 {
		t.Errorf("the money of %d bookings is not what their states say", wrong)
	}
	h.MustExec(t, `UPDATE reservations SET hold_expires_at = now() - interval '1 second' WHERE state = 'temporary'`)
	h.sweepHolds(t)
	h.settle(t)
	checkBalances(t, h)
	h.checkNothingPends(t)
}

// TestEvents_WithoutGuards has a booking paid for after its cancellation has read it and before that
// writes.
func TestEvents_WithoutGuards(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.MustExec(t, `ALTER TABLE reservations DROP CONSTRAINT reservations_sound`)
	b := h.bookings(t, 1)[0]
	h.Weaken(db.LockReservation, unlocked)
	h.Weaken(db.CancelReservation, func(query string) string {
		if err := pays(booking.Deposit).happen(t, b); err != nil {
			t.Error(err)
		}
		return inAnyState(query)
	})
	if err := dinerCancels.happen(t, b); err != nil {
		t.Error(err)
	}
	if h.Count(t, wrongReservations) == 0 {
		t.Error("without the guards all books balance: the tests above prove nothing")
	}
}
