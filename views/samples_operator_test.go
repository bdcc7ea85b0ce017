package views_test

import (
	"github.com/a-h/templ"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/reserve"
	"lunchgo/views"
	"lunchgo/views/pages"
)

func addOperator(lang string, all map[string]templ.Component) {
	setup := views.OperatorSetup{Token: "TOKEN"}
	setup.Layout, setup.MinPassword = views.Layout{Lang: lang, Path: views.OperatorSetupURL("TOKEN")}, 8
	all["operator-setup"] = pages.OperatorSetup(setup)
	setup.Email = "me@example.org"
	setup.Errors = views.FieldErrors{views.FieldEmail: setup.T("fault.address_in_use"),
		views.FieldPassword: setup.T("fault.too_short", "Min", 8)}
	all["operator-setup-errors"] = pages.OperatorSetup(setup)
	all["operator-setup-over"] = pages.OperatorSetupOver(views.Layout{Lang: lang,
		Path: views.OperatorSetupURL("TOKEN")})
	drafts := views.OperatorDrafts{Layout: layout(lang, views.OperatorURL()),
		Pager: views.Pager{Lang: lang, Next: views.OperatorURL() + "?after=x"}}
	drafts.IsOperator = true
	all["operator-none"] = pages.OperatorDrafts(views.OperatorDrafts{Layout: drafts.Layout})
	for i, name := range []string{head().Name.In(lang), hostile, pick(lang, "새 식당", "New Place")} {
		drafts.Drafts = append(drafts.Drafts, reserve.OpenedDraft{ID: int64(15 + i), Name: booking.Text{Ko: name}, TimeZone: "Asia/Seoul",
			Capacity: 20, OpenedAt: evening, OwnerName: layout(lang, "/").SignedInName,
			OwnerEmail: "a.rather.long.address.of.an.owner@restaurants.example.org"})
	}
	drafts.Drafts[0].SubmittedAt = evening
	all["operator-drafts"] = pages.OperatorDrafts(drafts)
	addOperatorRestaurants(drafts.Layout, all)
	all["operators"] = pages.Operators(operatorsOf(drafts.Layout, ""))
	all["operators-invited"] = pages.Operators(operatorsOf(drafts.Layout,
		"https://lunchgo.example/operator/setup/TOKEN"))
	review := views.OperatorReview{Layout: drafts.Layout, ID: 15, Submitted: "2026", Reason: hostile,
		Diner: views.Restaurant{Layout: drafts.Layout, Of: head(),
			Menu: menu(lang)},
		Changed: []views.OperatorChange{{What: drafts.T("changed.menu"), When: "2026", Times: 2}}}
	all["operator-review"] = pages.OperatorReview(review)
	review.Checks = []views.SetupCheck{{IsError: true, Text: drafts.T("check.no_hours")},
		{Text: drafts.T("check.no_menu")}}
	review.Errors = views.FieldErrors{views.FieldReason: drafts.T("fault.required")}
	all["operator-review-errors"] = pages.OperatorReview(review)
}

func operatorsOf(l views.Layout, link string) views.Operators {
	l.Path = views.OperatorsURL()
	return views.Operators{Layout: l, Reader: "me", Link: link, Hours: 24, Operators: []identity.User{
		{ID: "me", Name: l.SignedInName, Email: "me@example.org"},
		{ID: "other", Name: hostile, Email: "a.rather.long.address.of.an.operator@restaurants.example.org"},
	}}
}

func addOperatorRestaurants(l views.Layout, all map[string]templ.Component) {
	l.Path = views.OperatorRestaurantsURL()
	list := views.OperatorRestaurants{Layout: l, Words: hostile}
	all["operator-restaurants-none"] = pages.OperatorRestaurants(list)
	for i, state := range []string{views.StateDraft, views.StatePublished, views.StateStopped, views.StateUnpublished} {
		r := views.OperatorRestaurant{ID: int64(15 + i), Name: head().Name.In(l.Lang), State: state, Capacity: 20,
			TimeZone: "Asia/Seoul", Opened: "2026", OwnerName: l.SignedInName, URL: views.RestaurantURL("onjium"),
			OwnerEmail: "a.rather.long.address.of.an.owner@restaurants.example.org", Published: "2026",
			PublishedBy: hostile}
		if state == views.StateUnpublished {
			r.URL, r.Unpublished, r.Reason = "", "2026", hostile
		}
		list.Restaurants = append(list.Restaurants, r)
	}
	list.Pager = views.Pager{Lang: l.Lang, Next: views.OperatorRestaurantsURL() + "?after=x"}
	all["operator-restaurants"] = pages.OperatorRestaurants(list)
	l.Path = views.OperatorUnpublishURL(16)
	form := views.OperatorUnpublish{Layout: l, ID: 16, Name: hostile, Most: 200}
	all["operator-unpublish"] = pages.OperatorUnpublish(form)
	form.Reason, form.Errors = hostile, views.FieldErrors{views.FieldReason: l.T("fault.required")}
	all["operator-unpublish-errors"] = pages.OperatorUnpublish(form)
}
