package views_test

import (
	"github.com/a-h/templ"

	"lunchgo/app/identity"
	"lunchgo/views"
	"lunchgo/views/pages"
)

func addLinks(lang string, visitor views.Layout, all map[string]templ.Component) {
	const email = "haneul.with-a-long-address@department.example.org"
	all["link-sent-signup"] = pages.LinkSent(views.LinkSent{Layout: visitor, Email: email, SignUp: true, Mailbox: true})
	all["link-sent-signin"] = pages.LinkSent(views.LinkSent{Layout: visitor, Email: email})
	for _, kind := range []string{string(identity.LinkConfirm), string(identity.LinkSignIn),
		string(identity.LinkChange),
		string(identity.LinkObject),
		views.LinkOver} {
		all["link-"+kind] = pages.Link(views.Link{Layout: visitor, Kind: kind, Email: email, Token: "token"})
	}
	page := views.Email{Layout: layout(lang, views.EmailURL()), Current: email, AskPassword: true}
	page.Unconfirmed = email
	all["email-unconfirmed"] = pages.Email(page)
	page.Unconfirmed, page.Confirmed, page.New = "", true, "me@x"
	page.Errors = views.FieldErrors{views.FieldEmail: page.T("fault.invalid_email"),
		views.FieldPassword: page.T("fault.wrong_password")}
	all["email-errors"] = pages.Email(page)
}
