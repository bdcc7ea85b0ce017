package db_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"

	"lunchgo/app/booking"
	"lunchgo/db"
	"lunchgo/db/dbtest"
	"lunchgo/db/testkit"
)

// openHall puts a restaurant in the fixture that is open all day, with a row of so many seats at a counter, each a
// partner of the next, and covers for everybody: only its seats are scarce.
func (h *harness) openHall(t testing.TB, seats int) (ids []int64) {
	t.Helper()
	h.openLargePlace(t)
	for i := range seats {
		seat := booking.Seat{ID: int64(i + 1), Label: fmt.Sprint("C", i+1), Kind: booking.CounterSeat, Places: 1,
			Area: booking.Area{X: 100 * i, Width: 60, Height: 60}}
		if i > 0 {
			seat.Partners = []int64{int64(i)}
		}
		h.Restaurant.Seats = append(h.Restaurant.Seats, seat)
	}
	h.PutRoom(t)
	var err error
	if h.Menu, err = h.Catalog.ListMenu(t.Context(), h.Restaurant.ID); err != nil {
		t.Fatal(err)
	}
	for _, seat := range h.Restaurant.Seats {
		ids = append(ids, seat.ID)
	}
	return ids
}

// holders is how many reservations hold a seat in a slot.
func (h *harness) holders(t *testing.T, slot booking.SlotKey, seat int64) int {
	t.Helper()
	return h.Count(t, `
		SELECT count(*)
		FROM reservation_seats n
		JOIN slots s ON s.id = n.slot_id
		WHERE n.held AND n.seat_id = $1 AND s.service_date = $2::date AND s.service_time = $3::time`,
		seat, string(slot.Date), string(slot.Time))
}

// wantOneSeat has rivals press over HTTP for one seat of a slot. Everybody who does not get it must get the answer
// that it is taken.
func wantOneSeat(t *testing.T, h *harness, servers []*server, slot booking.SlotKey, seat int64, rivals int) *rush {
	t.Helper()
	c := newRush(t, rivals)
	for i, diner := range h.Diners(t, rivals, 0) {
		c.post(apiRequest{at: servers[i%len(servers)], path: "/api/reservations", userID: diner, body: map[string]any{
			"restaurantId": slot.RestaurantID, "date": slot.Date, "time": slot.Time, "partySize": 1, "seatIds": []int64{seat}}})
	}
	answers := c.run("one seat")
	c.served = answers[reply{Status: 201}]
	if c.served+answers[reply{Status: 409, Code: "seat_taken"}] != rivals {
		t.Errorf("not everybody got the seat or was refused as taken: %v", answers)
	}
	return c
}

// A thousand diners who want one seat at once: one gets it.
func TestSeat_ThousandRivalsOverHTTP(t *testing.T) {
	t.Parallel()
	h := setup(t)
	const rivals = 1_000
	seats, slot := h.openHall(t, 3), h.comingDay(1, "19:00")
	c := wantOneSeat(t, h, h.servers(t, 2), slot, seats[1], rivals)
	if c.served != 1 || h.holders(t, slot, seats[1]) != 1 {
		t.Errorf("%d won the seat, and %d hold it", c.served, h.holders(t, slot, seats[1]))
	}
	c.measured("one-seat", map[string]int{"diners": rivals, "seats": 1})
	checkBalances(t, h)
}

// One of many diners gets a seat where servers do not know one another's lines.
func TestSeat_LineLostOverHTTP(t *testing.T) {
	t.Parallel()
	h := setup(t)
	const rivals = 100
	seats, slot := h.openHall(t, 3), h.comingDay(1, "19:00")
	c := wantOneSeat(t, h, h.separate(t), slot, seats[1], rivals)
	if c.served != 1 || h.holders(t, slot, seats[1]) != 1 {
		t.Errorf("%d won the seat, and %d hold it", c.served, h.holders(t, slot, seats[1]))
	}
	c.measured("one-seat-apart", map[string]int{"diners": rivals, "seats": 1})
	checkBalances(t, h)
}

// The lock alone gives the seat to one, and so does the index alone; without both two sit on it.
func TestSeat_WithoutLockAndIndexOverHTTP(t *testing.T) {
	t.Parallel()
	h := setup(t)
	seats, servers := h.openHall(t, 3), h.separate(t)
	for _, server := range servers {
		server.Weaken(db.LockSlots, dbtest.Instead(lockSlotUnguarded))
	}
	for day := range 2 {
		h.Reserve(t, h.at(h.Diners(t, 1, 0)[0], h.comingDay(1+day, "19:00"), seats[0])) // makes the row
	}
	meetAtWriting(servers)
	if c := wantOneSeat(t, h, servers, h.comingDay(1, "19:00"), seats[2], 20); c.served != 1 {
		t.Errorf("with the index alone %d won", c.served)
	}
	h.MustExec(t, `DROP INDEX reservation_seats_one_holder`)
	meetAtWriting(servers)
	won := wantOneSeat(t, h, servers, h.comingDay(2, "19:00"), seats[2], 20).served
	if won < 2 || h.holders(t, h.comingDay(2, "19:00"), seats[2]) < 2 {
		t.Errorf("%d won without lock and index: the tests above prove nothing", won)
	}
}

// meetAtWriting holds a turn that has read the seats until one of another server has, before either writes.
func meetAtWriting(servers []*server) {
	meet := dbtest.Meeting(2)
	for _, server := range servers {
		server.Weaken(db.InsertReservations, meet)
	}
}

// deadlocks is how many the database has ended since setupWith made it.
func (h *harness) deadlocks(t *testing.T) int {
	t.Helper()
	h.MustExec(t, `SELECT pg_stat_force_next_flush()`)
	return h.Count(t, `SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`)
}

// TestSeat_OppositeOrdersOverHTTP has half of a crowd want seats [1,3,2], and the other half [3,2,1], at two servers
// that do not know of one another's lines, evening after evening: one gets all three, everybody else none.
func TestSeat_OppositeOrdersOverHTTP(t *testing.T) {
	t.Parallel()
	const evenings, rivals = 10, 12
	h := setupWith(t, testkit.Patient)
	seats, servers := h.openHall(t, 4), h.separate(t)
	orders := [][]int64{{seats[0], seats[2], seats[1]}, {seats[2], seats[1], seats[0]}}
	c := newRush(t, evenings*rivals)
	for i, diner := range h.Diners(t, evenings*rivals, 0) {
		slot := h.comingDay(1+i/rivals, "19:00")
		c.post(apiRequest{at: servers[i/2%2], path: "/api/reservations", userID: diner, body: map[string]any{
			"restaurantId": slot.RestaurantID, "date": slot.Date, "time": slot.Time, "partySize": 3, "seatIds": orders[i%2]}})
	}
	answers := c.run("opposite orders")
	if answers[reply{Status: 201}] != evenings ||
		answers[reply{Status: 409, Code: "seat_taken"}] != evenings*(rivals-1) {
		t.Errorf("answers: %v", answers)
	}
	for day := range evenings {
		for _, seat := range seats[:3] {
			if n := h.holders(t, h.comingDay(1+day, "19:00"), seat); n != 1 {
				t.Errorf("evening %d: %d hold seat %d", day, n, seat)
			}
		}
	}
	if n := h.deadlocks(t); n != 0 {
		t.Errorf("%d deadlocks", n)
	}
	c.served = evenings
	c.measured("three-seats", map[string]int{"evenings": evenings, "diners each": rivals})
	checkBalances(t, h)
}

// TestSeat_OneByOneDeadlocks is what the turn does not do: it takes seats in the order in which they were named, each
// by itself, without the lock of the slot.
func TestSeat_OneByOneDeadlocks(t *testing.T) {
	t.Parallel()
	h := setup(t)
	seats, slot := h.openHall(t, 4), h.comingDay(1, "19:00")
	diners := h.Diners(t, 2, 0)
	reservations := []string{h.Reserve(t, h.Request(diners[0], slot)), h.Reserve(t, h.Request(diners[1], slot))}
	h.MustExec(t, `DELETE FROM reservation_seats`)
	orders := [][]int64{{seats[0], seats[2], seats[1]}, {seats[2], seats[1], seats[0]}}
	var met, all sync.WaitGroup
	met.Add(2)
	ended := make([]error, 2)
	for i, order := range orders {
		all.Go(func() {
			tx := h.SQL().MustBeginTx(t.Context(), nil)
			defer tx.Rollback()
			for step, seat := range order {
				if _, err := tx.Exec(`INSERT INTO reservation_seats (reservation_id, slot_id, restaurant_id, seat_id)
					SELECT id, slot_id, restaurant_id, $2 FROM reservations WHERE id = $1`, reservations[i], seat); err != nil {
					ended[i] = err
					return
				}
				if step == 0 {
					met.Done()
					met.Wait() // each holds its first seat
				}
			}
		})
	}
	all.Wait()
	if !slices.ContainsFunc(ended, func(err error) bool { return pq.As(err, pqerror.TRDeadlockDetected) != nil }) {
		t.Errorf("no deadlock: the test above proves nothing: %v", ended)
	}
}
