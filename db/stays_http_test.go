package db

import (
	"crypto/rand"
	"slices"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/db/dbtest"
)

// guestsOfTheEvening is how many programs press for the same evening.
const guestsOfTheEvening = 240

// openStays puts a restaurant in the fixture in which parties from 3 on stay for two slots, and from 5 on for three.
func (f *fixture) openStays(t *testing.T) {
	t.Helper()
	f.openLargePlace(t)
	r := f.restaurant
	r.Slug, r.Capacity, r.StayTiers = "stays", 40, []booking.StayTier{{FromParty: 3, Slots: 2}, {FromParty: 5, Slots: 3}}
	id, err := f.seeds.PutRestaurant(t.Context(), r, testMenu())
	if err != nil {
		t.Fatal(err)
	}
	if f.restaurant, err = f.catalog.FindRestaurant(t.Context(), id); err != nil {
		t.Fatal(err)
	}
}

// pressForTheEvening has a crowd press at the servers for tables from 18:00, 19:00 and 20:00 on, for parties that stay for one,
// two and three slots, and returns how many seats each slot has given away.
func pressForTheEvening(t *testing.T, f *fixture, servers []*server, date booking.Date) (held []int) {
	t.Helper()
	c := newRush(t, guestsOfTheEvening)
	for i, diner := range f.diners(t, guestsOfTheEvening, 0) {
		c.post(press{at: servers[i%len(servers)], path: "/api/reservations", userID: diner, body: map[string]any{
			"restaurantId": f.restaurant.ID, "date": date, "time": eveningTimes[i/2%3], "partySize": []int{1, 3, 5}[i/6%3],
		}})
	}
	answers := c.run("stays of one, two and three slots")
	seated, refused := answers[heard{Status: 201}], answers[heard{Status: 409, Code: "sold_out"}]
	if seated+refused != guestsOfTheEvening || seated == 0 {
		t.Errorf("not everybody was seated or told that there are no seats: %v", answers)
	}
	slots, err := f.slots.ListOccupancy(t.Context(), f.restaurant.ID, date, date)
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []booking.TimeOfDay{"18:00", "19:00", "20:00", "21:00"} {
		held = append(held, slots[booking.SlotKey{RestaurantID: f.restaurant.ID, Date: date, Time: at}].Held)
	}
	return held
}

func TestStaysNeverOversellASlotOverHTTP(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("a crowd of hundreds takes seconds")
	}
	f := setup(t)
	f.openStays(t)
	date := booking.DateOf(time.Now(), f.restaurant.Location).AddDays(2)
	f.mustExec(t, `UPDATE opening_hours SET last_time = '22:00'`)
	held := pressForTheEvening(t, f, f.servers(t, 2), date)
	if slices.Max(held) != f.restaurant.Capacity {
		t.Errorf("%v seats are given away in the slots, want %d in the fullest", held, f.restaurant.Capacity)
	}
	for _, at := range eveningTimes { // whoever stands in several lines keeps the order of each
		arrivals, err := f.slots.ListArrivals(t.Context(), booking.SlotKey{RestaurantID: f.restaurant.ID, Date: date, Time: at})
		if err != nil || !slices.IsSortedFunc(arrivals, func(a, b Arrival) int { return int(a.Number - b.Number) }) {
			t.Errorf("at %s they were not decided in the order of their arrival: %+v, %v", at, arrivals, err)
		}
	}
	checkReservations(t, f)
}

// Two servers that share no line, as when their Redis are two, have only the rows' locks to keep them apart.
func TestWithoutTheOtherSlotsLocksStaysOversellOverHTTP(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("the race with the guard off goes with the one with it on")
	}
	f := setup(t)
	f.openStays(t)
	f.mustExec(t, `UPDATE opening_hours SET last_time = '22:00'`)
	secret := []byte(rand.Text() + rand.Text())
	var servers []*server
	for range 4 {
		s := f.newServer(t, dbtest.KeyPrefix(t), secret)
		s.weakenGuard(lockSlots, instead(lockFirstSlotOnly))
		servers = append(servers, s)
	}
	today := booking.DateOf(time.Now(), f.restaurant.Location)
	for evening := range 10 {
		date := today.AddDays(2 + evening)
		for _, at := range append([]booking.TimeOfDay{"21:00", "22:00"}, eveningTimes...) {
			slot := booking.SlotKey{RestaurantID: f.restaurant.ID, Date: date, Time: at}
			if _, _, err := f.slots.Serve(t.Context(), f.turn(slot, f.restaurant.Capacity, 0), nil); err != nil {
				t.Fatal(err)
			}
		}
		if held := pressForTheEvening(t, f, servers, date); slices.Max(held) > f.restaurant.Capacity {
			return
		}
	}
	t.Error("with the first slot alone locked nothing was oversold: the test above proves nothing")
}
