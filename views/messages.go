package views

import (
	"time"

	"lunchgo/app/messages"
)

// FieldReservation is the id of the reservation whose guest a message is for.
const FieldReservation = "reservation"

// StaffMessage is the form with which staff write to guests. Component: staff.Message(views.StaffMessage).
type StaffMessage struct {
	StaffShell
	Title    string // to whom
	Back     StaffMessageBack
	Fields   []FormValue // for whom it is
	Closing  string      // the page that cancels, or keeps, the reservations of all of them; empty for one guest
	Nobody   string      // why nobody can be written to; empty for a form
	Guests   MessageGuests
	Text     string
	Offer    OfferForm
	MaxRunes int
	Key      string
	Errors   FieldErrors
}

// Fields of another time that is offered to guests.
const (
	FieldOfferDate   = "offer_date"
	FieldOfferTime   = "offer_time"   // empty: each party is proposed its own
	FieldOfferRefund = "offer_refund" // yes: or to cancel with a full refund
)

// OfferForm is another time that staff offer to guests, as typed.
type OfferForm struct {
	Date, Time string
	First      string   // the first date that can be offered
	Times      []Choice // of the restaurant's days, after that of each party's own
	CanRefund  bool     // the reader may offer a refund besides
	Refund     bool
}

// StaffMessageBack is the page that a message leads back to.
type StaffMessageBack struct {
	URL, Label string
}

// StaffMessageSent is a message that was sent. Component: staff.MessageSent(views.StaffMessageSent).
type StaffMessageSent struct {
	StaffShell
	Title  string // to whom
	Back   StaffMessageBack
	Text   string
	Offer  string // another time that it offers; empty for none
	At     time.Time
	By     string
	Guests MessageGuests
}

// MessageGuests are those for whom a message is.
type MessageGuests struct {
	Reached   []MessageGuest
	Unreached []MessageGuest // they have no address: the host calls them
}

// HasAnswer says whether another time was offered to the guest, and so what became of that.
func (g MessageGuest) HasAnswer() bool { return g.Answer != "" && g.Answer != messages.NotAsked }

// MessageGuest is one of them.
type MessageGuest struct {
	ReservationID string
	Name          string
	When          string // time, or date and time
	Party         int
	Phone         string          // empty if it is not known
	Answer        messages.Answer // to another time that was offered
	Moved         string          // the time that the party has instead, if it has moved
}
