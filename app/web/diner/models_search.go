package diner

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

// What a search asks for when it does not say.
const (
	defaultParty = 2
	maxWords     = 100 // characters
)

// How many restaurants a page of the search shows, and how many slots each of them around the time that was asked for.
const (
	cardsPerPage = 12
	cardSlots    = 6
)

// searchOptions is what the search form offers.
type searchOptions struct {
	*reserve.Directory
	maxParty int
	lastDate booking.Date
}

func searchOptionsOf(d *reserve.Directory, today booking.Date) searchOptions {
	return searchOptions{Directory: d, maxParty: max(defaultParty, d.MaxParty), lastDate: today.AddDays(d.HorizonDays)}
}

// question reads the search form. Faults are by field.
func (h searchOptions) question(f views.SearchForm, today booking.Date,
	zone *time.Location) (reserve.Query, []respond.Field) {
	q := reserve.Query{Words: f.Words, District: f.District, Cuisine: f.Cuisine, Date: today, PartySize: defaultParty}
	var fieldErrors []respond.Field
	refuse := func(name, reason string) {
		fieldErrors = append(fieldErrors, respond.Field{Name: name, Reason: reason})
	}

	switch date, _, err := respond.ReadDate(f.Date, today, zone); {
	case err != nil:
		refuse(views.FieldDate, "invalid_date")
	case date < today:
		refuse(views.FieldDate, "past")
	case date > h.lastDate:
		refuse(views.FieldDate, "too_far")
	default:
		q.Date = date
	}
	if at, err := booking.ParseTimeOfDay(f.Time); err == nil {
		q.Time = at
	} else if f.Time != "" {
		refuse(views.FieldTime, "invalid_time")
	}
	if n, ok := respond.ReadPartySize(f.Party, defaultParty); ok && n >= 1 && n <= h.maxParty {
		q.PartySize = n
	} else {
		fieldErrors = append(fieldErrors, respond.Field{Name: views.FieldParty, Reason: "out_of_range", Min: 1,
			Max: h.maxParty})
	}
	fieldErrors = append(fieldErrors, wordErrors(f.Words)...)
	if f.District != "" && !slices.Contains(h.Districts, f.District) {
		refuse(views.FieldDistrict, "unknown")
	}
	if f.Cuisine != "" && !slices.Contains(h.Cuisines, f.Cuisine) {
		refuse(views.FieldCuisine, "unknown")
	}
	return q, fieldErrors
}

func wordErrors(words string) []respond.Field {
	switch {
	case !utf8.ValidString(words) || strings.ContainsRune(words, 0):
		return []respond.Field{{Name: views.FieldWords, Reason: "invalid_text"}}
	case utf8.RuneCountInString(words) > maxWords:
		return []respond.Field{{Name: views.FieldWords, Reason: "too_long", Max: maxWords}}
	}
	return nil
}

// errorsOf are the errors of fields as forms show them, the first of each field.
func errorsOf(lang string, fieldErrors []respond.Field) views.FieldErrors {
	errors := views.FieldErrors{}
	for _, f := range fieldErrors {
		if errors[f.Name] == "" {
			errors[f.Name] = respond.FieldSentence(lang, f)
		}
	}
	return errors
}

func choicesOf(lang, section string, keys []string) []views.Choice {
	choices := make([]views.Choice, 0, len(keys))
	for _, key := range keys {
		choices = append(choices, views.Choice{Value: key, Label: i18n.Label(lang, section, key)})
	}
	return choices
}

func cardOf(found *reserve.SearchResult, at booking.TimeOfDay) views.RestaurantCard {
	return views.RestaurantCard{Of: &found.Restaurant, Slots: slotsOf(around(found.Slots, at))}
}

// around keeps of a day's slots those that take reservations or did, and where a time was asked for, those nearest
// to it.
func around(slots []reserve.Slot, at booking.TimeOfDay) []reserve.Slot {
	shown := slices.DeleteFunc(slices.Clone(slots), func(s reserve.Slot) bool { return s.State == booking.OfferClosed })
	if at == "" || len(shown) <= cardSlots {
		return shown
	}
	asked, err := time.Parse("15:04", string(at))
	if err != nil {
		return shown[:cardSlots]
	}
	apart := func(s reserve.Slot) int {
		d := (s.Start.Hour()-asked.Hour())*60 + s.Start.Minute() - asked.Minute()
		return max(d, -d)
	}
	slices.SortStableFunc(shown, func(a, b reserve.Slot) int { return apart(a) - apart(b) })
	shown = shown[:cardSlots]
	slices.SortFunc(shown, func(a, b reserve.Slot) int { return a.Start.Compare(b.Start) })
	return shown
}
