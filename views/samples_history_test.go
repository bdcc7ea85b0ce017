package views_test

import (
	"time"

	"github.com/a-h/templ"

	"lunchgo/app/booking"
	guestbook "lunchgo/app/guests"
	"lunchgo/app/keyset"
	"lunchgo/views"
	history "lunchgo/views/guests"
)

// addGuestHistory adds the pages on which staff see the history of guests.
func addGuestHistory(lang string, all map[string]templ.Component) {
	list := views.GuestList{StaffShell: staffShell(lang, views.SectionGuests)}
	all["guests-empty"] = history.List(list)
	kim := guestbook.Guest{ID: "AAAA", Name: pick(lang, "김하늘", "Haneul Kim"), Phone: "010-1234-5678",
		LastVisit: evening, Visits: 12, NoShows: 1, Spent: 480_000, HasAccount: true, Consents: true,
		Allergies: []string{pick(lang, "땅콩", "Peanuts"), hostile},
		Tags:      []string{"vip", pick(lang, "창가 선호", "Prefers window"), hostile}}
	list.Guests = []guestbook.Guest{kim,
		{ID: "BBBB", Name: hostile, Phone: "010-9876-5432", LastVisit: evening.Add(-24 * time.Hour), Visits: 1},
		{ID: "CCCC", Name: pick(lang, "박민수", "Minsu Park")}}
	list.Pager = views.Pager{Lang: lang, Next: views.GuestsURL(1, "") + "?after=AAAA"}
	all["guests-list"] = history.List(list)
	list.Words, list.Guests, list.Pager = hostile, nil, views.Pager{}
	all["guests-none"] = history.List(list)
	list.Words, list.Errors = "김", views.FieldErrors{views.FieldWords: list.T("error.field.too_short")}
	all["guests-errors"] = history.List(list)
	page := guestSample(lang, kim)
	all["guests-profile"] = history.Profile(page)
	page.Consents = false
	all["guests-profile-without"] = history.Profile(page)
	page.Consents, page.HasAccount, page.Notes, page.Refused = true, false, nil, page.T("error.too_many_notes")
	page.Note, page.Form.Own = hostile, hostile
	page.Errors = views.FieldErrors{views.FieldText: page.T("history.fault_text_required"),
		views.FieldTags: page.T("history.fault_tags_too_many", "Max", 12)}
	all["guests-profile-errors"] = history.Profile(page)
}

func guestSample(lang string, of guestbook.Guest) views.GuestProfile {
	page := views.GuestProfile{StaffShell: staffShell(lang, views.SectionGuests), Profile: guestbook.Profile{Guest: of},
		Now: evening, MayNote: true, MayDelete: true,
		Form: views.TagForm{Kinds: []string{"vip", "window"}, Own: pick(lang, "단골 와인", "Wine lover")}}
	page.Notes = []guestbook.Note{{ID: 2,
		Text:   pick(lang, "창가 자리를 좋아하시고, 물은 미지근하게.\n생일은 5월.", "Likes the window, and lukewarm water.\nBirthday in May."),
		ByName: pick(lang, "이하나", "Hana Lee"), At: evening}, {ID: 1, Text: hostile, ByName: hostile,
		At: evening.Add(-480 * time.Hour)}}
	page.Bookings = keyset.Page[guestbook.Booking]{Items: []guestbook.Booking{
		{ID: "R1", Start: evening.Add(72 * time.Hour), PartySize: 2, State: booking.Confirmed, Note: hostile, Spent: 20_000},
		{ID: "R2", Start: evening, PartySize: 4, State: booking.Completed, Spent: 40_000},
		{ID: "R3", Start: evening.Add(-72 * time.Hour), PartySize: 2, State: booking.NoShow}}}
	return page
}
