package rehearsals

import (
	"slices"
	"strconv"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/rehearsal"
	"lunchgo/views"
)

// usualForm is what the form has before anybody types.
func usualForm(r booking.Restaurant, now time.Time) views.RehearsalForm {
	date, at := rehearsal.UsualSlot(r, now)
	return views.RehearsalForm{Date: string(date), Time: string(at), Guests: strconv.Itoa(rehearsal.UsualGuests),
		AtOnce: strconv.Itoa(rehearsal.UsualAtOnce)}
}

// times are those of the slots of a week.
func times(r booking.Restaurant, from booking.Date) []views.Choice {
	var all []booking.TimeOfDay
	for day := range 7 {
		all = append(all, r.Times(from.AddDays(day))...)
	}
	slices.Sort(all)
	var choices []views.Choice
	for _, at := range slices.Compact(all) {
		choices = append(choices, views.Choice{Value: string(at), Label: string(at)})
	}
	return choices
}

// live is the latest rehearsal as a page shows it.
func live(known latest, lang string) views.RehearsalLive {
	if len(known.all) == 0 {
		return views.RehearsalLive{Lang: lang}
	}
	now, restaurant := known.all[0], known.place.Restaurant
	r := now.Report
	shown := views.RehearsalLive{Lang: lang, Has: true, Running: now.EndedAt.IsZero(),
		At: now.StartedAt.In(restaurant.Location), Of: r.Guests, AtOnce: r.AtOnce, Answered: r.Answered,
		Seated: r.Seated, SoldOut: r.SoldOut, Left: r.Left, Rechosen: r.Rechosen, Failed: r.Failed, Seats: r.Seats,
		Taken: r.Taken, Oversold: r.Oversold, Inversions: r.OrderInversions, First: r.FirstMs, Median: r.MedianMs,
		P95: r.P95Ms, Last: r.LastMs, Took: r.TookMs, SoldOutAfter: r.SoldOutMs, LongestLine: r.LongestLine,
		EstimatePercent: r.EstimatePercent, Slowed: r.Slowed, Waits: r.Waits, Line: r.Line}
	shown.Broken = !shown.Running && r.Answered+r.Failed < r.Guests
	shown.Slot, _ = restaurant.Start(r.Date, r.Time) // of an old one there is none
	for _, dish := range r.Dishes {
		shown.Dishes = append(shown.Dishes, views.SoldOutDish{Name: dish.Name.In(lang), After: dish.AfterMs})
	}
	return shown
}
