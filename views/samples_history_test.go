package views_test

import (
	"time"

	"github.com/a-h/templ"

	"lunchgo/views"
	history "lunchgo/views/guests"
	"lunchgo/views/i18n"
)

// addGuestHistory adds the pages on which staff see the history of guests.
func addGuestHistory(lang string, all map[string]templ.Component) {
	list := views.GuestList{StaffShell: staffShell(lang, views.SectionGuests)}
	all["guests-empty"] = history.List(list)
	kim := views.GuestSummary{ID: "AAAA", Name: pick(lang, "김하늘", "Haneul Kim"), Phone: "010-1234-5678", LastVisit: evening, Visits: 12,
		NoShows: 1, Allergies: []string{pick(lang, "땅콩", "Peanuts"), hostile}}
	list.Guests = []views.GuestSummary{kim, {ID: "BBBB", Name: hostile, Phone: "010-9876-5432", LastVisit: evening.Add(-24 * time.Hour), Visits: 1},
		{ID: "CCCC", Name: pick(lang, "박민수", "Minsu Park")}}
	list.Pager = views.Pager{Lang: lang, Next: views.GuestsURL(1, "") + "?after=AAAA"}
	all["guests-list"] = history.List(list)
	list.Words, list.Guests, list.Pager = hostile, nil, views.Pager{}
	all["guests-none"] = history.List(list)
	list.Words, list.Errors = "김", views.FieldErrors{views.FieldWords: list.T("error.field.too_short")}
	all["guests-errors"] = history.List(list)
	all["guests-profile"] = history.Profile(guestSample(lang, kim))
}

func guestSample(lang string, of views.GuestSummary) views.GuestProfile {
	page := views.GuestProfile{StaffShell: staffShell(lang, views.SectionGuests), GuestSummary: of}
	page.Facts = []views.Fact{{Label: page.T("history.visits"), Value: "12"}, {Label: page.T("history.last_visit"), Value: i18n.LongDate(lang, evening)},
		{Label: page.T("history.no_shows"), Value: "1"}, {Label: page.T("history.cancellations")},
		{Label: page.T("history.spent"), Value: i18n.Won(lang, 480_000)}}
	page.Coming = []views.GuestBooking{{ID: "R1", Start: evening.Add(72 * time.Hour), Party: 2, State: views.StateConfirmed, Note: hostile, Paid: 20_000}}
	page.Past = []views.GuestBooking{{ID: "R2", Start: evening, Party: 4, State: views.StateCompleted, Paid: 40_000},
		{ID: "R3", Start: evening.Add(-72 * time.Hour), Party: 2, State: views.StateNoShow}}
	return page
}
