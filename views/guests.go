package views

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"lunchgo/app/guests"
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

// GuestFileURL downloads the guests that GuestsURL lists, on all its pages, as a file for spreadsheets.
func GuestFileURL(restaurantID int64, words string) string {
	return withQuery(StaffSectionURL(restaurantID, SectionGuests)+"/file.csv", FieldWords, words)
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

// TagForm are the tags of a guest in a form.
type TagForm struct {
	Kinds []string // those of them that every restaurant has
	Own   string   // words of the restaurant, by commas, or as typed
}

// NewTagForm returns tags as a form shows them.
func NewTagForm(tags []string) (form TagForm) {
	var own []string
	for _, tag := range tags {
		if guests.IsKind(tag) {
			form.Kinds = append(form.Kinds, tag)
		} else {
			own = append(own, tag)
		}
	}
	form.Own = strings.Join(own, ", ")
	return form
}

// Tags are those that the form says.
func (f TagForm) Tags() []string { return append(slices.Clone(f.Kinds), strings.Split(f.Own, ",")...) }

// GuestTags are the tags of a guest as a reader sees them.
func GuestTags(lang string, tags []string) []string {
	shown := make([]string, 0, len(tags))
	for _, tag := range tags {
		if guests.IsKind(tag) {
			tag = i18n.T(lang, "guest_tag."+tag)
		}
		shown = append(shown, tag)
	}
	return shown
}

// GuestList is the page of guests. Component: guests.List.
type GuestList struct {
	StaffShell
	Words  string
	Errors FieldErrors
	Guests []guests.Guest
	Pager  Pager
}

// GuestProfile is the page of a guest. Component: guests.Profile.
type GuestProfile struct {
	StaffShell
	guests.Profile
	Now       time.Time
	MayNote   bool // the reader's role
	MayDelete bool

	Form    TagForm
	Note    string // as typed
	Refused string // why nothing was stored, where no field is wrong
	Errors  FieldErrors
	Pager   Pager
}
