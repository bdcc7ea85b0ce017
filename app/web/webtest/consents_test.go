package webtest

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"lunchgo/app/identity"
	"lunchgo/app/legal"
	"lunchgo/app/program/programtest"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

// inForce are the versions that are in force in a server of these tests.
var inForce = identity.Documents{Terms: "2021-01-01", Privacy: legal.BuiltIn().Versions("2999-01-01").Privacy}

// newConsentHarness returns a server with an earlier version of the terms, one in force, and one to come.
func newConsentHarness(t *testing.T) *harness {
	t.Helper()
	setup := programtest.Setup{}
	setup.Config.Documents = documents(t, legal.Terms, "2020-01-01", "2021-01-01", "2999-01-01")
	return newHarnessWith(t, setup)
}

// hasAgreed checks what is the latest that somebody has agreed to.
func (r *harness) hasAgreed(t *testing.T, userID string, want identity.Documents) {
	t.Helper()
	got, err := r.Stores.Users.FindAgreed(t.Context(), userID)
	if err != nil || got != want {
		t.Errorf("agreed to %+v, %v; want %+v", got, err, want)
	}
}

func (r *harness) hasAgreedAt(t *testing.T, email string, want identity.Documents) {
	t.Helper()
	u, err := r.Stores.Users.FindUserByEmail(t.Context(), email)
	dbtest.Must(t, err)
	r.hasAgreed(t, u.ID, want)
}

// asksFor checks which documents a page asks for, by fields and by links that open beside the form.
func (a answer) asksFor(t *testing.T, want identity.Documents) answer {
	t.Helper()
	for name, version := range map[string]string{views.FieldTerms: want.Terms, views.FieldPrivacy: want.Privacy} {
		field := fmt.Sprintf(`name="%s" value="%s"`, name, version)
		link := fmt.Sprintf(`<a href="/%s" target="_blank">`, name)
		if version == "" {
			a.hasNot(t, link)
		} else {
			a.has(t, field, link)
		}
	}
	if want == (identity.Documents{}) {
		a.hasNot(t, `name="terms"`, `name="privacy"`)
	}
	return a
}

// with adds to a form that it has shown documents.
func with(form url.Values, shown identity.Documents) url.Values {
	form.Set(views.FieldTerms, shown.Terms)
	form.Set(views.FieldPrivacy, shown.Privacy)
	return form
}

// bookingFields fill the form for a free slot in.
func (r *harness) bookingFields(key string) url.Values {
	slot := r.slot("19:00")
	return url.Values{views.FieldDate: {string(slot.Date)}, views.FieldTime: {string(slot.Time)}, views.FieldParty: {"2"},
		views.FieldIdempotencyKey: {key}}
}

// sendAsStranger sends a form by a browser that has no session, and follows no redirect.
func (r *harness) sendAsStranger(t *testing.T, path string, form url.Values) answer {
	t.Helper()
	return r.do(t, call{method: http.MethodPost, path: path, body: form.Encode(), headers: map[string]string{
		"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}})
}

// Whoever signs up by a form that names the versions agrees to them; a form or a program that names none, or what is to
// come, agrees to nothing.
func TestConsent_BySignUp(t *testing.T) {
	t.Parallel()
	r := newConsentHarness(t)
	r.page(t, person{}, views.SignUpURL("")).is(t, 200).asksFor(t, inForce).has(t, "가입하면 <a", "</a>과 <a",
		"</a>에 동의합니다.")
	signUp := func(email string, shown identity.Documents) {
		t.Helper()
		r.send(t, person{}, views.SignUpURL(""), with(url.Values{views.FieldEmail: {email}, views.FieldName: {"하늘"},
			views.FieldPhone: {"010-1234-5678"}, views.FieldPassword: {knownPassword}}, shown))
	}
	signUp("one@example.org", inForce)
	r.hasAgreedAt(t, "one@example.org", inForce)
	signUp("two@example.org", identity.Documents{Terms: "2999-01-01", Privacy: "x"})
	r.hasAgreedAt(t, "two@example.org", identity.Documents{})
	r.post(t, person{}, "/api/users", "", haneul).want(t, 201, "")
	r.hasAgreedAt(t, "haneul@example.org", identity.Documents{})
	r.send(t, person{}, views.SignUpURL(""), with(url.Values{views.FieldEmail: {"x"}}, inForce)).is(t, 422).
		asksFor(t, inForce)
}

// A stranger agrees by the press that books, and is not asked again.
func TestConsent_ByCheckout(t *testing.T) {
	t.Parallel()
	r := newConsentHarness(t)
	book := views.BookURL(r.restaurant.Slug, r.start(t, r.slot("19:00")), 2)
	r.page(t, person{}, book).is(t, 200).asksFor(t, inForce)
	form := with(r.bookingFields("stranger"), inForce)
	r.send(t, person{}, views.ReserveURL(r.restaurant.Slug), form).is(t, 422).asksFor(t, inForce)
	form.Set(views.FieldName, "하늘")
	form.Set(views.FieldEmail, "haneul@example.org")
	form.Set(views.FieldPhone, "010-1234-5678")
	who := signedIn(t, r.sendAsStranger(t, views.ReserveURL(r.restaurant.Slug), form))
	r.page(t, who, book).is(t, 200).asksFor(t, identity.Documents{})
	r.page(t, who, views.AccountURL()).is(t, 200).asksFor(t, identity.Documents{})
	session, err := r.Identity.Sessions.Verify(who.token)
	dbtest.Must(t, err)
	r.hasAgreed(t, session.UserID, inForce)
}

// A newer version is asked for once, by the next booking or in the account, and alone.
func TestConsent_ToANewerVersion(t *testing.T) {
	t.Parallel()
	for name, press := range map[string]func(t *testing.T, r *harness, m member, shown identity.Documents){ // in any order
		"a booking": func(t *testing.T, r *harness, m member, shown identity.Documents) {
			form := with(r.bookingFields("newer"), shown)
			form.Set(views.FieldParty, "99")
			r.send(t, m.person, views.ReserveURL(r.restaurant.Slug), form).is(t, 422).asksFor(t, shown)
			form.Set(views.FieldParty, "2")
			r.send(t, m.person, views.ReserveURL(r.restaurant.Slug), form).is(t, 303)
		},
		"a booking that is refused": func(t *testing.T, r *harness, m member, shown identity.Documents) {
			r.seat(t, m.person, r.slot("19:00"), 2)
			r.send(t, m.person, views.ReserveURL(r.restaurant.Slug), with(r.bookingFields("refused"), shown)).is(t, 409).
				asksFor(t, identity.Documents{})
		},
		"the account": func(t *testing.T, r *harness, m member, shown identity.Documents) {
			r.send(t, m.person, views.AccountConsentsURL(), with(url.Values{}, shown)).is(t, 303).has(t, "동의했습니다.")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newConsentHarness(t)
			m := r.member(t, 0)
			before := identity.Documents{Terms: "2020-01-01", Privacy: inForce.Privacy}
			dbtest.Must(t, r.Stores.Users.Agree(t.Context(), m.id, identity.Agreement{Documents: before, Way: identity.BySignUp}))
			asked := identity.Documents{Terms: inForce.Terms}
			book := views.BookURL(r.restaurant.Slug, r.start(t, r.slot("19:00")), 2)
			r.page(t, m.person, book).is(t, 200).asksFor(t, asked)
			r.page(t, m.person, views.AccountURL()).is(t, 200).asksFor(t, asked).has(t, "</a>에 동의해 주세요.")
			press(t, r, m, asked)
			dbtest.Eventually(t, "the consent is stored", func() bool {
				got, err := r.Stores.Users.FindAgreed(t.Context(), m.id)
				return err == nil && got == inForce
			})
			r.page(t, m.person, book).is(t, 200).asksFor(t, identity.Documents{})
			r.page(t, m.person, views.AccountURL()).is(t, 200).asksFor(t, identity.Documents{})
			export := string(r.get(t, m.person, "/api/account/export").want(t, 200, "").raw)
			if !strings.Contains(export, `"consents"`) || !strings.Contains(export, `"2021-01-01"`) {
				t.Errorf("the export has no consents: %s", export)
			}
		})
	}
}

// The press of a signed-in diner whose form has not asked stores nothing.
func TestConsent_OfABookingThatHasNotAsked(t *testing.T) {
	t.Parallel()
	r := newConsentHarness(t)
	m := r.member(t, 0)
	r.send(t, m.person, views.ReserveURL(r.restaurant.Slug), r.bookingFields("unasked")).is(t, 303)
	r.hasAgreed(t, m.id, identity.Documents{})
}

// The first sign-in by a provider agrees to what the page beside the button names. An account from before is asked.
func TestConsent_ByProvider(t *testing.T) {
	t.Parallel()
	r := newSignInHarness(t, haneulThere())
	r.page(t, person{}, views.SignInURL("")).is(t, 200).has(t, "처음 로그인하면 <a", `href="/privacy" target="_blank"`)
	who := signedIn(t, r.back(t, r.begin(t, "h1", "")))
	now := legal.BuiltIn().Versions("2999-01-01")
	r.hasAgreedAt(t, "haneul@example.org", now)
	r.page(t, who, views.AccountURL()).is(t, 200).asksFor(t, identity.Documents{})
}

// A guest whom staff have asked for a deposit agrees by going on to pay, once.
func TestConsent_ByPaymentLink(t *testing.T) {
	t.Parallel()
	r, _ := newBank(t)
	shown := legal.BuiltIn().Versions("2999-01-01")
	id, link := r.askFor(t, r.staff(t, r.restaurant.ID), "consent")
	r.page(t, person{}, link).is(t, 200).asksFor(t, shown)
	r.sendAsStranger(t, link, with(url.Values{}, shown)).is(t, 303)
	r.hasAgreed(t, r.find(t, id).UserID, shown)
	r.page(t, person{}, link).is(t, 200).asksFor(t, identity.Documents{})
}
