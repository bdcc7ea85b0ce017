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
	shown := views.RehearsalLive{Lang: lang, Has: true, Running: now.EndedAt.IsZero(),
		At: now.StartedAt.In(restaurant.Location), Report: now.Report}
	shown.Broken = !shown.Running && shown.Answered+shown.Failed < shown.Guests
	shown.Slot, _ = restaurant.Start(shown.Date, shown.Time) // of an old one there is none
	return shown
}
