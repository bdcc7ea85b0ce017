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
func wantTheLastPortions(t *testing.T, f *fixture, servers []*server, date booking.Date) (served int) {
	t.Helper()
	c := newRush(t, hungry)
	for i, diner := range f.diners(t, hungry, 0) {
		c.post(press{at: servers[i%2], path: "/api/reservations", userID: diner, body: map[string]any{
			"restaurantId": f.restaurant.ID, "date": date, "time": fmt.Sprintf("%02d:00", 10+i/2%12), "partySize": 1,
			"items": []map[string]any{{"menuItemId": f.menu[0].ID, "quantity": 1}},
		}})
	}
	answers := c.run("the last portions")
	served, short := answers[heard{Status: 201}], answers[heard{Status: 409, Code: "out_of_stock"}]
	if served+short != hungry {
		t.Errorf("not everybody was served or told that there is none left: %v", answers)
	}
	return served
}

func TestTheLastPortionsOverHTTP(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("a crowd of hundreds takes seconds")
	}
	f := setup(t)
	f.openLargePlace(t)
	date := booking.DateOf(time.Now(), f.restaurant.Location).AddDays(2)
	f.limit(t, f.menu[0], portions)
	if served := wantTheLastPortions(t, f, f.servers(t, 2), date); served != portions {
		t.Errorf("%d portions were given away, want %d", served, portions)
	}
	checkStock(t, f)
}

func TestWithoutTheStocksLockTheLastPortionsAreOversoldOverHTTP(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("the race with the guard off goes with the one with it on")
	}
	f := setup(t)
	f.openLargePlace(t)
	f.mustExec(t, `ALTER TABLE menu_stock DROP CONSTRAINT menu_stock_remaining`)
	servers := f.servers(t, 2)
	for _, server := range servers {
		server.weakenGuard(readSlots, instead(readSlotUnguarded))
	}
	today := booking.DateOf(time.Now(), f.restaurant.Location)
	for evening := range 10 {
		date := today.AddDays(2 + evening)
		f.setStock(t, date, portions)
		if wantTheLastPortions(t, f, servers, date) > portions {
			return
		}
	}
	t.Error("without the lock nothing was oversold: the test above proves nothing")
}
