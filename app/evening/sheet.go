package evening

import (
	"cmp"
	"math"
	"slices"
	"time"

	"lunchgo/app/booking"
)

// Sheet is who comes at one time, and what they have ordered together.
type Sheet struct {
	Start   time.Time
	Parties []Party // by table
	Dishes  []booking.Item
}

// Sheets returns, by time, the parties that come or are there: those at named seats in the order of the plan, and then
// the others.
func (e Evening) Sheets() []Sheet {
	var sheets []Sheet
	for _, p := range e.Parties {
		if !p.In(GroupExpected) && !p.In(GroupPresent) {
			continue
		}
		if last := len(sheets) - 1; last < 0 || !sheets[last].Start.Equal(p.Start) {
			sheets = append(sheets, Sheet{Start: p.Start})
		}
		sheet := &sheets[len(sheets)-1]
		sheet.Parties = append(sheet.Parties, p)
		for _, item := range p.Items {
			sheet.add(item)
		}
	}
	for _, sheet := range sheets {
		slices.SortStableFunc(sheet.Parties, func(a, b Party) int {
			return cmp.Compare(e.tableOf(a), e.tableOf(b))
		})
		slices.SortFunc(sheet.Dishes, func(a, b booking.Item) int { return cmp.Compare(a.MenuItemID, b.MenuItemID) })
	}
	return sheets
}

// add counts portions of a dish.
func (s *Sheet) add(item booking.Item) {
	at := slices.IndexFunc(s.Dishes, func(d booking.Item) bool { return d.MenuItemID == item.MenuItemID })
	if at < 0 {
		s.Dishes = append(s.Dishes, item)
		return
	}
	s.Dishes[at].Quantity += item.Quantity
}

// tableOf is the place in the plan of a party's first table; behind all for a party without one.
func (e Evening) tableOf(p Party) int {
	first := math.MaxInt
	for _, id := range p.SeatIDs() {
		at := slices.IndexFunc(e.Restaurant.Seats, func(s booking.Seat) bool { return s.ID == id })
		if at >= 0 {
			first = min(first, at)
		}
	}
	return first
}
