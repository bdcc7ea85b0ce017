package db

import (
	"slices"
	"testing"

	"lunchgo/app/booking"
)

// guests are programs that press for the same evening.
type guests struct {
	crowd int
	times []booking.TimeOfDay
	sizes []int
}

// openStays puts a restaurant with so many seats in the fixture in which parties from 3 on stay for two slots, and from 5 on for three.
func (f *fixture) openStays(t *testing.T, capacity int) {
	t.Helper()
	f.openLargePlace(t)
	r := f.restaurant
	r.Slug, r.Capacity, r.StayTiers = "stays", capacity, []booking.StayTier{{FromParty: 3, Slots: 2}, {FromParty: 5, Slots: 3}}
	id, err := f.seeds.PutRestaurant(t.Context(), r, testMenu())
	if err != nil {
		t.Fatal(err)
	}
	if f.restaurant, err = f.catalog.FindRestaurant(t.Context(), id); err != nil {
		t.Fatal(err)
	}
}

// pressForTheEvening has a crowd press at the servers for tables from some times on, for parties of some sizes in turn, which stay
// for one, two and three slots, and returns how many seats each slot of the evening has given away.
func pressForTheEvening(t *testing.T, f *fixture, servers []*server, evening guests) (held []int) {
	t.Helper()
	date, crowd := f.nextDays(2, "").Date, evening.crowd
	c := newRush(t, crowd)
	for i, diner := range f.diners(t, crowd, 0) {
		c.post(press{at: servers[i%len(servers)], path: "/api/reservations", userID: diner, body: map[string]any{
			"restaurantId": f.restaurant.ID, "date": date, "time": evening.times[i/2%len(evening.times)],
			"partySize": evening.sizes[i/6%len(evening.sizes)],
		}})
	}
	answers := c.run("stays of one, two and three slots")
	seated, refused := answers[heard{Status: 201}], answers[heard{Status: 409, Code: "sold_out"}]
	if seated+refused != crowd || seated == 0 {
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

// Stays never oversell a slot.
func TestStay_NeverOversellsOverHTTP(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("a crowd of hundreds takes seconds")
	}
	f := setup(t)
	f.openStays(t, 40)
	date := f.nextDays(2, "").Date
	f.mustExec(t, `UPDATE opening_hours SET last_time = '22:00'`)
	held := pressForTheEvening(t, f, f.servers(t, 2), guests{150, eveningTimes, []int{1, 3, 5}})
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

// Servers that share no line, as when their Redis are several, have only the rows' locks to keep them apart. Here a party of three
// at 18:00 and one at 19:00 read that the three seats at 19:00 are free, before either takes them.
func TestStay_WithoutOtherLocksOverHTTP(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.openStays(t, 3)
	f.mustExec(t, `UPDATE opening_hours SET last_time = '22:00'`)
	for _, at := range append([]booking.TimeOfDay{"21:00"}, eveningTimes...) {
		if _, _, err := f.slots.Serve(t.Context(), f.turn(f.nextDays(2, at), 3, 0), nil); err != nil {
			t.Fatal(err)
		}
	}
	servers := f.separate(t)
	meetAtWriting(servers)
	for _, server := range servers {
		server.weakenGuard(lockSlots, instead(lockFirstSlotOnly))
	}
	a, b := servers[0], servers[1] // for 18:00, and for 19:00
	held := pressForTheEvening(t, f, []*server{a, a, b, b}, guests{12, eveningTimes[:2], []int{3}})
	if slices.Max(held) <= f.restaurant.Capacity {
		t.Errorf("%v: with the first slot alone locked nothing was oversold: the test above proves nothing", held)
	}
}
