package db_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/db"
	"lunchgo/db/columns"
	"lunchgo/db/dbtest"
	"lunchgo/db/pg"
	"lunchgo/db/testkit"
)

// readSlotUnguarded reads what is left on the day of one slot without locking it. The rows must be there.
const readSlotUnguarded = `
	SELECT COALESCE(sum(party_size), 0) AS held,
		COALESCE(sum(party_size) FILTER (WHERE state = 'temporary'), 0) AS on_hold,
		(SELECT COALESCE(json_object_agg(menu_item_id, remaining), '{}')
		FROM menu_stock
		WHERE menu_item_id = ANY ($2) AND service_date = $3::date) AS stock, '[]' AS seats
	FROM reservations
	WHERE slot_id = ANY ($1) AND $4::date[] IS NOT NULL AND $5::text[] IS NOT NULL AND $6::text[] IS NOT NULL
		AND $7::bigint IS NOT NULL AND $8::bigint IS NOT NULL AND state IN ` + columns.HoldingStates

// The portions of the dish that everybody wants, and those who want it: one each, in twelve slots of one evening.
const (
	scarcePortions = 20
	dishCrowd      = 120
)

// contendForDish lets a crowd order a portion each at the same moment, in runs of the sizes in turn, at two instances,
// and returns how many got one. Everybody else must get the answer that none is left.
func contendForDish(t *testing.T, h *harness, guard func(string) string, sizes ...int) (served int) {
	t.Helper()
	stores := []*db.SlotStore{h.Slots}
	h.Weaken(db.ReadSlots, guard)
	stores = append(stores, db.NewSlotStore(h.Instance(t)))
	diners := h.Diners(t, dishCrowd, 0)
	var mu sync.Mutex
	var wg sync.WaitGroup
	start := make(chan struct{})
	for i := 0; len(diners) > 0; i++ {
		slot := h.Slot(booking.TimeOfDay(fmt.Sprintf("%02d:00", 10+i%12)))
		var run []booking.Request
		for _, id := range diners[:min(sizes[i%len(sizes)], len(diners))] {
			run = append(run, h.Ordering(id, slot, 1))
		}
		diners = diners[len(run):]
		wg.Go(func() {
			<-start
			outcomes, _, err := stores[i%2].Serve(t.Context(), h.Turn(slot, 1_000, 1), run)
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			for _, out := range outcomes {
				var short *booking.OutOfStockError
				if out.Reserves() {
					served++
				} else if !errors.As(out.Err, &short) {
					t.Errorf("got %v, want a portion or out of stock", out.Err)
				}
			}
		})
	}
	close(start)
	wg.Wait()
	return served
}

func TestStock_NeverOversold(t *testing.T) {
	t.Parallel()
	for name, sizes := range map[string][]int{"runs of 1": {1}, "runs of many": {16, 1, 7}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := setup(t)
			h.Limit(t, h.Menu[0], scarcePortions)
			served := contendForDish(t, h, dbtest.Intact, sizes...)
			if left := h.Left(t, h.Slot("12:00"))[h.Menu[0].ID]; served != scarcePortions || left != 0 {
				t.Errorf("%d were served and %d portions are left, want %d and 0", served, left, scarcePortions)
			}
			h.CheckStock(t)
		})
	}
}

// fewPortions are so few that those who have read at the same moment want more.
const fewPortions = 5

// contendUnlocked is contendForDish without the stock's lock: the first turns write when more of them have read than
// there are portions.
func contendUnlocked(t *testing.T, h *harness) (served int) {
	t.Helper()
	h.setStock(t, h.Slot("12:00").Date, fewPortions)
	h.Weaken(db.InsertReservations, dbtest.Meeting(fewPortions+2))
	return contendForDish(t, h, dbtest.Instead(readSlotUnguarded), 1)
}

// Control: without the stock's lock a dish is oversold.
func TestStock_WithoutLock(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.MustExec(t, `ALTER TABLE menu_stock DROP CONSTRAINT menu_stock_remaining`)
	if served := contendUnlocked(t, h); served <= fewPortions {
		t.Errorf("%d were served without the lock: the test above proves nothing", served)
	}
}

// The constraints alone keep a stock from going below zero: without the lock some are refused late, and none wrongly.
func TestStock_WithoutLockDatabaseRefuses(t *testing.T) {
	t.Parallel()
	h := setup(t)
	served := contendUnlocked(t, h)
	if left := h.Left(t, h.Slot("12:00"))[h.Menu[0].ID]; served != fewPortions || left != 0 {
		t.Errorf("%d were served and %d portions are left, want %d and 0", served, left, fewPortions)
	}
	h.CheckStock(t)
}

// deadlocks lets diners order the same three dishes in opposite orders in many slots at once, and returns how many
// transactions the server had to end because they waited for each other.
func deadlocks(t *testing.T, ordered bool) int {
	t.Helper()
	h := setupWith(t, testkit.Patient)
	third := booking.MenuItem{Category: "side", Name: booking.Text{Ko: "김치", En: "Kimchi"}, Price: 1}
	if _, err := h.Seeds.PutRestaurant(t.Context(), h.Restaurant, append(testkit.Menu(), third)); err != nil {
		t.Fatal(err)
	}
	h.MustExec(t, `UPDATE menu_items SET daily_quantity = 1000`)
	// Locking takes its time here, and a deadlock is noticed at once.
	h.MustExec(t, `
		CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.003); RETURN NEW; END';
		CREATE TRIGGER linger BEFORE INSERT ON menu_stock FOR EACH ROW EXECUTE FUNCTION linger();
		DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET deadlock_timeout = 20', current_database()); END $$`)
	menu, err := h.Catalog.ListMenu(t.Context(), h.Restaurant.ID)
	dbtest.Must(t, err)
	crowd := testkit.OpenAt(t, pg.Config{URL: h.URL + "&application_name=crowd", QueryTimeout: time.Minute,
		LockTimeout: 30 * time.Second, MaxConns: 8})
	if !ordered {
		crowd.Weaken(db.ReadSlots, dbtest.Replacing("ORDER BY ordered.day, item.id", ""))
	}
	var wg sync.WaitGroup
	for i, diner := range h.Diners(t, 24, 0) {
		req := h.Ordering(diner, h.Slot(booking.TimeOfDay(fmt.Sprintf("%02d:00", i%24))))
		for _, n := range [][]int{{1, 3, 2}, {3, 2, 1}}[i%2] {
			req.Items = append(req.Items, booking.Item{MenuItemID: menu[n-1].ID, Quantity: 1})
		}
		wg.Go(func() {
			outcomes, _, err := db.NewSlotStore(crowd).Serve(t.Context(), h.Turn(req.Slot, 1_000, 0),
				[]booking.Request{req})
			if ordered && (err != nil || !outcomes[0].Reserves()) {
				t.Errorf("%+v, %v", outcomes, err)
			}
		})
	}
	wg.Wait()
	if err := crowd.Close(); err != nil { // a session tells what it has counted when it ends
		t.Fatal(err)
	}
	const others = `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'crowd'`
	dbtest.Eventually(t, "the crowd has gone", func() bool { return h.Count(t, others) == 0 })
	return h.Count(t, `SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`)
}

// Diners who order the same dishes in opposite orders do not deadlock.
func TestStock_OppositeOrders(t *testing.T) {
	t.Parallel()
	if n := deadlocks(t, true); n != 0 {
		t.Errorf("%d deadlocks, want none", n)
	}
}

// Control: dishes that are locked in the order of the request deadlock.
func TestStock_UnsortedDeadlocks(t *testing.T) {
	t.Parallel()
	if n := deadlocks(t, false); n == 0 {
		t.Error("no deadlock without the order: the test above proves nothing")
	}
}

// cancelAgainstExpiry lets the diner cancel a reservation at the moment at which its hold is swept away, and returns
// how many portions of its dish are there afterwards that were not there before it was made.
func cancelAgainstExpiry(t *testing.T, h *harness, rounds int) (surplus int) {
	t.Helper()
	for round := range rounds {
		req := h.Ordering(h.Diners(t, 1, 0)[0], h.Slot(booking.TimeOfDay("12:"+twoDigits(round))), 2)
		req.HoldTime = 0
		id := h.Reserve(t, req)
		var wg sync.WaitGroup
		wg.Go(func() {
			_, err := h.Reservations.Cancel(t.Context(), id, reserve.Canceller{UserID: req.UserID})
			if err != nil && !errors.Is(err, booking.ErrWrongState) {
				t.Errorf("cancel: %v", err)
			}
		})
		for range 2 {
			wg.Go(func() { h.expire(t) })
		}
		wg.Wait()
		h.expire(t)
	}
	return h.Left(t, h.Slot("12:00"))[h.Menu[0].ID] - scarcePortions
}

// sweepingBefore sweeps holds away between the moment at which somebody has read a reservation and that at which they
// write.
func (h *harness) sweepingBefore(t testing.TB, write func(string) string) func(string) string {
	return func(query string) string {
		h.expire(t)
		return write(query)
	}
}

// A dish comes back once when its hold ends while its diner cancels.
func TestExpireHolds_AgainstCancel(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Limit(t, h.Menu[0], scarcePortions)
	h.Weaken(db.CancelReservation, changeSlowly)
	surplus := cancelAgainstExpiry(t, h, 10)
	h.Weaken(db.CancelReservation, h.sweepingBefore(t, dbtest.Intact))
	if surplus += cancelAgainstExpiry(t, h, 5); surplus != 0 {
		t.Errorf("%d portions too many came back", surplus)
	}
	h.CheckStock(t)
}

// Control: without compare-and-set a dish comes back twice.
func TestExpireHolds_WithoutCompareAndSetReturnsTwice(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Limit(t, h.Menu[0], scarcePortions)
	h.MustExec(t, `ALTER TABLE menu_stock DROP CONSTRAINT menu_stock_offered`)
	h.Weaken(db.LockReservation, unlocked)
	h.Weaken(db.CancelReservation, h.sweepingBefore(t, inAnyState))
	req := h.Ordering(h.Diners(t, 1, 0)[0], h.Slot("12:00"), 2)
	req.HoldTime = 0
	id := h.Reserve(t, req)
	h.MustCancel(t, id, req.UserID)
	if surplus := h.Left(t, req.Slot)[h.Menu[0].ID] - scarcePortions; surplus <= 0 {
		t.Errorf("%d came back twice without the guards: the test above proves nothing", surplus)
	}
}
