package seed

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"time"

	"lunchgo/app/booking"
)

//go:embed houses.json
var housesFile []byte

// house is a restaurant of the demo, as houses.json has it.
type house struct {
	Restaurant booking.Restaurant
	Hours      []openHours
	Rest       monthlyRest
	Room       string // empty where no seats are named
	Menu       []booking.MenuItem
}

// openHours are the first and the last time at which slots start on weekdays. What is after midnight belongs to the day
// that follows.
type openHours struct {
	Weekdays []time.Weekday
	booking.Span
}

// monthlyRest is a day of rest like "the third Tuesday of the month"; the zero value rests on none.
type monthlyRest struct {
	Week    int // 1 is the first
	Weekday time.Weekday
}

// monthsOfRest is how many months have their days of rest stored when a restaurant opens. Later starts add none: staff
// may have taken one back.
const monthsOfRest = 24

// dates returns the days of rest of the months from now on.
func (m monthlyRest) dates(now time.Time) []booking.Date {
	if m.Week == 0 {
		return nil
	}
	var dates []booking.Date
	for i := range monthsOfRest {
		first := time.Date(now.Year(), now.Month()+time.Month(i), 1, 0, 0, 0, 0, time.UTC)
		day := (int(m.Weekday)-int(first.Weekday())+7)%7 + 7*(m.Week-1)
		dates = append(dates, booking.Date(first.AddDate(0, 0, day).Format(time.DateOnly)))
	}
	return dates
}

// houses are all restaurants of the demo; the first is the one that the demo's member of staff owns.
func houses(zone *time.Location) ([]house, error) {
	var all []house
	if err := json.Unmarshal(housesFile, &all); err != nil {
		return nil, fmt.Errorf("houses.json: %w", err)
	}
	for i := range all {
		r := &all[i].Restaurant
		r.Location, r.PriceBand, r.ExtensionMinutes = zone, priceBand(all[i].Menu), r.HoldMinutes
		for _, open := range all[i].Hours {
			r.Hours = append(r.Hours, on(open.Weekdays, open.Span)...)
		}
		if build := rooms[all[i].Room]; build != nil {
			room := build()
			r.Seats, r.Floor = room.seats, room.floor
		}
	}
	return all, nil
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

// Refund policies of the restaurants of load tests, and of those of a country.
var (
	flexible = booking.Policy{Tiers: []booking.RefundTier{{HoursBefore: 3, Percent: 100},
		{HoursBefore: 1, Percent: 50}}, FreeCancelMinutes: 15}
	standard = booking.Policy{Tiers: []booking.RefundTier{{HoursBefore: 24, Percent: 100},
		{HoursBefore: 6, Percent: 50}}, FreeCancelMinutes: 15}
)

func text(ko, en string) booking.Text { return booking.Text{Ko: ko, En: en} }

var everyDay = []time.Weekday{time.Sunday, time.Monday, time.Tuesday, time.Wednesday, time.Thursday, time.Friday,
	time.Saturday}

// on opens in some spans on each of the days.
func on(days []time.Weekday, spans ...booking.Span) []booking.Opening {
	var hours []booking.Opening
	for _, span := range spans {
		for _, day := range days {
			hours = append(hours, booking.Opening{Weekday: day, From: span.From, Last: span.Last, Service: span.Service})
		}
	}
	return hours
}
