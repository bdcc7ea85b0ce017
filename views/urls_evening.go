package views

import (
	"net/url"
	"strconv"
	"time"
)

// Names of fields of the evening's pages.
const (
	FieldTab             = "tab"    // of the evening
	FieldMarked          = "marked" // the reservation that was marked just now
	FieldMoved           = "moved"  // the reservation that was moved just now, from where FieldWas says
	FieldReservationCode = "code"   // of a reservation
	FieldTable           = "table"  // whose menu a form is on, besides its tab in FieldNext
)

// EveningAddress names a tab of a restaurant's evening, and what is looked for on it.
type EveningAddress struct {
	RestaurantID int64
	Day          time.Time
	Tab          EveningTab
	Text         string // part of a name, of a phone number or of a code
	Group        string // of parties, as in evening.Group
	Marked       string // the reservation that was marked just now, which is offered to be taken back
}

// URL is the tab's page. GET: staff.Tonight.
func (a EveningAddress) URL() string {
	path := staffRestaurantURL(a.RestaurantID)
	if a.Tab != TabGuests {
		path += "/" + string(a.Tab)
	}
	return withQuery(path, FieldDate, DateValue(a.Day), FieldWords, a.Text, FieldState, a.Group, FieldMarked, a.Marked)
}

// EventsURL streams the tab: event "evening" carries staff.TonightLive as often as it looks different.
func (a EveningAddress) EventsURL() string {
	return withQuery(staffRestaurantURL(a.RestaurantID)+"/events", FieldDate, DateValue(a.Day), FieldTab, string(a.Tab),
		FieldWords, a.Text, FieldState, a.Group)
}

// On is the same tab on another day.
func (a EveningAddress) On(day time.Time) EveningAddress {
	a.Day, a.Marked = day, ""
	return a
}

// To is another tab of the same day.
func (a EveningAddress) To(tab EveningTab) EveningAddress {
	return EveningAddress{RestaurantID: a.RestaurantID, Day: a.Day, Tab: tab}
}

// In is the same list with another group of parties.
func (a EveningAddress) In(group string) EveningAddress {
	a.Group, a.Marked = group, ""
	return a
}

// TableURL is what can be done at a table on the day, and leads back to the tab. GET: staff.Table.
func (a EveningAddress) TableURL(seat int64) string {
	return withQuery(staffRestaurantURL(a.RestaurantID)+"/tables/"+strconv.FormatInt(seat, 10), FieldDate,
		DateValue(a.Day), FieldTab, string(a.Tab))
}

// StaffPushURL has new bookings pushed to this browser, or no more. POST: fields as of PushURL, or none; 204.
func StaffPushURL(restaurant int64) string { return staffRestaurantURL(restaurant) + "/pushes" }

// StaffSheetURL is who comes on a day by time and table, to be printed: for the kitchen, or with names. GET:
// staff.Sheet.
func StaffSheetURL(restaurant int64, day time.Time, kitchen bool) string {
	path := staffRestaurantURL(restaurant) + "/print"
	if kitchen {
		path = staffRestaurantURL(restaurant) + "/kitchen"
	}
	return withQuery(path, FieldDate, DateValue(day))
}

// StaffScanURL is where staff read a guest's QR code, or type the reservation's. GET: staff.Scan; with code= 303 to the
// guest, or 404 and the form again.
func StaffScanURL(restaurant int64) string { return staffRestaurantURL(restaurant) + "/scan" }

// PhoneURL has a telephone call a number.
func PhoneURL(number string) string { return "tel:" + url.PathEscape(number) }
