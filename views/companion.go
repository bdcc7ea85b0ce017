package views

import (
	"lunchgo/app/booking"
)

// Companion is what those who come along see of a reservation, by its link: when and where, and nothing of its diner.
// Component: pages.Companion(views.Companion).
type Companion struct {
	Layout
	Token string
	Open  bool // it stands, and has not begun; else nothing of it is shown
	Visit
	GoogleURL string            // adds the visit to a calendar at Google
	Form      booking.Companion // as it was typed
	Errors    FieldErrors
}
