package db_test

import (
	"net/http"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/db"
	"lunchgo/db/columns"
	"lunchgo/db/dbtest"
)

// Crowds that change their reservations, and how many of them fit into the slot that they all want.
const (
	changeCrowd = 120
	scarceSeats = 20
)

// comingDay is a bookable slot some days from now.
func (h *harness) comingDay(n int, at booking.TimeOfDay) booking.SlotKey {
	return booking.SlotKey{RestaurantID: h.Restaurant.ID,
		Date: booking.DateOf(time.Now(), h.Restaurant.Location).AddDays(n), Time: at}
}

// sit reserves a seat each for n new diners in a slot, and returns who has which reservation.
func (h *harness) sit(t *testing.T, slot booking.SlotKey, n int) (diners, ids []string) {
	t.Helper()
	diners = h.Diners(t, n, 100_000)
	var run []booking.Request
	for _, diner := range diners {
		req := h.Request(diner, slot)
		req.PartySize, req.Items = 1, nil
		run = append(run, req)
	}
	outcomes, _, err := h.Slots.Serve(t.Context(), h.Turn(slot, 1_000, 0), run)
	dbtest.Must(t, err)
	for _, out := range outcomes {
		ids = append(ids, out.ReservationID)
	}
	return diners, ids
}

// move is what a diner's program sends to have another slot.
func move(at *server, id, diner string, to booking.SlotKey) apiRequest {
	return apiRequest{at: at, method: http.MethodPatch, path: "/api/reservations/" + id, userID: diner,
		body: map[string]any{"date": to.Date, "time": to.Time}}
}

// wantLastSeats has a crowd that sits in one slot change into the last seats of another, over HTTP.
// Everybody who does not move must get the answer that it is sold out.
func wantLastSeats(t *testing.T, h *harness, servers []*server, crowd int, from, to booking.SlotKey,
	seats int) *rush {
	t.Helper()
	diners, ids := h.sit(t, from, crowd)
	if _, _, err := h.Slots.Serve(t.Context(), h.Turn(to, seats, 0), nil); err != nil {
		t.Fatal(err)
	}
	c := newRush(t, crowd)
	for i, diner := range diners {
		c.post(move(servers[i%2], ids[i], diner, to))
	}
	answers := c.run("changes into the last seats of a slot")
	c.served = answers[reply{Status: 200}]
	if c.served+answers[reply{Status: 409, Code: "sold_out"}] != crowd {
		t.Errorf("not everybody moved or was refused as sold out: %v", answers)
	}
	if held := h.held(t, from) + h.held(t, to); held != crowd {
		t.Errorf("%d seats are held by a crowd of %d", held, crowd)
	}
	return c
}

// Changes never oversell a slot, and no diner loses a seat by one.
func TestChange_NeverOversellsOverHTTP(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.openLargePlace(t)
	for i, servers := range [][]*server{h.servers(t, 2), h.separate(t)} { // with their lines, and without
		to := h.comingDay(2+i, "19:00")
		c := wantLastSeats(t, h, servers, changeCrowd, h.comingDay(2+i, "12:00"), to, scarceSeats)
		if c.served != scarceSeats || h.held(t, to) != scarceSeats {
			t.Errorf("%d were moved and %d seats are held, want %d", c.served, h.held(t, to), scarceSeats)
		}
		c.measured([]string{"changes/common lines", "changes/apart"}[i], map[string]int{"diners": changeCrowd, "seats": scarceSeats})
	}
	checkBalances(t, h)
}

// lockChangesUnguarded reads the slots as lockChanges does, but locks neither them nor accounts nor reservations, nor
// looks at the fence. The rows must be there.
const lockChangesUnguarded = `
	SELECT id, capacity, closed, ` + columns.SlotKey + `
	FROM slots s
	WHERE restaurant_id = $1 AND (service_date = $2::date AND service_time = ANY ($3::time[]) OR EXISTS (
			SELECT
			FROM unnest($7::date[], $8::time[]) AS leaving (day, at)
			WHERE leaving.day = s.service_date AND leaving.at = s.service_time
		))
		AND $4::integer IS NOT NULL AND $5::bigint IS NOT NULL AND COALESCE($6::text[], $9::text[], '{}') IS NOT NULL
	ORDER BY s.service_date, s.service_time`

// TestChange_WithoutLockOverHTTP has two changes read that the last seat is free, before either takes it.
func TestChange_WithoutLockOverHTTP(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.openLargePlace(t)
	servers, meet := h.separate(t), dbtest.Meeting(2)
	for _, server := range servers {
		server.Weaken(db.LockSlotsOfChanges, dbtest.Instead(lockChangesUnguarded))
		server.Weaken(db.UpdateTerms, meet)
	}
	to := h.comingDay(2, "19:00")
	if c := wantLastSeats(t, h, servers, 12, h.comingDay(2, "12:00"), to, 1); c.served < 2 || h.held(t, to) < 2 {
		t.Errorf("%d were moved to one seat without the lock: the test above proves nothing", c.served)
	}
}

// TestChange_OppositeDirectionsOverHTTP lets two crowds change places at the same moment, each into the slot of the
// other, while holds end and staff cancel.
func TestChange_OppositeDirectionsOverHTTP(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.openLargePlace(t)
	servers := h.servers(t, 2)
	slots := []booking.SlotKey{h.comingDay(2, "12:00"), h.comingDay(3, "12:00")}
	c := newRush(t, changeCrowd)
	for side, slot := range slots {
		diners, ids := h.sit(t, slot, changeCrowd/2)
		for i, diner := range diners {
			c.post(move(servers[(i+side)%2], ids[i], diner, slots[1-side]))
		}
	}
	h.MustExec(t, `UPDATE slots SET capacity = $1`, changeCrowd/2+scarceSeats)
	stop := sweep(t, c.start, servers)
	answers := c.run("changes in opposite directions")
	stop()
	c.served = answers[reply{Status: 200}]
	if c.served+answers[reply{Status: 409, Code: "sold_out"}] != changeCrowd || c.served == 0 {
		t.Errorf("not everybody moved or was refused as sold out: %v", answers)
	}
	if a, b := h.held(t, slots[0]), h.held(t, slots[1]); a+b != changeCrowd || max(a, b) > changeCrowd/2+scarceSeats {
		t.Errorf("%d and %d seats are held by a crowd of %d", a, b, changeCrowd)
	}
	if n := h.Count(t, `SELECT count(*) FROM reservations WHERE state = 'temporary'`); n != changeCrowd {
		t.Errorf("%d reservations are left of %d", n, changeCrowd)
	}
	c.measured("swaps", map[string]int{"diners": changeCrowd, "seats a slot": changeCrowd/2 + scarceSeats})
	checkBalances(t, h)
}

// TestChange_FreeingFirstLosesSeats does by two requests what a change does in one: cancel, and then reserve.
func TestChange_FreeingFirstLosesSeats(t *testing.T) {
	t.Parallel()
	const leavers = 2 * scarceSeats
	h := setup(t)
	h.openLargePlace(t)
	servers := h.servers(t, 2)
	from, to := h.comingDay(2, "12:00"), h.comingDay(2, "19:00")
	diners, ids := h.sit(t, from, leavers)
	if _, _, err := h.Slots.Serve(t.Context(), h.Turn(to, scarceSeats, 0), nil); err != nil {
		t.Fatal(err)
	}
	for i, diner := range diners {
		h.MustCancel(t, ids[i], diner)
	}
	c := newRush(t, leavers)
	for i, diner := range diners {
		c.post(apiRequest{at: servers[i%2], path: "/api/reservations", userID: diner,
			body: map[string]any{"restaurantId": h.Restaurant.ID, "date": to.Date, "time": to.Time, "partySize": 1}})
	}
	c.run("the old freed before the new is held")
	if held := h.held(t, from) + h.held(t, to); held == leavers {
		t.Error("nobody lost their seat: the test above proves nothing")
	}
}
