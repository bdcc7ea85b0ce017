package seed

import (
	"time"

	"lunchgo/app/booking"
)

// house is a restaurant of the demo with its menu and its monthly day of rest.
type house struct {
	restaurant booking.Restaurant
	menu       []booking.MenuItem
	rest       monthlyRest
	room       *room // nil where no seats are named
}

// monthlyRest is a day of rest like "the third Tuesday of the month"; the zero value rests on none.
type monthlyRest struct {
	week    int // 1 is the first
	weekday time.Weekday
}

// monthsOfRest is how many months have their days of rest stored when a restaurant opens. Later starts add none: staff
// may have taken one back.
const monthsOfRest = 24

// dates returns the days of rest of the months from now on.
func (m monthlyRest) dates(now time.Time) []booking.Date {
	if m.week == 0 {
		return nil
	}
	var dates []booking.Date
	for i := range monthsOfRest {
		first := time.Date(now.Year(), now.Month()+time.Month(i), 1, 0, 0, 0, 0, time.UTC)
		day := (int(m.weekday)-int(first.Weekday())+7)%7 + 7*(m.week-1)
		dates = append(dates, booking.Date(first.AddDate(0, 0, day).Format(time.DateOnly)))
	}
	return dates
}

// houses are all restaurants of the demo; the first is the one that the demo's member of staff owns.
func houses(zone *time.Location) []house {
	all := []house{
		damdam(), sotbul(), harugyeol(), oreum(), bamPocha(), sore(), jeongdong(),
		hongdeung(), saigon(), masala(), ppuri(), multtae(), dahyang(), myeonok(),
	}
	for i := range all {
		all[i].restaurant.Location = zone
		all[i].restaurant.PriceBand = priceBand(all[i].menu)
		all[i].restaurant.ExtensionMinutes = all[i].restaurant.HoldMinutes
		if room := all[i].room; room != nil {
			all[i].restaurant.Seats, all[i].restaurant.Floor = room.seats, room.floor
		}
	}
	return all
}

// priceBand is the band of a menu by its dearest dish.
func priceBand(menu []booking.MenuItem) int {
	band := 1
	for _, item := range menu {
		switch {
		case item.Price >= 90_000:
			band = max(band, 4)
		case item.Price >= 50_000:
			band = max(band, 3)
		case item.Price >= 20_000:
			band = max(band, 2)
		}
	}
	return band
}

// Refund policies, from the kind one to that of a counter with few seats.
var (
	flexible = booking.Policy{Tiers: []booking.RefundTier{{HoursBefore: 3, Percent: 100},
		{HoursBefore: 1, Percent: 50}}, FreeCancelMinutes: 15}
	standard = booking.Policy{Tiers: []booking.RefundTier{{HoursBefore: 24, Percent: 100},
		{HoursBefore: 6, Percent: 50}}, FreeCancelMinutes: 15}
	strict = booking.Policy{Tiers: []booking.RefundTier{{HoursBefore: 72, Percent: 100},
		{HoursBefore: 24, Percent: 50}}, FreeCancelMinutes: 10}
)

// Deposits of parties from a size on.
func noDeposit(from int) booking.DepositTier {
	return booking.DepositTier{FromParty: from, Kind: booking.NoDeposit}
}

func perPerson(from int, won int64) booking.DepositTier {
	return booking.DepositTier{FromParty: from, Kind: booking.PerPerson, Amount: won}
}

func perParty(from int, won int64) booking.DepositTier {
	return booking.DepositTier{FromParty: from, Kind: booking.PerParty, Amount: won}
}

// Categories of menu items, in menu order.
const (
	set     = "set"
	starter = "starter"
	main    = "main"
	side    = "side"
	dessert = "dessert"
	drink   = "drink"
)

func text(ko, en string) booking.Text { return booking.Text{Ko: ko, En: en} }

func dish(category string, price int64, name, description booking.Text) booking.MenuItem {
	return booking.MenuItem{Category: category, Price: price, Name: name, Description: description}
}

// daily limits a dish to so many portions a day.
func daily(portions int, item booking.MenuItem) booking.MenuItem {
	item.DailyQuantity = &portions
	return item
}

// served keeps a dish for parties that come between two times.
func served(from, last booking.TimeOfDay, item booking.MenuItem) booking.MenuItem {
	item.Served = &booking.Span{From: from, Last: last}
	return item
}

// lasting lets whoever orders a dish stay for so many slots.
func lasting(slots int, item booking.MenuItem) booking.MenuItem {
	item.StaySlots = slots
	return item
}

var (
	everyDay = []time.Weekday{time.Sunday, time.Monday, time.Tuesday, time.Wednesday, time.Thursday, time.Friday,
		time.Saturday}
	weekdays = []time.Weekday{time.Monday, time.Tuesday, time.Wednesday, time.Thursday, time.Friday}
	weekend  = []time.Weekday{time.Saturday, time.Sunday}
)

// without returns the days that are not in closed.
func without(closed ...time.Weekday) []time.Weekday {
	var days []time.Weekday
	for _, day := range everyDay {
		open := true
		for _, c := range closed {
			open = open && day != c
		}
		if open {
			days = append(days, day)
		}
	}
	return days
}

// on opens from the first to the last time at which a slot may start, on each of the days.
func on(days []time.Weekday, from, last booking.TimeOfDay) []booking.Opening {
	var hours []booking.Opening
	for _, day := range days {
		hours = append(hours, booking.Opening{Weekday: day, From: from, Last: last})
	}
	return hours
}

func hours(spans ...[]booking.Opening) []booking.Opening {
	var all []booking.Opening
	for _, span := range spans {
		all = append(all, span...)
	}
	return all
}
