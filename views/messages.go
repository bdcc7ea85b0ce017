package views

import "time"

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
	MaxRunes int
	Key      string
	Errors   FieldErrors
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
	At     time.Time
	By     string
	Guests MessageGuests
}

// MessageGuests are those for whom a message is.
type MessageGuests struct {
	Reached   []MessageGuest
	Unreached []MessageGuest // they have no address: the host calls them
}

// MessageGuest is one of them.
type MessageGuest struct {
	ReservationID string
	Name          string
	When          string // time, or date and time
	Party         int
	Phone         string // empty if it is not known
}
