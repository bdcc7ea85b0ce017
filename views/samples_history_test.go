package views_test

import (
	"time"

	"github.com/a-h/templ"

	"lunchgo/app/booking"
	"lunchgo/views"
	history "lunchgo/views/guests"
	"lunchgo/views/i18n"
)

// addGuestHistory adds the pages on which staff see the history of guests.
func addGuestHistory(lang string, all map[string]templ.Component) {
	list := views.GuestList{StaffShell: staffShell(lang, views.SectionGuests)}
	all["guests-empty"] = history.List(list)
	kim := views.GuestSummary{ID: "AAAA", Name: pick(lang, "김하늘", "Haneul Kim"), Phone: "010-1234-5678",
		LastVisit: evening, Visits: 12, NoShows: 1, Allergies: []string{pick(lang, "땅콩", "Peanuts"), hostile},
		Tags: []string{"VIP", pick(lang, "창가 선호", "Prefers window"), hostile}}
	list.Guests = []views.GuestSummary{kim,
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
	page.Note, page.OwnTags = hostile, hostile
	page.Errors = views.FieldErrors{views.FieldText: page.T("history.fault_text_required"),
		views.FieldTags: page.T("history.fault_tags_too_many", "Max", 12)}
	all["guests-profile-errors"] = history.Profile(page)
}

func guestSample(lang string, of views.GuestSummary) views.GuestProfile {
	page := views.GuestProfile{StaffShell: staffShell(lang, views.SectionGuests), GuestSummary: of}
	page.Facts = []views.Fact{{Label: page.T("history.visits"), Value: "12"},
		{Label: page.T("history.last_visit"), Value: i18n.LongDate(lang, evening)},
		{Label: page.T("history.no_shows"), Value: "1"}, {Label: page.T("history.cancellations")},
		{Label: page.T("history.spent"), Value: i18n.Won(lang, 480_000)}}
	page.HasAccount, page.Consents, page.MayNote, page.MayDelete = true, true, true, true
	for _, kind := range []string{"vip", "regular", "window", "quiet", "wheelchair", "high_chair", "vegetarian",
		"allergy_nuts", "allergy_shellfish", "allergy_dairy", "allergy_eggs", "allergy_wheat"} {
		page.Kinds = append(page.Kinds, views.GuestKind{Name: kind, Set: kind == "vip" || kind == "window"})
	}
	page.OwnTags = pick(lang, "단골 와인", "Wine lover")
	page.Notes = []views.GuestNote{{ID: 2,
		Text: pick(lang, "창가 자리를 좋아하시고, 물은 미지근하게.\n생일은 5월.", "Likes the window, and lukewarm water.\nBirthday in May."),
		By:   pick(lang, "이하나", "Hana Lee"), At: evening}, {ID: 1, Text: hostile, By: hostile,
		At: evening.Add(-480 * time.Hour)}}
	page.Coming = []views.GuestBooking{{ID: "R1", Start: evening.Add(72 * time.Hour), Party: 2,
		State: booking.Confirmed, Note: hostile, Paid: 20_000}}
	page.Past = []views.GuestBooking{{ID: "R2", Start: evening, Party: 4, State: booking.Completed, Paid: 40_000},
		{ID: "R3", Start: evening.Add(-72 * time.Hour), Party: 2, State: booking.NoShow}}
	return page
}
