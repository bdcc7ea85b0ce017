package db_test

import (
	"fmt"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/db"
	"lunchgo/db/dbtest"
	"lunchgo/db/testkit"
)

// openLargePlace puts a restaurant in the fixture that has seats for everybody in twelve slots of every day, so that
// only its first dish is scarce.
func (h *harness) openLargePlace(t testing.TB) {
	t.Helper()
	r := testkit.Restaurant()
	r.Slug, r.Capacity, r.Hours, r.Closures = "large", 1_000, nil, nil
	for day := time.Sunday; day <= time.Saturday; day++ {
		r.Hours = append(r.Hours, booking.Opening{Weekday: day, From: "10:00", Last: "21:00"})
	}
	h.Open(t, r)
}

// wantTheLastPortions has a crowd press over HTTP at two servers, a portion of the dish each. Everybody who gets
// none must get the answer that it has run out.
func wantTheLastPortions(t *testing.T, h *harness, servers []*server, crowd int) *rush {
	t.Helper()
	date := h.comingDay(2, "").Date
	c := newRush(t, crowd)
	for i, diner := range h.Diners(t, crowd, 0) {
		c.post(apiRequest{at: servers[i%2], path: "/api/reservations", userID: diner, body: map[string]any{
			"restaurantId": h.Restaurant.ID, "date": date, "time": fmt.Sprintf("%02d:00", 10+i/2%12), "partySize": 1,
			"items": []map[string]any{{"menuItemId": h.Menu[0].ID, "quantity": 1}},
		}})
	}
	answers := c.run("the last portions")
	c.served = answers[reply{Status: 201}]
	if c.served+answers[reply{Status: 409, Code: "out_of_stock"}] != crowd {
		t.Errorf("not everybody was served or refused as out of stock: %v", answers)
	}
	return c
}

// The last portions of a dish are given away once each.
func TestStock_LastPortionsOverHTTP(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.openLargePlace(t)
	h.Limit(t, h.Menu[0], scarcePortions)
	c := wantTheLastPortions(t, h, h.servers(t, 2), dishCrowd)
	if c.served != scarcePortions {
		t.Errorf("%d portions were given away, want %d", c.served, scarcePortions)
	}
	c.measured("portions", map[string]int{"diners": dishCrowd, "slots": 12, "portions": scarcePortions})
	h.CheckStock(t)
}

// TestStock_WithoutLockOverHTTP has the turns of two slots read that one portion is left, before
// either takes it.
func TestStock_WithoutLockOverHTTP(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.openLargePlace(t)
	h.MustExec(t, `ALTER TABLE menu_stock DROP CONSTRAINT menu_stock_remaining`)
	servers := h.servers(t, 2)
	meetAtWriting(servers)
	for _, server := range servers {
		server.Weaken(db.ReadSlots, dbtest.Instead(readSlotUnguarded))
	}
	h.setStock(t, h.comingDay(2, "").Date, 1)
	if c := wantTheLastPortions(t, h, servers, 12); c.served < 2 {
		t.Errorf("%d portions of one were given away without the lock: the test above proves nothing", c.served)
	}
}
