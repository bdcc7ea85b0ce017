package reserve

import (
	"context"
	"slices"
	"time"

	"lunchgo/app/booking"
)

// coming are the slots of a day that have not begun.
type coming struct {
	times []booking.TimeOfDay
	first time.Time                               // when the first begins
	day   map[booking.TimeOfDay]booking.Occupancy // all slots of the day
}

// seatsLeft returns how many seats a party could have in each slot that a change makes, of whatever size.
func (c coming) seatsLeft(r booking.Restaurant, change SlotsChange, now time.Time) map[booking.TimeOfDay]int {
	left := make(map[booking.TimeOfDay]int, len(c.times))
	for _, at := range c.times {
		c.day[at] = change.Change.Apply(c.day[at])
	}
	for _, at := range c.times {
		ask := booking.Ask{Slot: booking.SlotKey{RestaurantID: r.ID, Date: change.Date, Time: at}, Staff: true}
		left[at] = r.Offer(ask, c.day, now).Remaining
	}
	return left
}

// coming returns those of some times of a day, all of its slots if there are none, whose slots have not begun. Returns
// ErrOutsideHours if the restaurant has no such slot, ErrPast if all have begun.
func (s *Service) coming(ctx context.Context, r booking.Restaurant, date booking.Date,
	times []booking.TimeOfDay) (coming, error) {
	known, err := s.OccupanciesOf(ctx, r, date)
	if err != nil {
		return coming{}, err
	}
	found, c := false, coming{day: known}
	for at := range known {
		if len(times) > 0 && !slices.Contains(times, at) {
			continue
		}
		start, err := r.Start(date, at)
		if err != nil {
			continue // a slot of opening hours that have changed since
		}
		if found = true; !s.Now().Before(start) {
			continue
		}
		c.times = append(c.times, at)
		if c.first.IsZero() || start.Before(c.first) {
			c.first = start
		}
	}
	slices.Sort(c.times)
	switch {
	case !found:
		return c, booking.ErrOutsideHours
	case len(c.times) == 0:
		return c, booking.ErrPast
	}
	return c, nil
}
