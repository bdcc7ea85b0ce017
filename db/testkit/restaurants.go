package testkit

import (
	"fmt"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/db/dbtest"
)

// Restaurant is the restaurant of the tests.
func Restaurant() booking.Restaurant {
	seoul, err := time.LoadLocation("Asia/Seoul")
	if err != nil {
		panic(err)
	}
	return booking.Restaurant{
		Location:         seoul,
		DepositPerPerson: 10_000,
		DepositTiers:     []booking.DepositTier{{FromParty: 6, Kind: booking.PerParty, Amount: 50_000}},
		StayTiers:        []booking.StayTier{{FromParty: 7, Slots: 2, Minutes: 120}},
		Policy: booking.Policy{Tiers: []booking.RefundTier{{HoursBefore: 48, Percent: 100},
			{HoursBefore: 24, Percent: 50}}},
		Hours: []booking.Opening{{Weekday: time.Monday, From: "11:30", Last: "14:30", Service: "lunch"},
			{Weekday: time.Monday, From: "17:30", Last: "20:30"}},
		Services: []booking.Service{{Key: "lunch", Name: booking.Text{Ko: "점심", En: "Lunch"}}},
		Closures: []booking.Date{"2031-01-01"},
		Photos:   []string{"table", "bibimbap"},
		Settings: booking.Settings{Slug: "damdam", Name: booking.Text{Ko: "담담반상", En: "Damdam Bansang"},
			Description: booking.Text{Ko: "상차림", En: "Set meals"}, Address: booking.Text{Ko: "종로", En: "Jongno"},
			District: "jongno", Cuisine: "korean", Picture: "damdam", Capacity: 10, SlotMinutes: 60, HoldMinutes: 7,
			PartyMin: 1, PartyMax: 8, LeadMinutes: 30, HorizonDays: 30, ExtensionMinutes: 5,
			Story:      booking.Text{Ko: "장독대에서 시작한 집", En: "Begun with crocks"},
			Directions: booking.Text{Ko: "2번 출구", En: "Exit 2"}},
	}
}

// Draft is a restaurant as somebody opens it: without hours, closures and seats.
func Draft() booking.Restaurant {
	r := Restaurant()
	r.Hours, r.Closures, r.Seats = nil, nil, nil
	return r
}

// Menu is its menu.
func Menu() []booking.MenuItem {
	return []booking.MenuItem{
		{Category: "main", Name: booking.Text{Ko: "갈비찜", En: "Braised ribs"}, Price: 32_000, StaySlots: 1},
		{Category: "drink", Name: booking.Text{Ko: "식혜", En: "Sikhye"}, Price: 5_000, StaySlots: 1},
	}
}

// AnotherRestaurant puts a second restaurant and returns its id.
func (h *Harness) AnotherRestaurant(t testing.TB) int64 {
	t.Helper()
	place := Restaurant()
	place.Slug = "another"
	id, err := h.Seeds.PutRestaurant(t.Context(), place, Menu())
	dbtest.Must(t, err)
	return id
}

// PutRoom stores the fixture's restaurant and reads it again.
func (h *Harness) PutRoom(t testing.TB) {
	t.Helper()
	id, err := h.Seeds.PutRestaurant(t.Context(), h.Restaurant, Menu())
	if err == nil {
		h.Restaurant, err = h.Catalog.FindRestaurant(t.Context(), id)
	}
	dbtest.Must(t, err)
}

// OpenTables gives the fixture's restaurant, which takes parties of two to four, a table for two and one for three or
// four, and returns a slot. The restaurant has covers left when both tables are taken.
func (h *Harness) OpenTables(t testing.TB) booking.SlotKey {
	t.Helper()
	h.Restaurant.PartyMin, h.Restaurant.PartyMax = 2, 4
	for i, places := range []int{2, 4} {
		h.Restaurant.Seats = append(h.Restaurant.Seats, booking.Seat{ID: int64(i + 1), Label: fmt.Sprint("T", i+1),
			Kind: booking.TableSeat, Places: places, MinParty: places - i,
			Area: booking.Area{X: 100 * i, Width: 60, Height: 60}})
	}
	h.PutRoom(t)
	return h.Slot("19:00")
}

// OpenRoom gives the fixture's restaurant a counter of four seats, and two tables for two that can be joined, and one
// for four. It returns their ids by their labels.
func (h *Harness) OpenRoom(t testing.TB) map[string]int64 {
	t.Helper()
	seat := func(id int64, label string, kind booking.SeatKind, places int, partners ...int64) booking.Seat {
		return booking.Seat{ID: id, Label: label, Kind: kind, Places: places, MinParty: 1, Partners: partners,
			Area: booking.Area{X: int(id) * 100, Y: 50, Width: 60, Height: 60}}
	}
	h.Restaurant.Floor = booking.Floor{Width: 1_000, Height: 400,
		Fixtures: []booking.Fixture{{Kind: "kitchen", Area: booking.Area{Width: 1_000, Height: 40}}}}
	h.Restaurant.Seats = booking.SeatPlan{
		seat(1, "C1", booking.CounterSeat, 1, 2), seat(2, "C2", booking.CounterSeat, 1, 1, 3),
		seat(3, "C3", booking.CounterSeat, 1, 2, 4), seat(4, "C4", booking.CounterSeat, 1, 3),
		seat(5, "T1", booking.TableSeat, 2, 6), seat(6, "T2", booking.TableSeat, 2, 5),
		seat(7, "T3", booking.TableSeat, 4),
	}
	h.Restaurant.Seats[6].MinParty = 3
	h.PutRoom(t)
	ids := map[string]int64{}
	for _, seat := range h.Restaurant.Seats {
		ids[seat.Label] = seat.ID
	}
	return ids
}

// Limit gives an item of the fixture's menu so many portions a day.
func (h *Harness) Limit(t testing.TB, item booking.MenuItem, portions int) {
	t.Helper()
	h.MustExec(t, `UPDATE menu_items SET daily_quantity = $2 WHERE id = $1`, item.ID, portions)
}
