package views

import "time"

// WaitState is where somebody's place in a line stands.
type WaitState string

// States of a place in a line.
const (
	WaitOpen    WaitState = "open"    // they wait
	WaitHeld    WaitState = "held"    // their turn has come: seats are held until they pay
	WaitDone    WaitState = "done"    // their turn has come, and nothing is left to do: a coupon, a change
	WaitRefused WaitState = "refused" // the line, or their turn, led to nothing
)

// WaitBar tells a diner on every page where they wait, and what came of it. Components:
// components.WaitBar(views.WaitBar); its moving part, which the stream sends as event "waits", is
// components.WaitPlaces(views.WaitBar).
type WaitBar struct {
	Lang   string
	Places []WaitPlace // what came of waits first, then the nearest turn
	Live   bool        // a stream keeps it up to date; false where nobody waits, or the page has a stream of its own
}

// WaitPlace is a place in a line.
type WaitPlace struct {
	Ticket   string
	Name     string // of the restaurant, or of the coupon
	At       time.Time
	Until    time.Time // the end of a stay over several slots; zero for one
	Party    int       // 0 for a coupon
	Picture  string
	State    WaitState
	Position int       // of WaitOpen: 1 is the next; 0 when it is not known, or the turn is being served
	Reason   string    // of WaitRefused, in a few words
	Deadline time.Time // of WaitHeld
	Now      time.Time // the server's clock, which sets the countdown in the browser
	Since    time.Time // when they pressed
}

// IsCoupon returns whether the line is one for coupons.
func (p WaitPlace) IsCoupon() bool { return p.Party == 0 }

// Waits returns whether any of the places is still open.
func (b WaitBar) Waits() bool {
	for _, place := range b.Places {
		if place.State == WaitOpen {
			return true
		}
	}
	return false
}
