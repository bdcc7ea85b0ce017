package diner

import (
	"cmp"
	"slices"
	"strconv"
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

// How many restaurants a page of the search shows, and how many slots each of them.
const (
	cardsPerPage = 6
	cardSlots    = 5
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

// question reads the search form at a moment of the site's zone. Faults are by field.
func (h searchOptions) question(f views.SearchForm, now time.Time) (reserve.Query, []respond.Field) {
	today := booking.DateOf(now, now.Location())
	q := reserve.Query{Words: f.Words, District: f.District, Cuisine: f.Cuisine, Date: today, PartySize: defaultParty}
	var fieldErrors []respond.Field
	refuse := func(name, reason string) {
		fieldErrors = append(fieldErrors, respond.Field{Name: name, Reason: reason})
	}

	switch date, _, err := respond.ReadDate(f.Date, today, now.Location()); {
	case err != nil:
		refuse(views.FieldDate, "invalid_date")
	case date < today:
		refuse(views.FieldDate, "past")
	case date > h.lastDate:
		refuse(views.FieldDate, "too_far")
	default:
		q.Date = date
	}
	q.Time = nextMeal(q.Date, now)
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
	if q.PriceBand, _ = strconv.Atoi(f.Price); f.Price != "" && !slices.Contains(h.PriceBands, q.PriceBand) {
		refuse(views.FieldForm, "unknown")
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

// When those eat who do not say.
const (
	lunch  booking.TimeOfDay = "12:00"
	dinner booking.TimeOfDay = "18:30"
)

// nextMeal is the first meal of a date that has not begun; after the last one, it is that.
func nextMeal(date booking.Date, now time.Time) booking.TimeOfDay {
	if date == booking.DateOf(now, now.Location()) && views.ClockValue(now) > string(lunch) {
		return dinner
	}
	return lunch
}

// tonight is the time of an evening that a press on "tonight" asks for.
const tonight = "19:00"

// chips are the searches that are one press away from that of a form: for now, for tonight, and by place, dish and
// price.
func (h searchOptions) chips(lang string, form views.SearchForm, now time.Time) []views.Chip {
	today, soon := views.DateValue(now), now.Add(30*time.Minute).Truncate(30*time.Minute)
	var chips []views.Chip
	at := func(label, clock string) {
		chip := views.Chip{Label: i18n.T(lang, label), On: form.Date == today && form.Time == clock}
		asked := form
		if asked.Date, asked.Time = today, clock; chip.On {
			asked.Time = ""
		}
		chip.URL = views.SearchURL(asked)
		chips = append(chips, chip)
	}
	if soon.Day() == now.Day() {
		at("search.now", views.ClockValue(soon))
	}
	if views.ClockValue(soon) < tonight {
		at("search.tonight", tonight)
	}
	by := func(answer *string, options []views.Choice) {
		before := *answer
		for _, option := range options {
			chip := views.Chip{Label: option.Label, On: option.Value == before}
			if *answer = option.Value; chip.On {
				*answer = ""
			}
			chip.URL = views.SearchURL(form)
			chips = append(chips, chip)
		}
		*answer = before
	}
	by(&form.District, choicesOf(lang, "district", h.Districts))
	by(&form.Cuisine, choicesOf(lang, "cuisine", h.Cuisines))
	by(&form.Price, priceChoices(lang, h.PriceBands))
	return chips
}

func priceChoices(lang string, bands []int) []views.Choice {
	choices := make([]views.Choice, 0, len(bands))
	for _, band := range bands {
		choices = append(choices, views.Choice{Value: strconv.Itoa(band), Label: i18n.PriceBand(lang, band)})
	}
	return choices
}

func cardOf(found *reserve.SearchResult, q reserve.Query) views.RestaurantCard {
	taken := slices.DeleteFunc(slices.Clone(found.Slots), func(s reserve.Slot) bool { return s.State == booking.OfferClosed })
	card := views.RestaurantCard{Of: &found.Restaurant, Slots: slotsOf(foremost(taken, q))}
	card.More, card.Nearest = len(taken)-len(card.Slots), nearest(card.Slots, q)
	return card
}

// foremost are the few slots of a day that a card shows, in order: those nearest to the time that is searched for.
func foremost(slots []reserve.Slot, q reserve.Query) []reserve.Slot {
	shown := slices.Clone(slots)
	slices.SortStableFunc(shown, func(a, b reserve.Slot) int {
		return cmp.Compare(apart(a.Start, q.Time), apart(b.Start, q.Time))
	})
	shown = shown[:min(cardSlots, len(shown))]
	slices.SortFunc(shown, func(a, b reserve.Slot) int { return a.Start.Compare(b.Start) })
	return shown
}

// apart is how far a slot's start is from a time of its day.
func apart(start time.Time, at booking.TimeOfDay) time.Duration {
	asked, err := time.Parse("15:04", string(at))
	if err != nil {
		return 0
	}
	minutes := (start.Hour()-asked.Hour())*60 + start.Minute() - asked.Minute()
	return time.Duration(max(minutes, -minutes)) * time.Minute
}

// nearest is the slot nearest to the time that is searched for among those that the party can have; zero if there is
// none.
func nearest(slots []views.Slot, q reserve.Query) (at time.Time) {
	for _, s := range slots {
		if s.CanBook(q.PartySize) && (at.IsZero() || apart(s.At, q.Time) < apart(at, q.Time)) {
			at = s.At
		}
	}
	return at
}
