package diner

import (
	"context"
	"slices"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/app/web/respond"
	"lunchgo/views"
)

// monthForm is how an address writes a month.
const monthForm = "2006-01"

// monthKey is a month for a party.
type monthKey struct {
	restaurantID int64
	first        booking.Date
	party        int
}

// month is the calendar of a restaurant: of the month that was asked for, else of the chosen date; never one in which
// nothing can be booked any more, or yet. Returns booking.ErrInvalidDate for what is no month.
func (s *Pages) month(ctx context.Context, lang string, e evening, typed string) (views.Month, error) {
	loc := e.restaurant.Location
	today := booking.DateOf(s.now(), loc)
	asked := respond.Midnight(e.date, loc)
	if typed != "" {
		var err error
		if asked, err = time.ParseInLocation(monthForm, typed, loc); err != nil {
			return views.Month{}, booking.ErrInvalidDate
		}
	}
	earliest := firstOfMonth(respond.Midnight(today, loc))
	latest := firstOfMonth(respond.Midnight(today.AddDays(e.restaurant.HorizonDays), loc))
	first := firstOfMonth(asked)
	if first.Before(earliest) {
		first = earliest
	}
	if first.After(latest) {
		first = latest
	}
	days, err := s.days(ctx, e, first)
	month := views.Month{Lang: lang, Slug: e.restaurant.Slug, Party: e.party, First: first,
		Selected: respond.Midnight(e.date, loc), Today: respond.Midnight(today, loc),
		Turned: typed != "", Previous: first.After(earliest), Next: first.Before(latest)}
	for _, day := range days {
		month.Days = append(month.Days, views.Day{Date: respond.Midnight(day.Date, loc), State: dayStateOf(day)})
	}
	return month, err
}

// days asks what each day of a month's weeks, from Monday to Sunday, can still give, once for all who look at the same
// moment.
func (s *Pages) days(ctx context.Context, e evening, first time.Time) ([]reserve.Day, error) {
	last := first.AddDate(0, 1, -1)
	from := booking.Date(first.AddDate(0, 0, -(int(first.Weekday())+6)%7).Format(time.DateOnly))
	until := booking.Date(last.AddDate(0, 0, (7-int(last.Weekday()))%7).Format(time.DateOnly))
	key := monthKey{restaurantID: e.restaurant.ID, first: from, party: e.party}
	return s.months.Load(ctx, key, func(ctx context.Context) ([]reserve.Day, error) {
		return s.Bookings.ListDays(ctx, e.restaurant, from, until, e.party)
	})
}

// firstOpenDay is the date on which those look who do not say when: the first of this month's weeks that can still be
// booked, else today.
func (s *Pages) firstOpenDay(ctx context.Context, e evening) (booking.Date, error) {
	days, err := s.days(ctx, e, firstOfMonth(respond.Midnight(e.date, e.restaurant.Location)))
	at := slices.IndexFunc(days, func(d reserve.Day) bool { return d.State == booking.OfferOpen && d.OpensAt.IsZero() })
	if at < 0 {
		return e.date, err
	}
	return days[at].Date, err
}

func firstOfMonth(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, t.Location())
}
