package db_test

import (
	"slices"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/db"
	"lunchgo/db/dbtest"
)

// eveningCrowd are programs that press for the same evening.
type eveningCrowd struct {
	crowd int
	times []booking.TimeOfDay
	sizes []int
}

// openStays puts a restaurant with so many seats in the fixture in which parties from 3 on stay for two slots, and from
// 5 on for three.
func (h *harness) openStays(t *testing.T, capacity int) {
	t.Helper()
	h.openLargePlace(t)
	r := h.Restaurant
	r.Slug, r.Capacity, r.StayTiers = "stays", capacity,
		[]booking.StayTier{{FromParty: 3, Slots: 2}, {FromParty: 5, Slots: 3}}
	h.Open(t, r)
}

// pressForTheEvening has a crowd press at the servers for tables from some times on, for parties of some sizes in turn,
// which stay for one, two and three slots, and returns how many seats each slot of the evening has given away.
func pressForTheEvening(t *testing.T, h *harness, servers []*server, evening eveningCrowd) (c *rush, held []int) {
	t.Helper()
	date, crowd := h.comingDay(2, "").Date, evening.crowd
	c = newRush(t, crowd)
	for i, diner := range h.Diners(t, crowd, 0) {
		c.post(apiRequest{at: servers[i%len(servers)], path: "/api/reservations", userID: diner, body: map[string]any{
			"restaurantId": h.Restaurant.ID, "date": date, "time": evening.times[i/2%len(evening.times)],
			"partySize": evening.sizes[i/6%len(evening.sizes)],
		}})
	}
	answers := c.run("stays of one, two and three slots")
	c.served = answers[reply{Status: 201}]
	if c.served+answers[reply{Status: 409, Code: "sold_out"}] != crowd || c.served == 0 {
		t.Errorf("not everybody was seated or refused as sold out: %v", answers)
	}
	slots, err := h.Slots.ListOccupancy(t.Context(), h.Restaurant.ID, date, date)
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []booking.TimeOfDay{"18:00", "19:00", "20:00", "21:00"} {
		held = append(held, slots[booking.SlotKey{RestaurantID: h.Restaurant.ID, Date: date, Time: at}].Held)
	}
	return c, held
}

func TestStay_NeverOversellsOverHTTP(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.openStays(t, 40)
	date := h.comingDay(2, "").Date
	h.MustExec(t, `UPDATE opening_hours SET last_time = '22:00'`)
	evening := eveningCrowd{150, eveningTimes, []int{1, 3, 5}}
	c, held := pressForTheEvening(t, h, h.servers(t, 2), evening)
	if slices.Max(held) != h.Restaurant.Capacity {
		t.Errorf("%v seats are given away in the slots, want %d in the fullest", held, h.Restaurant.Capacity)
	}
	for _, at := range eveningTimes { // whoever stands in several lines keeps the order of each
		arrivals, err := h.Slots.ListArrivals(t.Context(),
			booking.SlotKey{RestaurantID: h.Restaurant.ID, Date: date, Time: at})
		if err != nil || !slices.IsSortedFunc(arrivals, func(a, b db.Arrival) int { return int(a.Number - b.Number) }) {
			t.Errorf("at %s they were not decided in the order of their arrival: %+v, %v", at, arrivals, err)
		}
	}
	c.measured("stays", map[string]int{"parties": evening.crowd, "seats": h.Restaurant.Capacity})
	checkBalances(t, h)
}

// Servers that share no line, as when their Redis are several, have only the rows' locks to keep them apart. Here a
// party of three at 18:00 and one at 19:00 read that the three seats at 19:00 are free, before either takes them.
func TestStay_WithoutOtherLocksOverHTTP(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.openStays(t, 3)
	h.MustExec(t, `UPDATE opening_hours SET last_time = '22:00'`)
	for _, at := range append([]booking.TimeOfDay{"21:00"}, eveningTimes...) {
		if _, _, err := h.Slots.Serve(t.Context(), h.Turn(h.comingDay(2, at), 3, 0), nil); err != nil {
			t.Fatal(err)
		}
	}
	servers := h.separate(t)
	meetAtWriting(servers)
	for _, server := range servers {
		server.Weaken(db.LockSlots, dbtest.Instead(lockFirstSlotOnly))
	}
	a, b := servers[0], servers[1] // for 18:00, and for 19:00
	_, held := pressForTheEvening(t, h, []*server{a, a, b, b}, eveningCrowd{12, eveningTimes[:2], []int{3}})
	if slices.Max(held) <= h.Restaurant.Capacity {
		t.Errorf("%v: with the first slot alone locked nothing was oversold: the test above proves nothing", held)
	}
}
