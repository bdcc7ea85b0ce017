package views

import (
	"net/url"
	"strconv"
	"time"

	"lunchgo/app/booking"
	"lunchgo/views/i18n"
)

// GuestsURL lists the guests of a restaurant, or those that words fit. GET: guests.List; 422 for words that fit too
// many.
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

// GuestNotesURL writes a note about a guest. POST: field Text; 303 to the guest, 409 and 422 render it again.
func GuestNotesURL(restaurantID int64, guest string) string {
	return GuestURL(restaurantID, guest) + "/notes"
}

// GuestNoteDeleteURL deletes a note about a guest. POST: 303 to the guest.
func GuestNoteDeleteURL(restaurantID int64, guest string, note int64) string {
	return GuestNotesURL(restaurantID, guest) + "/" + strconv.FormatInt(note, 10) + "/delete"
}

// GuestTagsURL replaces the tags of a guest. POST: fields Kind, one for each that is set, and Tags; 303 to the guest,
// 409 and 422 render it again.
func GuestTagsURL(restaurantID int64, guest string) string {
	return GuestURL(restaurantID, guest) + "/tags"
}

// GuestTag is a tag as a reader sees it.
func GuestTag(lang, tag string, isKind bool) string {
	if isKind {
		return i18n.T(lang, "guest_tag."+tag)
	}
	return tag
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
	Tags      []string // as shown
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
	State booking.State
	Note  string
	Paid  int64
}

// GuestNote is what a member of staff wrote about a guest.
type GuestNote struct {
	ID   int64
	Text string
	By   string // name; what deleted accounts are called
	At   time.Time
}

// GuestKind is a tag that every restaurant has.
type GuestKind struct {
	Name string // key of "guest_tag.<name>"
	Set  bool
}

// GuestProfile is the page of a guest. Component: guests.Profile.
type GuestProfile struct {
	StaffShell
	GuestSummary
	HasAccount bool
	Consents   bool // notes and tags may be kept
	Facts      []Fact
	Notes      []GuestNote
	MayNote    bool // the reader's role
	MayDelete  bool

	Kinds   []GuestKind // tags that every restaurant has
	OwnTags string      // those of the restaurant, or as typed
	Note    string      // as typed
	Refused string      // why nothing was stored, where no field is wrong
	Errors  FieldErrors
	Coming  []GuestBooking
	Past    []GuestBooking
	Pager   Pager
}
