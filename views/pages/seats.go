package pages

import (
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"lunchgo/app/booking"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

// seatsRefresh asks for the seats of another time as soon as the diner chooses it, with the same form that the button
// sends.
func seatsRefresh(b views.Booking) templ.Attributes {
	return templ.Attributes{
		"hx-post": views.ReserveURL(b.Restaurant.Slug), "hx-trigger": "change from:#times",
		"hx-vals":   `{"` + views.FieldAction + `":"` + views.ActionRefresh + `"}`,
		"hx-target": "#seats", "hx-select": "#seats", "hx-swap": "outerHTML", "hx-sync": "this:replace",
	}
}

// whenSwaps are the parts of the page that another date or party changes besides the times.
func whenSwaps(b views.Booking) string {
	swaps := "#when-title,#summary,#pay-bar,#dishes:morph"
	if b.Seats != nil {
		swaps += ",#seats"
	}
	if !b.SignedIn() {
		swaps += ",#have-account" // its link leads back to that date
	}
	return swaps
}

// seatKind is a part of the list of seats.
type seatKind struct {
	picker views.SeatPicker
	legend string
	seats  []views.Seat
}

// seatKinds are the seats of a picker by kind.
func seatKinds(p views.SeatPicker) []seatKind {
	kinds := []seatKind{
		{picker: p, legend: i18n.T(p.Lang, "seats.counter")},
		{picker: p, legend: i18n.T(p.Lang, "seats.tables")},
	}
	for _, seat := range p.Room.Seats {
		at := 0
		if seat.IsTable() {
			at = 1
		}
		kinds[at].seats = append(kinds[at].seats, seat)
	}
	return kinds
}

// placesText says for how many a table is; a seat at the counter is for one.
func placesText(p views.SeatPicker, s views.Seat) []string {
	if !s.IsTable() {
		return nil
	}
	return []string{i18n.T(p.Lang, "seats.places", "Count", s.Places)}
}

// chosenText replaces seatText while the box of the seat is ticked; the style sheet shows one of them.
func chosenText(p views.SeatPicker, s views.Seat) string {
	return strings.Join(append(placesText(p, s), i18n.T(p.Lang, "seats.chosen")), " · ")
}

// seatText says for how many a seat is, and whether the party can have it.
func seatText(p views.SeatPicker, s views.Seat) string {
	parts := placesText(p, s)
	switch {
	case s.State == booking.SeatBlocked:
		parts = append(parts, i18n.T(p.Lang, "seats.blocked"))
	case s.State == booking.SeatTaken:
		parts = append(parts, i18n.T(p.Lang, "seats.taken"))
	case s.State == booking.SeatHeld:
		parts = append(parts, i18n.T(p.Lang, "seats.held"))
	case !s.For(p.Party):
		parts = append(parts, i18n.T(p.Lang, "seats.from", "Count", s.MinParty))
	default:
		parts = append(parts, i18n.T(p.Lang, "seats.free"))
	}
	return strings.Join(parts, " · ")
}

// partnersText names the tables that a party can join with one.
func partnersText(p views.SeatPicker, s views.Seat) string {
	if !s.IsTable() || len(s.Partners) == 0 {
		return ""
	}
	return i18n.T(p.Lang, "seats.joins", "Labels", strings.Join(p.Room.Labels(s.Partners), ", "))
}

func seatAttributes(p views.SeatPicker, s views.Seat) templ.Attributes {
	var partners []string
	for _, id := range s.Partners {
		partners = append(partners, strconv.FormatInt(id, 10))
	}
	return templ.Attributes{"data-seat-box": s.Label, "data-places": strconv.Itoa(s.Places),
		"data-partners": strings.Join(partners, " ")}
}

// fit says which seats are chosen and whether they are enough.
func fit(p views.SeatPicker) string {
	var labels []string
	places := 0
	for _, seat := range p.Room.Chosen() {
		labels, places = append(labels, seat.Label), places+seat.Places
	}
	key := "seats.enough"
	switch {
	case len(labels) == 0:
		return ours(p)
	case places < p.Party:
		key = "seats.short"
	}
	return i18n.T(p.Lang, key, "Labels", strings.Join(labels, ", "), "Places", places, "Party",
		i18n.Party(p.Lang, p.Party))
}

// ours says which seats a party gets that chooses none.
func ours(p views.SeatPicker) string {
	if len(p.Suggested) == 0 {
		return i18n.T(p.Lang, "seats.none_fit")
	}
	return i18n.T(p.Lang, "seats.ours", "Labels", strings.Join(p.Suggested, ", "))
}

// fitTexts are the same sentences for the browser, with placeholders for its values.
func fitTexts(p views.SeatPicker) templ.Attributes {
	fill := func(key string) string {
		return i18n.T(p.Lang, key, "Labels", "{labels}", "Places", "{places}", "Party", i18n.Party(p.Lang, p.Party))
	}
	return templ.Attributes{"data-seats-fit": ours(p), "data-enough": fill("seats.enough"),
		"data-short": fill("seats.short"), "data-party": strconv.Itoa(p.Party)}
}
