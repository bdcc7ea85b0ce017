package views

import (
	"errors"
	"strconv"
	"time"

	"lunchgo/app/booking"
)

// Choice is one option of a select: the value of the form and the words for the reader.
type Choice struct {
	Value string
	Label string
	Group string // the heading of those that follow one another with the same; empty: none
}

// GroupChoices divides choices by their groups.
func GroupChoices(choices []Choice) (groups [][]Choice) {
	for i, choice := range choices {
		if i == 0 || choices[i-1].Group != choice.Group {
			groups = append(groups, nil)
		}
		last := &groups[len(groups)-1]
		*last = append(*last, choice)
	}
	return groups
}

// SearchForm holds the answers of the search form as they were typed.
type SearchForm struct {
	Date     string // YYYY-MM-DD
	Time     string // HH:MM, empty for the next meal
	Party    string
	Words    string
	District string // a Choice's value, empty for all
	Cuisine  string // a Choice's value, empty for all
	Price    string // a price band, empty for all
}

// Search is the start page: the form and what it found. Component: pages.Search(views.Search).
type Search struct {
	Layout
	Listing   Listing
	HasRush   bool        // a visitor of a demo can try one
	FirstDate time.Time   // the earliest and
	LastDate  time.Time   // the latest date that can be asked for
	Times     []time.Time // offered in the form besides the next meal, in order
	Districts []Choice
	Cuisines  []Choice
	Results   SearchResults
}

// SearchResults is the list that htmx swaps into "#results" (hx-target) while the form changes. A GET of SearchURL
// with the header HX-Target: results returns it alone. Component: pages.SearchResults(views.SearchResults).
type SearchResults struct {
	Lang   string
	Form   SearchForm // the reader's answers; suggestions for an empty list start from them
	Errors FieldErrors
	Date   time.Time         // the day that was searched, and
	At     booking.TimeOfDay // the time near which slots are shown
	Party  int
	Chips  []Chip
	Cards  []RestaurantCard
	Pager  Pager

	MaxParty int  // that any restaurant takes
	IsMore   bool // they come behind others that the reader has before them
}

// AsksTooMany returns whether more people were searched for than any restaurant takes.
func (r SearchResults) AsksTooMany() bool {
	n, err := strconv.Atoi(r.Form.Party)
	return r.Errors[FieldParty] != "" && (n > r.MaxParty || errors.Is(err, strconv.ErrRange))
}

// Chip is a search that is one press away: the reader's with one answer more, or without it.
type Chip struct {
	Label string
	URL   string
	On    bool // the answer is given
}

// RestaurantCard is a restaurant in a list of SearchResults.
type RestaurantCard struct {
	Of      *booking.Restaurant
	Slots   []Slot    // some of the day that was searched, in order
	More    int       // how many others there are
	Nearest time.Time // of them, to the time that is searched for; zero for none
}

// SlotState is what a slot can still give.
type SlotState string

// States of a slot, as in the JSON API.
const (
	SlotOpen    SlotState = "open"
	SlotSoldOut SlotState = "sold_out"
	SlotClosed  SlotState = "closed"
)

// Slot is a bookable time as a diner sees it.
type Slot struct {
	At        time.Time
	Until     time.Time // the end of a stay over several slots; zero for one
	State     SlotState
	Remaining int // seats left
	Waiting   int // parties in the line now
	Steering  Steering
}

// fewSeats is the number of seats from which on a slot counts as nearly full.
const fewSeats = 4

// CanBook returns whether a party can still try for the slot.
func (s Slot) CanBook(party int) bool { return s.State == SlotOpen && s.Remaining >= party }

// HasWaitlist returns whether a party can wait for seats in the slot.
func (s Slot) HasWaitlist() bool { return s.State == SlotSoldOut }

// IsNearlyGone returns whether a slot is open but nearly full.
func (s Slot) IsNearlyGone() bool { return s.State == SlotOpen && s.Remaining <= fewSeats }

// SlotGroup are slots of a day that follow one another in a service, or in none.
type SlotGroup struct {
	Of    booking.ServiceHours
	Slots []Slot
}

// GroupSlots divides the slots of a day, in order, by the services that they belong to.
func GroupSlots(slots []Slot, hours []booking.ServiceHours) (groups []SlotGroup) {
	for _, slot := range slots {
		of, at := booking.ServiceHours{}, booking.TimeOfDay(ClockValue(slot.At))
		for _, span := range hours {
			if span.Key != "" && span.Has(at) {
				of = span
			}
		}
		if n := len(groups); n == 0 || groups[n-1].Of.Key != of.Key || groups[n-1].Of.From != of.From {
			groups = append(groups, SlotGroup{Of: of})
		}
		last := &groups[len(groups)-1]
		last.Slots = append(last.Slots, slot)
	}
	return groups
}

// SlotLinks is a row of slots that lead to the booking form. Component: components.SlotLinks(views.SlotLinks).
type SlotLinks struct {
	Lang  string
	Slug  string
	Party int
	Slots []Slot
	Dated bool                   // the slots are of different days: each shows its date
	Hours []booking.ServiceHours // of their day: those of a service have a heading

	Nearest time.Time // the slot that is marked, nearest to the time that was asked for; zero for none
	Brief   bool      // seats are counted only where few are left
	More    int       // how many slots the day has besides, and
	MoreURL string    // where they are
}
