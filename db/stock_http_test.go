package db

import (
	"fmt"
	"testing"
	"time"

	"lunchgo/app/booking"
)

// openLargePlace puts a restaurant in the fixture that has seats for everybody in twelve slots of every day, so that only
// its first dish is scarce.
func (f *fixture) openLargePlace(t testing.TB) {
	t.Helper()
	r := testRestaurant()
	r.Slug, r.Capacity, r.Hours, r.Closures = "large", 1_000, nil, nil
	for day := time.Sunday; day <= time.Saturday; day++ {
		r.Hours = append(r.Hours, booking.Opening{Weekday: day, From: "10:00", Last: "21:00"})
	}
	id, err := f.seeds.PutRestaurant(t.Context(), r, testMenu())
	if err != nil {
		t.Fatal(err)
	}
	if f.restaurant, err = f.catalog.FindRestaurant(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if f.menu, err = f.catalog.ListMenu(t.Context(), id); err != nil {
		t.Fatal(err)
	}
}

// wantTheLastPortions has a crowd press over HTTP at two servers, a portion of the dish each, and returns how many were told
// that they have one. Everybody else must be told that it has run out.
func wantTheLastPortions(t *testing.T, f *fixture, servers []*server, crowd int) (served int) {
	t.Helper()
	date := f.nextDays(2, "").Date
	c := newRush(t, crowd)
	for i, diner := range f.diners(t, crowd, 0) {
		c.post(press{at: servers[i%2], path: "/api/reservations", userID: diner, body: map[string]any{
			"restaurantId": f.restaurant.ID, "date": date, "time": fmt.Sprintf("%02d:00", 10+i/2%12), "partySize": 1,
			"items": []map[string]any{{"menuItemId": f.menu[0].ID, "quantity": 1}},
		}})
	}
	answers := c.run("the last portions")
	served, short := answers[heard{Status: 201}], answers[heard{Status: 409, Code: "out_of_stock"}]
	if served+short != crowd {
		t.Errorf("not everybody was served or told that there is none left: %v", answers)
	}
	return served
}

// The last portions of a dish are given away once each.
func TestStock_LastPortionsOverHTTP(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("a crowd of hundreds takes seconds")
	}
	f := setup(t)
	f.openLargePlace(t)
	f.limit(t, f.menu[0], portions)
	if served := wantTheLastPortions(t, f, f.servers(t, 2), hungry); served != portions {
		t.Errorf("%d portions were given away, want %d", served, portions)
	}
	checkStock(t, f)
}

// TestStock_WithoutLockOverHTTP has the turns of two slots read that one portion is left, before
// either takes it.
func TestStock_WithoutLockOverHTTP(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.openLargePlace(t)
	f.mustExec(t, `ALTER TABLE menu_stock DROP CONSTRAINT menu_stock_remaining`)
	servers := f.servers(t, 2)
	meetAtWriting(servers)
	for _, server := range servers {
		server.weakenGuard(readSlots, instead(readSlotUnguarded))
	}
	f.setStock(t, f.nextDays(2, "").Date, 1)
	if served := wantTheLastPortions(t, f, servers, 12); served < 2 {
		t.Errorf("%d portions of one were given away without the lock: the test above proves nothing", served)
	}
}
