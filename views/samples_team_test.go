package views_test

import (
	"time"

	"github.com/a-h/templ"

	crew "lunchgo/app/team"
	"lunchgo/views"
	"lunchgo/views/team"
)

// shell is what surrounds a page of staff in the samples.
func teamShell(lang string, role string) views.StaffShell {
	shell := views.StaffShell{Layout: layout(lang, views.TeamURL(7)), RestaurantID: 7, Location: seoul,
		Restaurant: head().Name.In(lang),
		Current:    views.SectionTeam, Sections: []views.StaffSection{views.SectionTonight, views.SectionGuests,
			views.SectionReviews, views.SectionReports,
			views.SectionSetup, views.SectionTeam}}
	shell.Role = shell.T("staff." + role)
	return shell
}

func addTeam(lang string, all map[string]templ.Component) {
	page := views.Team{StaffShell: teamShell(lang, "owner"), CanManage: true, CanSeeLog: true, Role: "host"}
	for i, name := range []string{layout(lang, "/").SignedInName, hostile, pick(lang, "박바다", "Bada Park")} {
		page.Members = append(page.Members, crew.Member{UserID: name[:2], Name: name,
			Email: "a.rather.long.address.of.somebody@restaurants.example.org", Role: crew.Roles()[2-i],
			Since: evening.AddDate(0, -i, 0)})
	}
	page.Reader = page.Members[0].UserID
	page.Invitations = []crew.Invitation{{ID: "I1", Email: "new@example.org", Role: "host",
		InvitedBy: page.Members[0].Name, ExpiresAt: evening.AddDate(0, 0, 7)}}
	all["team"] = team.Team(page)
	wrong := page
	wrong.Email, wrong.Errors = "no address", views.FieldErrors{views.FieldEmail: page.T("error.field.invalid_email")}
	all["team-errors"] = team.Team(wrong)
	page.StaffShell, page.CanManage = teamShell(lang, "manager"), false
	all["team-manager"] = team.Team(page)

	question := views.TeamQuestion{StaffShell: teamShell(lang, "owner"), Member: page.Members[1]}
	all["team-remove"] = team.Question(question)
	question.Leaving = true
	all["team-leave"] = team.Question(question)
	question.Last = true
	all["team-leave-last"] = team.Question(question)
	addInvited(lang, all)
	addRehearsal(lang, all)
	addLog(lang, all)
}

func addInvited(lang string, all map[string]templ.Component) {
	invited := views.TeamInvited{Layout: layout(lang, views.InvitationURL("I.s")), Token: "I.s",
		Invitation: crew.Invitation{Restaurant: head().Name, Role: "host", InvitedBy: layout(lang, "/").SignedInName,
			Email: "new@example.org"}, Reader: "new@example.org"}
	all["invited"] = team.Invited(invited)
	invited.Reader = "somebody.else@example.org"
	all["invited-other"] = team.Invited(invited)
	invited.Reader, invited.SignedInName = "", ""
	all["invited-nobody"] = team.Invited(invited)
	all["invited-over"] = team.Invited(views.TeamInvited{Layout: layout(lang, views.AcceptInvitationURL()), Over: true})
}

func addLog(lang string, all map[string]templ.Component) {
	shell := teamShell(lang, "owner")
	shell.Path = views.TeamLogURL(7)
	log := views.TeamLog{StaffShell: shell,
		People: []views.Choice{{Label: shell.T("log.everybody")}, {Value: "U", Label: shell.SignedInName}},
		Areas:  []views.Choice{{Label: shell.T("log.everything")}, {Value: "slot", Label: shell.T("area.slot")}}}
	all["team-log-none"] = team.Log(log)
	name := shell.SignedInName
	log.Filter, log.Pager = views.LogFilter{Area: "slot", Date: "yesterday"},
		views.Pager{Lang: lang, Next: views.TeamLogURL(7) + "?after=x"}
	log.Errors = views.FieldErrors{views.FieldDate: shell.T("error.field.invalid_date")}
	log.Entries = []views.LogEntry{
		{At: evening, Sentence: shell.T("act.slot_capacity", "By", name), About: pick(lang, "11월 21일 (토) 오후 7:00 시간", "Slot of Saturday, 21 November, 7:00 pm"),
			URL: views.StaffSlotURL(7, evening), Changes: []views.LogChange{{Was: "10", Is: "12"}}},
		{At: evening.Add(-time.Hour), Sentence: shell.T("act.reservation_cancel", "By", name, "Guest", hostile),
			Changes: []views.LogChange{{Was: shell.T("state.confirmed")},
				{Label: shell.T("value.refund"), Is: "20,000원"}}, Reason: hostile},
		{At: evening.AddDate(0, 0, -1), Sentence: shell.T("act.unknown", "By", name, "Area", "kitchen", "Action", "light the stove")},
	}
	all["team-log"] = team.Log(log)
}
