package db_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/db"
	"lunchgo/db/dbtest"
)

// wantWithHosts has diners and hosts book over HTTP in the same slot at once, and returns how many seats were given
// away. All others must get the answer that it is sold out.
func wantWithHosts(t *testing.T, h *harness, servers []*server, slot booking.SlotKey, diners, guests int) (seats int) {
	t.Helper()
	c := newRush(t, diners+guests)
	hosts := []string{h.Host(t), h.Host(t)}
	for i, diner := range h.Diners(t, diners, 0) {
		c.post(apiRequest{at: servers[i%len(servers)], path: "/api/reservations", userID: diner, body: map[string]any{
			"restaurantId": slot.RestaurantID, "date": slot.Date, "time": slot.Time, "partySize": 1}})
	}
	for i := range guests {
		c.post(apiRequest{at: servers[i%len(servers)], userID: hosts[i%len(hosts)],
			path: fmt.Sprintf("/api/staff/restaurants/%d/reservations", slot.RestaurantID), body: map[string]any{
				"date": slot.Date, "time": slot.Time, "partySize": 1, "name": fmt.Sprint("Guest ", i), "source": "phone"}})
	}
	answers := c.run("hosts and diners")
	made := answers[reply{Status: 201}]
	if made+answers[reply{Status: 409, Code: "sold_out"}] != diners+guests {
		t.Errorf("not everybody got seats or was refused as sold out: %v", answers)
	}
	return made
}

// Hosts and diners who want the last seats at once: exactly those are given away, in the order of the line. The diners
// alone are too few to take all of them.
func TestGuests_RaceDinersOverHTTP(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.openLargePlace(t)
	slot := h.comingDay(1, "19:00")
	h.makeSlot(t, slot, scarceSeats)
	if made := wantWithHosts(t, h, h.servers(t, 2), slot, scarceSeats-1, scarceSeats-5); made != scarceSeats ||
		h.held(t, slot) != scarceSeats {
		t.Errorf("%d seats given away, %d are held, of %d", made, h.held(t, slot), scarceSeats)
	}
	arrivals, err := h.Slots.ListArrivals(t.Context(), slot)
	if err != nil || !slices.IsSortedFunc(arrivals, func(a, b db.Arrival) int { return int(a.Number - b.Number) }) {
		t.Errorf("not in the order of the line: %v, %v", arrivals, err)
	}
	if n := h.Count(t, `SELECT count(*) FROM reservations WHERE source = 'phone'`); n == 0 {
		t.Error("no seat went to a guest")
	}
	checkBalances(t, h)
}

// Control: where servers do not know one another's lines and the slot is not locked, hosts and diners oversell it.
func TestGuests_WithoutLockOversellOverHTTP(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.openLargePlace(t)
	slot, servers := h.comingDay(1, "19:00"), h.separate(t)
	h.makeSlot(t, slot, 1)
	for _, server := range servers {
		server.Weaken(db.LockSlots, dbtest.Instead(lockSlotUnguarded))
	}
	meetAtWriting(servers)
	wantWithHosts(t, h, servers, slot, 10, 10)
	if held := h.held(t, slot); held <= 1 {
		t.Errorf("%d seats are held of 1 without the lock: the test above proves nothing", held)
	}
}

// seatTwoParties has two hosts, at two servers, seat a walk-in each at one table, and returns how many sit there.
func seatTwoParties(t *testing.T, h *harness, servers []*server, slot booking.SlotKey, seat int64) (won int) {
	t.Helper()
	c := newRush(t, 2)
	for _, server := range servers {
		c.post(apiRequest{at: server, userID: h.Host(t),
			path: fmt.Sprintf("/api/staff/restaurants/%d/reservations", slot.RestaurantID), body: map[string]any{
				"date": slot.Date, "time": slot.Time, "partySize": 1, "seatIds": []int64{seat}, "source": "walk_in", "seated": true}})
	}
	answers := c.run("one table")
	won = answers[reply{Status: 201}]
	if won+answers[reply{Status: 409, Code: "seat_taken"}] != 2 {
		t.Errorf("a host got neither the table nor that it is taken: %v", answers)
	}
	return won
}

// Two hosts who seat two parties at one table: one does.
func TestGuests_TwoHostsOneTableOverHTTP(t *testing.T) {
	t.Parallel()
	h := setup(t)
	seats, servers := h.openHall(t, 3), h.servers(t, 2)
	for day := range 5 {
		slot := h.comingDay(1+day, "19:00")
		if won := seatTwoParties(t, h, servers, slot, seats[1]); won != 1 || h.holders(t, slot, seats[1]) != 1 {
			t.Errorf("%d won the table, and %d hold it", won, h.holders(t, slot, seats[1]))
		}
	}
	checkBalances(t, h)
}

// Control: without the lock of the slot and the index both sit there.
func TestGuests_TwoHostsWithoutGuards(t *testing.T) {
	t.Parallel()
	h := setup(t)
	seats, servers := h.openHall(t, 3), h.separate(t)
	slot := h.comingDay(1, "19:00")
	h.makeSlot(t, slot, 1_000)
	for _, server := range servers {
		server.Weaken(db.LockSlots, dbtest.Instead(lockSlotUnguarded))
	}
	meetAtWriting(servers)
	h.MustExec(t, `DROP INDEX reservation_seats_one_holder`)
	if won := seatTwoParties(t, h, servers, slot, seats[1]); won != 2 {
		t.Errorf("%d sit at the table without the guards: the test above proves nothing", won)
	}
}

// twoUndo lets two hosts take a party back to confirmed at once, and returns how many did.
func twoUndo(t *testing.T, h *harness, slot booking.SlotKey) (undone int) {
	t.Helper()
	seen := h.Mark(t, h.Reserve(t, h.Guest(h.Host(t), slot)), booking.Arrived, booking.Seated)
	var wg sync.WaitGroup
	var mu sync.Mutex
	start := make(chan struct{})
	for _, host := range []string{h.Host(t), h.Host(t)} {
		wg.Go(func() {
			<-start
			_, err := h.AtStart().UndoTo(t.Context(), seen, booking.Confirmed, host)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				undone++
			} else if !errors.Is(err, booking.ErrWrongState) {
				t.Error(err)
			}
		})
	}
	close(start)
	wg.Wait()
	return undone
}

// Two hosts who take marks back at once: one does, and the log has it once.
func TestUndoTo_TwoHostsAtOnce(t *testing.T) {
	t.Parallel()
	h := setup(t)
	for minute := range 10 {
		if n := twoUndo(t, h, h.Slot(booking.TimeOfDay("12:"+twoDigits(minute)))); n != 1 {
			t.Errorf("%d hosts have taken the marks back", n)
		}
	}
	if n := h.Count(t, `SELECT count(*) FROM audit_log WHERE action = 'reservation.undo'`); n != 10 {
		t.Errorf("%d are written down, want 10", n)
	}
}

// Control: both have read the marks before either writes.
func TestUndoTo_WithoutLockAndCompareAndSetBothDo(t *testing.T) {
	t.Parallel()
	h := setup(t)
	both := dbtest.Meeting(2)
	seen := h.Slot("12:00")
	h.Weaken(db.LockReservation, unlocked)
	var marks atomic.Int64
	h.Weaken(db.UpdateAttendance, func(query string) string {
		if marks.Add(1) <= 2 {
			return query // the marks that are taken back
		}
		return inAnyState(both(query))
	})
	if n := twoUndo(t, h, seen); n != 2 {
		t.Errorf("%d hosts have taken the marks back without the guards: the test above proves nothing", n)
	}
}
