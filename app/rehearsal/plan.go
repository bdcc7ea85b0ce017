package rehearsal

import (
	"cmp"
	"context"
	"errors"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/team"
)

// How many guests press, and how many of them in the same second. The usual ones are those of who chooses nothing.
const (
	MinGuests   = 50
	MaxGuests   = 500
	UsualGuests = 500
	MinAtOnce   = 10
	MaxAtOnce   = 100
	UsualAtOnce = 50
)

// Plan is what a rehearsal rehearses.
type Plan struct {
	Date   booking.Date
	Time   booking.TimeOfDay
	Guests int
	AtOnce int // guests who press in one second
}

// Asked is a plan as it was asked for. What is empty or 0 is usual: the first slot of the next evening, UsualGuests,
// UsualAtOnce.
type Asked struct {
	// Of a slot to come; without date and time it is the first slot of the next evening.
	Date   string `json:"date,omitempty"`
	Time   string `json:"time,omitempty"`   // HH:MM
	Guests int    `json:"guests,omitempty"` // 500 if left out
	AtOnce int    `json:"atOnce,omitempty"` // guests who press in one second; 50 if left out
}

// Check returns the plan. Returns *booking.InvalidError with every invalid field. A slot may begin sooner than guests
// could book it.
func (a Asked) Check(r booking.Restaurant, now time.Time) (Plan, error) {
	if a.Date == "" && a.Time == "" {
		date, at := UsualSlot(r, now)
		a.Date, a.Time = string(date), string(at)
	}
	plan := Plan{Guests: cmp.Or(a.Guests, UsualGuests), AtOnce: cmp.Or(a.AtOnce, UsualAtOnce)}
	invalid := &booking.InvalidError{}
	r.LeadMinutes = 0
	checked, err := booking.Draft{RestaurantID: r.ID, Date: a.Date, Time: a.Time, PartySize: r.PartyMin}.Check(r, nil,
		now)
	if err != nil && !errors.As(err, &invalid) {
		return Plan{}, err
	}
	plan.Date, plan.Time = checked.Slot.Date, checked.Slot.Time
	for _, n := range []struct {
		field              string
		value, least, most int
	}{{"guests", plan.Guests, MinGuests, MaxGuests}, {"atOnce", plan.AtOnce, MinAtOnce, MaxAtOnce}} {
		if n.value < n.least || n.value > n.most {
			fault := booking.FieldError{Field: n.field, Reason: "out_of_range", Min: n.least, Max: n.most}
			invalid.Fields = append(invalid.Fields, fault)
		}
	}
	if len(invalid.Fields) > 0 {
		return Plan{}, invalid
	}
	return plan, nil
}

// evening is when a restaurant's evening begins.
const evening booking.TimeOfDay = "17:00"

// daysAhead is how far the next evening is looked for.
const daysAhead = 14

// UsualSlot is the first slot of the next evening that a restaurant opens, its next slot if it opens on no evening
// soon, and empty if it does not open.
func UsualSlot(r booking.Restaurant, now time.Time) (booking.Date, booking.TimeOfDay) {
	var next booking.SlotKey
	today := booking.DateOf(now, r.Location)
	for day := range daysAhead {
		date := today.AddDays(day)
		isEvening := false
		for _, at := range r.Times(date) {
			first := at >= evening && !isEvening
			isEvening = isEvening || at >= evening
			if r.CheckBookable(date, at, now) != nil {
				continue
			}
			if first {
				return date, at
			}
			if next.Date == "" {
				next.Date, next.Time = date, at
			}
		}
	}
	return next.Date, next.Time
}

// Copy is what is copied of a restaurant for a rehearsal, besides its menu.
type Copy struct {
	Of         int64
	Restaurant booking.Restaurant
	Plan       Plan
}

// copyOf is a copy of a restaurant that is never listed, with its slot's capacity as staff have set it, its seats and
// rules.
func (s *Service) copyOf(ctx context.Context, by team.Staff, r booking.Restaurant, plan Plan) (Copy, error) {
	slots, err := s.Bookings.Occupancies(ctx, by, r, plan.Date)
	copied := r
	copied.ID, copied.Shadow, copied.Draft = 0, true, false
	copied.Capacity, copied.LeadMinutes = slots[plan.Time].Capacity, 0
	copied.Hours, copied.SpecialDays, copied.Closures = hoursOn(r, plan.Date), nil, nil
	return Copy{Of: r.ID, Restaurant: copied, Plan: plan}, err
}

// hoursOn are the hours of a date, those of a special day too, as those of its weekday.
func hoursOn(r booking.Restaurant, date booking.Date) (hours []booking.Opening) {
	for _, at := range r.Times(date) {
		hours = append(hours, booking.Opening{Weekday: date.Weekday(), From: at, Last: at})
	}
	return hours
}
