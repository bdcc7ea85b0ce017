package diner

import (
	"slices"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

// restaurantPage is what the page tells of a restaurant on any day.
func restaurantPage(f views.Layout, r booking.Restaurant, menu []booking.MenuItem) views.Restaurant {
	today := booking.DateOf(time.Now(), r.Location)
	return views.Restaurant{
		Layout: f,
		Of:     &r,
		Hours:  hoursOf(r, today),
		Other:  otherDaysOf(r, today),
		Menu:   menuOf(f.Lang, r, menu, nil),
	}
}

// unlimited is the stock of a dish that has none.
const unlimited = -1

// menuOf sorts the items by their category, in the order in which the categories come up.
func menuOf(lang string, r booking.Restaurant, items []booking.MenuItem, stock booking.Stock) []views.MenuSection {
	var keys []string
	var sections []views.MenuSection
	for _, item := range items {
		at := slices.Index(keys, item.Category)
		if at < 0 {
			at = len(keys)
			keys = append(keys, item.Category)
			sections = append(sections, views.MenuSection{Title: i18n.Label(lang, "category", item.Category)})
		}
		left, limited := stock[item.ID]
		if !limited {
			left = unlimited
		}
		sections[at].Items = append(sections[at].Items, views.MenuItem{MenuItem: item, Stock: left,
			Stay: r.StayLength(item.In(r.SlotMinutes).StayMinutes)})
	}
	return sections
}

// hoursOf lists the usual week from Monday on. The last seating is that of the smallest party.
func hoursOf(r booking.Restaurant, today booking.Date) []views.HoursOfDay {
	r.SpecialDays, r.Closures = nil, nil
	week := make([]views.HoursOfDay, 7)
	for i := range week {
		week[i].Day = time.Weekday((i + 1) % 7)
		ahead := (int(week[i].Day) - int(today.Weekday()) + 7) % 7
		week[i].Periods = r.HoursOn(today.AddDays(ahead), r.PartyMin)
	}
	return week
}

// otherDaysOf are the closures and special days for which diners can book by now, or soon, by date.
func otherDaysOf(r booking.Restaurant, today booking.Date) []views.OtherDay {
	var days []views.OtherDay
	last := today.AddDays(r.HorizonDays)
	for _, date := range r.Closures {
		if date >= today && date <= last {
			days = append(days, views.OtherDay{Date: respond.Midnight(date, r.Location),
				Reason: r.ClosureReasons[date]})
		}
	}
	for _, special := range r.SpecialDays {
		if special.Date < today || special.Date > last || slices.Contains(r.Closures, special.Date) {
			continue
		}
		days = append(days, views.OtherDay{Date: respond.Midnight(special.Date, r.Location),
			Periods: r.HoursOn(special.Date, r.PartyMin)})
	}
	slices.SortFunc(days, func(a, b views.OtherDay) int { return a.Date.Compare(b.Date) })
	return days
}

func slotsOf(slots []reserve.Slot) []views.Slot {
	list := make([]views.Slot, 0, len(slots))
	for _, s := range slots {
		slot := views.Slot{At: s.Start, State: views.SlotState(s.State), Remaining: s.Remaining, Waiting: s.Waiting,
			Until: s.Until, Steering: respond.Steering(s.Steering, s.Start.Location(), time.Now())}
		list = append(list, slot)
	}
	return list
}

func dayStateOf(day reserve.Day) views.DayState {
	emptiest := views.Slot{State: views.SlotState(day.State), Remaining: day.Remaining}
	switch {
	case day.State == booking.OfferOpen && !day.OpensAt.IsZero():
		return views.DayLater
	case emptiest.IsNearlyGone():
		return views.DayFew
	case day.State == booking.OfferOpen:
		return views.DayOpen
	case day.State == booking.OfferSoldOut:
		return views.DayFull
	}
	return views.DayClosed
}
