package db_test

import (
	"context"
	"sync"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/db"
	"lunchgo/db/dbtest"
	"lunchgo/db/testkit"
)

// swapSlots lets two instances serve runs of changes at the same moment, again and again: each into the slot that the
// other's leave. It returns how many transactions the server had to end because they waited for each other.
func swapSlots(t *testing.T, h *harness, rounds int) int {
	t.Helper()
	stores := []*db.SlotStore{db.NewSlotStore(h.Instance(t)), db.NewSlotStore(h.Instance(t))}
	slots := []booking.SlotKey{h.Slot("12:00"), h.Slot("18:00")}
	slots[1].Date = slots[1].Date.AddDays(3)
	_, first := h.sit(t, slots[0], 6)
	_, second := h.sit(t, slots[1], 6)
	sides := [][]string{first, second}
	for round := range rounds {
		var wg sync.WaitGroup
		for side, ids := range sides {
			to := slots[(side+1+round)%2]
			var run []booking.Request
			for _, id := range ids {
				run = append(run, h.Wanting(t, id, at(to)))
			}
			wg.Go(func() {
				outcomes, _, err := stores[side].Serve(t.Context(), h.Turn(to, 1_000, int64(1+round)), run)
				for _, out := range outcomes {
					if out.Err != nil {
						t.Error(out.Err)
					}
				}
				if err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
	}
	return h.deadlocks(t)
}

// Runs of changes in opposite directions never wait for each other: all lock the slots in one order.
func TestServe_ChangesLockInOneOrder(t *testing.T) {
	t.Parallel()
	h := setupWith(t, testkit.Patient)
	if n := swapSlots(t, h, 10); n != 0 {
		t.Errorf("%d deadlocks", n)
	}
	checkBalances(t, h)
}

// Control: runs that lock the turn's slot first, and then those which their changes leave, wait for each other.
func TestServe_ChangesThatLockTheirTurnFirst(t *testing.T) {
	t.Parallel()
	h := setupWith(t, testkit.Patient)
	// Both begin at once, and the pause lets both have their first lock.
	together, turnFirst := dbtest.Meeting(2), dbtest.Replacing("ORDER BY day, at", "ORDER BY fence DESC")
	h.Weaken(db.LockSlotsOfChanges, func(query string) string { return together(turnFirst(query)) })
	slow := `CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.3); RETURN NEW; END $$`
	h.MustExec(t, slow)
	h.MustExec(t, `CREATE TRIGGER pauses BEFORE UPDATE ON slots FOR EACH ROW EXECUTE FUNCTION pause()`)
	if n := swapSlots(t, h, 1); n == 0 {
		t.Error("no deadlock: the test above proves nothing")
	}
}

// cancelDuring cancels a reservation while a run that changes it has read it and not yet written, and returns what the
// change and the cancellation said.
func cancelDuring(t *testing.T, h *harness) (changed, cancelled error) {
	t.Helper()
	diner := h.Diners(t, 1, 100_000)[0]
	id := h.Reserve(t, h.Request(diner, h.Slot("18:00")))
	h.MustPay(t, id, diner, booking.Deposit, "pay")
	req := h.Wanting(t, id, func(req *booking.Request) { testkit.Party(3)(req); req.Slot = h.Slot("19:00") })
	other := db.NewReservationStore(h.Instance(t))
	over := make(chan struct{})
	h.Weaken(db.UpdateTerms, func(query string) string {
		go func() {
			defer close(over)
			_, cancelled = other.Cancel(context.WithoutCancel(t.Context()), id, reserve.Canceller{UserID: diner})
		}()
		dbtest.AwaitLockOr(t, h.SQL(), dbtest.Closed(over))
		return query
	})
	outcomes, _, err := h.Slots.Serve(t.Context(), h.Turn(req.Slot, 10, 0), []booking.Request{req})
	if err == nil {
		err = outcomes[0].Err
	}
	<-over
	return err, cancelled
}

// A cancellation waits for a run that changes the reservation, and refunds what was paid after the change.
func TestServe_ChangeHoldsItsReservation(t *testing.T) {
	t.Parallel()
	h := setup(t)
	if changed, cancelled := cancelDuring(t, h); changed != nil || cancelled != nil {
		t.Errorf("the change: %v, the cancellation: %v", changed, cancelled)
	}
	if n := h.Count(t, `SELECT refund_amount FROM reservations`); n != 30_000 {
		t.Errorf("%d won are refunded, want 30,000", n)
	}
	checkBalances(t, h)
}

// Control: without the lock of the reservation the cancellation comes between, and the change fails.
func TestServe_ChangeWithoutLockOfItsReservation(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Weaken(db.LockChanging, dbtest.Replacing("FOR UPDATE", ""))
	if changed, cancelled := cancelDuring(t, h); changed == nil || cancelled != nil {
		t.Errorf("the change: %v, the cancellation: %v: the test above proves nothing", changed, cancelled)
	}
}
