package views

import (
	"time"

	"lunchgo/app/booking"
)

// Coming asks a diner, by the link of a reminder, whether the party comes. Component: pages.Coming(views.Coming).
type Coming struct {
	Layout
	Token         string
	ReservationID string
	Open          bool // the restaurant waits for the party
	Said          bool // it comes
	Restaurant    *booking.Restaurant
	At            time.Time
	Until         time.Time // the end of a stay over several slots; zero for one
	Party         int
}

// State is the part of the page's keys in the catalogues.
func (c Coming) State() string {
	switch {
	case !c.Open:
		return "over"
	case c.Said:
		return "said"
	}
	return "ask"
}
