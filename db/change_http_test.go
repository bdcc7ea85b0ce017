package db

import (
	"net/http"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
)

// Crowds that change their reservations, and how many of them fit into the slot that they all want.
const (
	changers = 120
	places   = 20
)

// nextDays is a bookable slot some days from now.
func (f *fixture) nextDays(n int, at booking.TimeOfDay) booking.SlotKey {
	return booking.SlotKey{RestaurantID: f.restaurant.ID, Date: booking.DateOf(time.Now(), f.restaurant.Location).AddDays(n), Time: at}
}

// sit reserves a seat each for n new diners in a slot, and returns who has which reservation.
func (f *fixture) sit(t *testing.T, slot booking.SlotKey, n int) (diners, ids []string) {
	t.Helper()
	diners = f.diners(t, n, 100_000)
	var run []booking.Request
	for _, diner := range diners {
		req := f.request(diner, slot)
		req.PartySize, req.Items = 1, nil
		run = append(run, req)
	}
	outcomes, _, err := f.slots.Serve(t.Context(), f.turn(slot, 1_000, 0), run)
	if err != nil {
		t.Fatal(err)
	}
	for _, out := range outcomes {
		ids = append(ids, out.ReservationID)
	}
	return diners, ids
}

// move is what a diner's program sends to have another slot.
func move(at *server, id, diner string, to booking.SlotKey) press {
	return press{at: at, method: http.MethodPatch, path: "/api/reservations/" + id, userID: diner,
		body: map[string]any{"date": to.Date, "time": to.Time}}
}

// wantLastSeats has a crowd that sits in one slot change into the last seats of another, over HTTP, and returns how many were
// told that they sit there. Everybody else must be told that it is sold out.
func wantLastSeats(t *testing.T, f *fixture, servers []*server, crowd int, from, to booking.SlotKey, seats int) (moved int) {
	t.Helper()
	diners, ids := f.sit(t, from, crowd)
	if _, _, err := f.slots.Serve(t.Context(), f.turn(to, seats, 0), nil); err != nil {
		t.Fatal(err)
	}
	c := newRush(t, crowd)
	for i, diner := range diners {
		c.post(move(servers[i%2], ids[i], diner, to))
	}
	answers := c.run("changes into the last seats of a slot")
	moved = answers[heard{Status: 200}]
	if moved+answers[heard{Status: 409, Code: "sold_out"}] != crowd {
		t.Errorf("not everybody was moved or told that it is sold out: %v", answers)
	}
	if held := f.held(t, from) + f.held(t, to); held != crowd {
		t.Errorf("%d seats are held by a crowd of %d", held, crowd)
	}
	return moved
}

// Changes never oversell a slot, and no diner loses a seat by one.
func TestChange_NeverOversellsOverHTTP(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("a crowd of hundreds takes seconds")
	}
	f := setup(t)
	f.openLargePlace(t)
	for i, servers := range [][]*server{f.servers(t, 2), f.separate(t)} { // with their lines, and without
		to := f.nextDays(2+i, "19:00")
		if moved := wantLastSeats(t, f, servers, changers, f.nextDays(2+i, "12:00"), to, places); moved != places || f.held(t, to) != places {
			t.Errorf("%d were moved and %d seats are held, want %d", moved, f.held(t, to), places)
		}
	}
	checkReservations(t, f)
}

// TestChange_WithoutLockOverHTTP has two changes read that the last seat is free, before either takes it.
func TestChange_WithoutLockOverHTTP(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.openLargePlace(t)
	servers, meet := f.separate(t), meeting(2)
	for _, server := range servers {
		server.weakenGuard(lockSlots, instead(lockSlotUnguarded))
		server.weakenGuard(lockSlotOfChange, replacing("FOR NO KEY UPDATE", ""))
		server.weakenGuard(updateTerms, meet)
	}
	to := f.nextDays(2, "19:00")
	if moved := wantLastSeats(t, f, servers, 12, f.nextDays(2, "12:00"), to, 1); moved < 2 || f.held(t, to) < 2 {
		t.Errorf("%d were moved to one seat without the lock: the test above proves nothing", moved)
	}
}

// TestChange_OppositeDirectionsOverHTTP lets two crowds change places at the same moment, each into the slot of the other,
// while holds end and staff cancel.
func TestChange_OppositeDirectionsOverHTTP(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("a crowd of hundreds takes seconds")
	}
	f := setup(t)
	f.openLargePlace(t)
	servers := f.servers(t, 2)
	slots := []booking.SlotKey{f.nextDays(2, "12:00"), f.nextDays(3, "12:00")}
	c := newRush(t, changers)
	for side, slot := range slots {
		diners, ids := f.sit(t, slot, changers/2)
		for i, diner := range diners {
			c.post(move(servers[(i+side)%2], ids[i], diner, slots[1-side]))
		}
	}
	f.mustExec(t, `UPDATE slots SET capacity = $1`, changers/2+places)
	stop := sweep(t, c.start, servers)
	answers := c.run("changes in opposite directions")
	stop()
	if moved := answers[heard{Status: 200}]; moved+answers[heard{Status: 409, Code: "sold_out"}] != changers || moved == 0 {
		t.Errorf("not everybody was moved or told that it is sold out: %v", answers)
	}
	if a, b := f.held(t, slots[0]), f.held(t, slots[1]); a+b != changers || max(a, b) > changers/2+places {
		t.Errorf("%d and %d seats are held by a crowd of %d", a, b, changers)
	}
	if n := f.count(t, `SELECT count(*) FROM reservations WHERE state = 'temporary'`); n != changers {
		t.Errorf("%d reservations are left of %d", n, changers)
	}
	checkReservations(t, f)
}

// TestChange_FreeingFirstLosesSeats does by two requests what a change does in one: cancel, and then reserve.
func TestChange_FreeingFirstLosesSeats(t *testing.T) {
	t.Parallel()
	const leavers = 2 * places
	f := setup(t)
	f.openLargePlace(t)
	servers := f.servers(t, 2)
	from, to := f.nextDays(2, "12:00"), f.nextDays(2, "19:00")
	diners, ids := f.sit(t, from, leavers)
	if _, _, err := f.slots.Serve(t.Context(), f.turn(to, places, 0), nil); err != nil {
		t.Fatal(err)
	}
	for i, diner := range diners {
		if _, err := f.reservations.Cancel(t.Context(), ids[i], reserve.Canceller{UserID: diner}); err != nil {
			t.Fatal(err)
		}
	}
	c := newRush(t, leavers)
	for i, diner := range diners {
		c.post(press{at: servers[i%2], path: "/api/reservations", userID: diner,
			body: map[string]any{"restaurantId": f.restaurant.ID, "date": to.Date, "time": to.Time, "partySize": 1}})
	}
	c.run("the old freed before the new is held")
	if held := f.held(t, from) + f.held(t, to); held == leavers {
		t.Error("nobody lost their seat: the test above proves nothing")
	}
}
