package db_test

import (
	"fmt"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/db"
	"lunchgo/db/dbtest"
	"lunchgo/db/rowlock"
	"lunchgo/db/testkit"
)

// pressesAtOnce is how many slots one account presses for at the same moment.
const pressesAtOnce = 200

// holdAtOnce has one account press at two servers for as many slots that do not overlap, at the same moment, and
// returns how many holds it has then.
func holdAtOnce(t *testing.T, h *harness, servers []*server, diner string) (holds int) {
	t.Helper()
	c := newRush(t, pressesAtOnce)
	for i := range pressesAtOnce {
		slot := h.comingDay(2+i/12, booking.TimeOfDay(fmt.Sprintf("%02d:00", 10+i%12)))
		c.post(apiRequest{at: servers[i%2], path: "/api/reservations", userID: diner, body: pressFor(slot)})
	}
	answers := c.run("one account for many slots")
	if others := answers[reply{429, "too_many_lines"}] + answers[reply{429,
		"too_many_requests"}]; answers[reply{Status: 201}]+
		answers[reply{409, "too_many_holds"}]+others != pressesAtOnce {
		t.Errorf("not every press was served or refused for a limit: %v", answers)
	}
	return h.Count(t, `SELECT count(*) FROM reservations WHERE user_id = $1 AND state = 'temporary'`, diner)
}

func pressFor(slot booking.SlotKey) map[string]any {
	return map[string]any{"restaurantId": slot.RestaurantID, "date": slot.Date, "time": slot.Time, "partySize": 1}
}

// overlapAtOnce has many accounts press for the same time at two restaurants, each at both at the same moment, and
// returns how many have both.
func overlapAtOnce(t *testing.T, h *harness, servers []*server, accounts int) (both int) {
	t.Helper()
	here := h.comingDay(2, "12:00")
	second := testkit.Restaurant()
	second.Slug, second.Capacity, second.Hours, second.Closures = "second", 1_000, h.Restaurant.Hours, nil
	first := h.Restaurant
	h.Open(t, second)
	there := h.comingDay(2, "12:00")
	h.Restaurant = first
	c := newRush(t, 2*accounts)
	for _, diner := range h.Diners(t, accounts, 0) {
		for i, slot := range []booking.SlotKey{here, there} {
			c.post(apiRequest{at: servers[i], path: "/api/reservations", userID: diner, body: pressFor(slot)})
		}
	}
	answers := c.run("the same time at two restaurants")
	if answers[reply{Status: 201}]+answers[reply{409, "overlapping"}] != 2*accounts {
		t.Errorf("not every press was served or refused as overlapping: %v", answers)
	}
	return h.Count(t, `
		SELECT count(*)
		FROM (SELECT FROM reservations WHERE state = 'temporary' AND restaurant_id IN ($1, $2) GROUP BY user_id HAVING count(DISTINCT restaurant_id) > 1) AS twice`,
		here.RestaurantID, there.RestaurantID)
}

// However many presses of an account come at once, wherever, it gets no more than its limits allow.
func TestLimits_HoldOverHTTP(t *testing.T) {
	t.Parallel()
	h := setupWith(t, testkit.Patient)
	h.openLargePlace(t)
	servers := h.separate(t) // so that the lines of one server do not order the presses at the other
	diners := h.Diners(t, 2, 0)
	h.MustExec(t, `UPDATE users SET email_confirmed_at = NULL WHERE id = $1`, diners[1])
	for i, want := range []int{3, 1} {
		if holds := holdAtOnce(t, h, servers, diners[i]); holds != want {
			t.Errorf("the account has %d holds, want %d", holds, want)
		}
	}
	if both := overlapAtOnce(t, h, servers, 40); both != 0 {
		t.Errorf("%d of 40 accounts have two tables at one time", both)
	}
	if n := h.deadlocks(t); n > 0 {
		t.Errorf("%d deadlocks", n)
	}
	checkBalances(t, h)
}

// Control: without the lock of the account its presses read the same holds before any writes.
func TestLimits_WithoutLockOfTheAccountOverHTTP(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.openLargePlace(t)
	servers := h.separate(t)
	meet := func(n int64) {
		at := dbtest.Meeting(n)
		for _, server := range servers {
			server.Weaken(rowlock.LockUsers, unlockedUsers)
			server.Weaken(db.InsertReservations, at)
		}
	}
	diners := h.Diners(t, 2, 0)
	h.MustExec(t, `UPDATE users SET email_confirmed_at = NULL WHERE id = $1`, diners[1])
	for i, limit := range []int{3, 1} {
		meet(int64(limit) + 1)
		if holds := holdAtOnce(t, h, servers, diners[i]); holds <= limit {
			t.Errorf("the account has %d holds without the lock: the test above proves nothing", holds)
		}
	}
	meet(2)
	if both := overlapAtOnce(t, h, servers, 1); both == 0 {
		t.Error("nobody has two tables at one time without the lock: the test above proves nothing")
	}
}
