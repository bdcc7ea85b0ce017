package pages

import (
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"lunchgo/views"
	"lunchgo/views/components"
	"lunchgo/views/i18n"
)

// searchLabels are the catalogue's keys of the search form's labels.
var searchLabels = map[string]string{
	views.FieldDate:     "field.date",
	views.FieldTime:     "field.time",
	views.FieldParty:    "field.party",
	views.FieldDistrict: "field.district",
	views.FieldCuisine:  "field.cuisine",
	views.FieldWords:    "field.words",
}

func searchField(s views.Search, name, value string, attributes templ.Attributes) components.Field {
	return components.Field{
		Name: name, Label: s.T(searchLabels[name]), Value: value, Error: s.Results.Errors[name], Attributes: attributes,
	}
}

// dayBegins is the hour at which a day of dining begins.
const dayBegins = 5

// timeChoices are the times of the search form, after the next meal. The small hours are those of the morning of the
// date, and the last: few look for them.
func timeChoices(s views.Search) []views.Choice {
	choices := []views.Choice{{Label: s.T("search.next_meal")}}
	var early []views.Choice
	for _, t := range s.Times {
		choice := views.Choice{Value: views.ClockValue(t), Label: i18n.Time(s.Lang, t)}
		if t.Hour() >= dayBegins {
			choices = append(choices, choice)
			continue
		}
		choice.Label = s.T("search.small_hours", "Time", choice.Label)
		early = append(early, choice)
	}
	return append(choices, early...)
}

func withAll(label string, options []views.Choice) []views.Choice {
	return append([]views.Choice{{Label: label}}, options...)
}

// pillText says for when and how many is searched, without a party that was not understood.
func pillText(r views.SearchResults) string {
	parts := []string{i18n.Date(r.Lang, r.Date), i18n.Clock(r.Lang, string(r.At))}
	if r.Errors[views.FieldParty] == "" {
		parts = append(parts, i18n.Party(r.Lang, r.Party))
	}
	return strings.Join(parts, " · ")
}

// resultsTitle says which times are shown: none, where the question could not be understood.
func resultsTitle(r views.SearchResults) string {
	if len(r.Errors) > 0 {
		return i18n.T(r.Lang, "search.unclear")
	}
	key := "search.near"
	if r.Form.Time == "" {
		key = "search.near_meal"
	}
	return i18n.T(r.Lang, key, "Time", i18n.Clock(r.Lang, string(r.At)))
}

// foundText says how many restaurants are shown, and whether there are more.
func foundText(r views.SearchResults) string {
	if r.Pager.Next != "" {
		return i18n.T(r.Lang, "search.found_more", "Shown", len(r.Cards))
	}
	return i18n.T(r.Lang, "search.found", "Count", len(r.Cards))
}

// mostURL is the search for as many people as a restaurant takes at most.
func mostURL(r views.SearchResults) string {
	form := r.Form
	form.Party = strconv.Itoa(r.MaxParty)
	return views.SearchURL(form)
}

// suggestion is another search, for one that found nothing.
type suggestion struct {
	label string
	url   string
}

// suggestions widen a search that found nothing, one answer at a time; the next day is always worth a try.
func suggestions(r views.SearchResults) []suggestion {
	var all []suggestion
	widen := func(key string, change func(*views.SearchForm) *string) {
		form := r.Form
		if answer := change(&form); *answer != "" {
			*answer = ""
			all = append(all, suggestion{label: i18n.T(r.Lang, key), url: views.SearchURL(form)})
		}
	}
	widen("search.without_words", func(f *views.SearchForm) *string { return &f.Words })
	widen("search.all_cuisines", func(f *views.SearchForm) *string { return &f.Cuisine })
	widen("search.all_districts", func(f *views.SearchForm) *string { return &f.District })
	widen("search.all_prices", func(f *views.SearchForm) *string { return &f.Price })
	form := r.Form
	form.Date = views.DateValue(r.Date.AddDate(0, 0, 1))
	return append(all, suggestion{label: i18n.T(r.Lang, "search.next_day"), url: views.SearchURL(form)})
}
