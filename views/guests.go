package views

import (
	"net/url"
	"time"
)

// GuestsURL lists the guests of a restaurant, or those that words fit. GET: guests.List; 422 for words that fit too many.
func GuestsURL(restaurantID int64, words string) string {
	address := StaffSectionURL(restaurantID, SectionGuests)
	if words != "" {
		address += "?" + url.Values{FieldWords: {words}}.Encode()
	}
	return address
}

// GuestURL is what a restaurant knows of a guest. GET: guests.Profile.
func GuestURL(restaurantID int64, guest string) string {
	return GuestsURL(restaurantID, "") + "/" + guest
}

// GuestSummary is a guest in a list.
type GuestSummary struct {
	ID        string
	Name      string
	Phone     string    // empty when none is known
	LastVisit time.Time // zero: has never come
	Visits    int
	NoShows   int
	Allergies []string
}

// GuestList is the page of guests. Component: guests.List.
type GuestList struct {
	StaffShell
	Words  string
	Errors FieldErrors
	Guests []GuestSummary
	Pager  Pager
}

// GuestBooking is a booking in a guest's history.
type GuestBooking struct {
	ID    string
	Start time.Time
	Party int
	State ReservationState
	Note  string
	Paid  int64
}

// GuestProfile is the page of a guest. Component: guests.Profile.
type GuestProfile struct {
	StaffShell
	GuestSummary
	HasAccount bool
	Facts      []Fact
	Coming     []GuestBooking
	Past       []GuestBooking
	Pager      Pager
}
