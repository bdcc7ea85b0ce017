package views_test

import (
	"strconv"

	"github.com/a-h/templ"

	"lunchgo/views"
	"lunchgo/views/setup"
)

func addSetup(lang string, all map[string]templ.Component) {
	shell := views.StaffShell{Layout: layout(lang, views.SetupURL(7)), RestaurantID: 7, Location: seoul,
		Restaurant: head().Name.In(lang),
		IsDraft:    true, Role: pick(lang, "주인", "Owner"), Current: views.SectionSetup,
		Sections: []views.StaffSection{views.SectionSetup, views.SectionTeam}}
	checks := []views.SetupCheck{{IsError: true, Text: shell.T("check.no_hours"), Page: views.SetupHours},
		{Text: shell.T("check.no_menu"), Page: views.SetupMenu}}
	opening := views.SetupOpening{Layout: layout(lang, views.OpenRestaurantURL())}
	opening.Fields = []views.SetupField{{Name: "name", Label: shell.T("setup.field_name"), Value: hostile,
		Type: "text"},
		{Name: "capacity", Label: shell.T("setup.field_capacity"), Value: "x", Type: "number",
			Error: shell.T("fault.invalid_number")}}
	opening.Errors = []views.SetupError{{Field: "capacity", Text: shell.T("fault.invalid_number")}}
	all["setup-open"] = setup.Open(opening)
	overview := views.SetupOverview{StaffShell: shell, Checks: checks, Next: views.SetupHours}
	for _, page := range views.SetupSteps() {
		overview.Steps = append(overview.Steps,
			views.SetupStep{Page: page, Label: shell.T("setup.page_" + string(page)),
				Summary: shell.T("setup.about_" + string(page)), Done: page == views.SetupBasics})
	}
	for _, page := range []views.SetupPage{views.SetupClosures, views.SetupCoupons, views.SetupPreview,
		views.SetupRehearsal, views.SetupWebhooks} {
		overview.More = append(overview.More, views.SetupStep{Page: page, Label: shell.T("setup.page_" + string(page)),
			Summary: shell.T("setup.about_" + string(page))})
	}
	all["setup-overview"] = setup.Overview(overview)
	form := views.SetupForm{StaffShell: shell, Page: views.SetupHours, Title: shell.T("setup.page_hours"),
		Lead: shell.T("setup.about_hours"), Tag: "tag", Checks: checks[:1]}
	for i := range 2 {
		at := "weekly[" + strconv.Itoa(i) + "]."
		form.Groups = append(form.Groups,
			views.SetupGroup{Legend: pick(lang, "월", "Mon"), Rows: []views.SetupRow{{Fields: []views.SetupField{
				{Name: at + "from", Label: shell.T("setup.field_from"), Value: "11:30", Type: "time"},
				{Name: at + "last", Label: shell.T("setup.field_last"), Value: "13:30", Type: "time"}}}},
				Buttons: []views.SetupButton{{Action: "add:weekly:1", Label: shell.T("setup.add_span"),
					About: shell.T("setup.add_span") + ": " + strconv.Itoa(i)},
					{Action: "copy:1", Label: shell.T("setup.copy_day")},
					{Action: "copy:1:weekdays", Label: shell.T("setup.copy_weekdays")},
					{Action: "copy:1:weekend", Label: shell.T("setup.copy_weekend")}}})
	}
	all["setup-form"] = setup.Form(form)
	basics := form
	basics.Page, basics.Title, basics.Checks, basics.ReadOnly = views.SetupBasics, shell.T("setup.page_basics"), nil,
		lang == "en"
	basics.Groups = []views.SetupGroup{{Hint: hostile, Rows: []views.SetupRow{{Fields: []views.SetupField{
		{Name: "name", Label: shell.T("setup.field_name"), Value: hostile, Type: "text", Hint: hostile},
		{Name: "description.ko", Label: shell.T("field.note"), Value: hostile, Type: "textarea"},
		{Name: "capacity", Label: shell.T("setup.field_capacity"), Value: "1", Type: "select", Options: []views.Choice{{Value: "1", Label: hostile}}}}}}}}
	all["setup-basics"] = setup.Form(basics)
	form.Affected = &views.SetupAffected{Count: 2, Holds: 1, Money: 40_000, Bookings: []views.SetupBooking{
		{When: "19:00", Name: hostile, Party: 2, Why: shell.T("setup.why_closed"), URL: "/staff/restaurants/7"}}}
	all["setup-affected"] = setup.Form(form)
	all["setup-publish"] = setup.Publish(views.SetupPublishing{StaffShell: shell, Checks: checks[1:], AtOnce: true,
		MayPublish: true})
	diner := views.Restaurant{Layout: shell.Layout, Of: head(), Menu: menu(lang)}
	all["setup-website"] = setup.Website(views.SetupWebsite{StaffShell: shell,
		Link:  `<a href="https://lunchgo.example/restaurants/sol-bap">예약하기</a>`,
		Frame: `<iframe src="https://lunchgo.example/widget/sol-bap" title="솔밥" width="100%" height="520"></iframe>`})
	all["setup-preview"] = setup.Preview(views.SetupPreviewed{StaffShell: shell, Diner: diner, Day: "2026",
		Slots: []string{"19:00"}})
}
