package views_test

import (
	"slices"
	"time"

	"github.com/a-h/templ"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/legal"
	"lunchgo/views"
	"lunchgo/views/pages"
)

func addLegal(lang string, all map[string]templ.Component) {
	documents := legal.BuiltIn()
	for _, kind := range legal.Kinds {
		of := documents.List(kind)[0]
		page := views.LegalDocument{Layout: layout(lang, views.DocumentURL(kind)), Document: of, InForce: of.Version,
			Listing: views.DocumentListing(lang, "https://lunchgo.example", of), Versions: []legal.Document{of}}
		all["legal-"+string(kind)] = pages.LegalDocument(page)
		page.Listing = views.Listing{}
		for state, version := range map[string]booking.Date{"-earlier": "2025-01-01", "-to-come": "2027-01-01"} {
			page := page
			page.Document.Version = version
			page.Versions = []legal.Document{of, page.Document}
			all["legal-"+string(kind)+state] = pages.LegalDocument(page)
		}
	}
}

// asks is what a button asks for: all documents, or those that are named.
func asks(lang, key string, kinds ...legal.Kind) views.Consent {
	c := views.Consent{Lang: lang, Key: key, Documents: legal.BuiltIn().Versions(booking.DateOf(evening, time.UTC))}
	if len(kinds) > 0 && !slices.Contains(kinds, legal.Privacy) {
		c.Privacy = ""
	}
	return c
}

func addAccountArea(lang string, all map[string]templ.Component) {
	account := views.Account{Layout: layout(lang, views.AccountURL()), Allergies: pick(lang, "땅콩", "Peanuts"),
		MaxAllergies:   500,
		Email:          "a.rather.long.address@mail.example.org",
		EmailConfirmed: true, Name: pick(lang, "김하늘", "Haneul Kim"), Phone: "010-1234-5678", Language: lang,
		Sessions: 3}
	all["account"] = pages.Account(account)
	account.Consent = asks(lang, "legal.by_account")
	all["account-consent"] = pages.Account(account)
	account.Consent = views.Consent{}
	diner := account
	diner.IsStaff, diner.CanText, diner.Texts = false, true, true
	all["account-diner"] = pages.Account(diner)
	account.EmailConfirmed, account.Name, account.Errors = false, "",
		views.FieldErrors{views.FieldName: account.T("fault.required")}
	all["account-errors"] = pages.Account(account)
	account.Errors, account.Demo = nil, true
	all["account-demo"] = pages.Account(account)

	password := views.AccountPassword{Layout: layout(lang, views.AccountPasswordURL()), Email: account.Email,
		MinPassword: 8}
	all["account-password"] = pages.AccountPassword(password)
	password.Errors = views.FieldErrors{views.FieldPassword: password.T("fault.wrong_password"),
		views.FieldNewPassword: password.T("fault.too_short", "Min", 8)}
	all["account-password-errors"] = pages.AccountPassword(password)
	password.Fresh, password.Errors = true, nil
	all["account-password-fresh"] = pages.AccountPassword(password)

	sessions := views.AccountSessions{Layout: layout(lang, views.AccountSessionsURL()),
		Sessions: []identity.SessionRecord{
			{ID: "s1", Device: "Chrome, Android", Issued: evening, Current: true}}}
	all["account-sessions-one"] = pages.AccountSessions(sessions)
	sessions.Sessions = append(sessions.Sessions, identity.SessionRecord{ID: "s2", Device: "Samsung Internet, Android",
		Issued: evening.AddDate(0, 0, -3)},
		identity.SessionRecord{ID: "s3", Issued: evening.AddDate(0, 0, -9)})
	kakao := identity.Linked{Issuer: "https://kauth.kakao.com", Since: evening.AddDate(0, -2, 0)}
	sessions.Providers = []views.LinkedProvider{{Linked: kakao, Name: sessions.T("provider.kakao")}}
	sessions.Passkeys = views.Passkeys{Device: "Chrome, Android", CanAdd: true, All: []identity.Passkey{
		{ID: "k1", Name: pick(lang, "내 휴대폰", "My phone"), CreatedAt: evening.AddDate(0, -1, 0),
			UsedAt: evening.AddDate(0, 0, -1)},
		{ID: "k2", CreatedAt: evening.AddDate(-1, 0, 0), UsedAt: evening.AddDate(-1, 0, 0)}}}
	all["account-sessions"] = pages.AccountSessions(sessions)

	leave := views.AccountDelete{Layout: layout(lang, views.AccountDeleteURL()), Email: account.Email}
	all["account-delete"] = pages.AccountDelete(leave)
	leave.Errors = views.FieldErrors{views.FieldPassword: leave.T("fault.wrong_password")}
	all["account-delete-errors"] = pages.AccountDelete(leave)
	leave.Fresh, leave.Errors = true, nil
	all["account-delete-fresh"] = pages.AccountDelete(leave)
	leave.Reservations = []views.AccountReservation{{ID: "r1", Restaurant: head().Name.In(lang), At: evening}}
	leave.More, leave.Money, leave.Restaurants = 2, 45_000, []string{head().Name.In(lang)}
	all["account-delete-blocked"] = pages.AccountDelete(leave)
}
