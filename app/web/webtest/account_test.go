package webtest

import (
	"crypto/rand"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"lunchgo/app/identity"
	"lunchgo/app/program"
	"lunchgo/app/program/programtest"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

const knownPassword = "seven blue herons"

// member is a person with a password and a name of their own.
type member struct {
	person
	email string
	name  string
	phone string
}

func (r *harness) member(t *testing.T, balance int64) member {
	t.Helper()
	hash, err := r.Hasher.Hash(t.Context(), knownPassword)
	dbtest.Must(t, err)
	id := rand.Text()
	m := member{person{id: id}, strings.ToLower(id[:12]) + ".member@example.org", "이름" + id[:8], "010-" + "7777-" +
		id[20:]}
	m.phone = "010-7531-9" + strings.Repeat("8", 3)
	err = r.Stores.Seeds.CreateDiners(t.Context(),
		[]identity.User{{ID: id, Email: m.email, Name: m.name, Phone: m.phone, PasswordHash: hash}}, balance)
	dbtest.Must(t, err)
	m.token, _ = r.Identity.Sessions.Issue(id)
	return m
}

// signIn is another session of a member, from a browser.
func (r *harness) signIn(t *testing.T, m member, password, agent string) answer {
	t.Helper()
	return r.do(t, call{method: http.MethodPost, path: "/api/sessions",
		body: map[string]any{"email": m.email, "password": password}, headers: map[string]string{"User-Agent": agent}})
}

func (r *harness) session(t *testing.T, m member) person {
	t.Helper()
	const agent = "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36"
	return person{m.id, r.signIn(t, m, knownPassword, agent).want(t, 200, "").text(t, "token")}
}

func (r *harness) call(t *testing.T, as person, method, path string, body any) answer {
	t.Helper()
	return r.do(t, call{method: method, path: path, as: as, body: body})
}

func TestAccount_ShowsAndChangesProfile(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	m := r.member(t, 0)
	own := r.get(t, m.person, "/api/account").want(t, 200, "")
	if own.text(t, "email") != m.email || own.text(t, "name") != m.name || own.json["emailConfirmed"] != true ||
		own.text(t, "language") != "ko" {
		t.Errorf("the account is %s", own.raw)
	}
	changed := r.call(t, m.person, "PATCH", "/api/account", map[string]any{"name": " 새  이름 ", "language": "en",
		"allergies": " 땅콩 "}).want(t, 200, "")
	if strings.TrimSpace(changed.text(t, "name")) != changed.text(t, "name") || changed.text(t, "phone") != m.phone ||
		changed.text(t, "language") != "en" || changed.text(t, "allergies") != "땅콩" {
		t.Errorf("changed to %s", changed.raw)
	}
	bad := r.call(t, m.person, "PATCH", "/api/account",
		map[string]any{"name": "a\u202eb", "phone": "call me", "language": "fr",
			"allergies": strings.Repeat("알", 501)}).want(t, 422, "invalid")
	if fields := bad.list(t, "fields"); len(fields) != 4 {
		t.Errorf("faults: %v", fields)
	}

	page := r.page(t, m.person, views.AccountURL()).is(t, 200)
	page.has(t, m.email, "value=\""+m.phone+"\"", views.AccountExportURL(), views.AccountDeleteURL(),
		views.AccountSessionsURL())
	again := r.send(t, m.person, views.AccountURL(), url.Values{"name": {""}, "phone": {"x"}, "language": {"ko"}})
	again.is(t, 422).has(t, "field-name-error", "field-phone-error")
	r.send(t, m.person, views.AccountURL(),
		url.Values{"name": {"또 다른 이름"}, "phone": {"02-123-4567"}, "language": {"ko"}}).is(t, 303)
	r.page(t, m.person, views.AccountURL()).is(t, 200).has(t, "또 다른 이름 님", `value="02-123-4567"`)
}

// revokedSoon has servers hear of ended sessions of others after a moment.
func revokedSoon() programtest.Setup {
	return programtest.Setup{Config: program.Config{Options: program.Options{Paces: program.Paces{Revoked: 20 * time.Millisecond}}}}
}

// Another password ends all other sessions, also those that nobody recorded, here at once and at other servers in a
// moment.
func TestAccount_PasswordChangeEndsOtherSessions(t *testing.T) {
	t.Parallel()
	r := newHarnessWith(t, revokedSoon())
	twin := r.twin(t)
	m := r.member(t, 0)
	unrecorded, own, other := m.person, r.session(t, m), r.session(t, m)
	change := func(current, fresh string) answer {
		return r.call(t, own, "PUT", "/api/account/password", map[string]any{"current": current, "new": fresh})
	}
	wrong := change("seven blue herons?", "eight grey herons").want(t, 422, "invalid").list(t, "fields")
	if len(wrong) != 1 || wrong[0]["name"] != "current" || wrong[0]["reason"] != "wrong_password" {
		t.Errorf("a wrong one: %v", wrong)
	}
	short := change(knownPassword, "short").want(t, 422, "invalid").list(t, "fields")
	if len(short) != 1 || short[0]["name"] != "new" {
		t.Errorf("a short one: %v", short)
	}
	r.get(t, other, "/api/account").want(t, 200, "")
	change(knownPassword, "eight grey herons").want(t, 204, "")
	for _, ended := range []person{unrecorded, other} {
		r.get(t, ended, "/api/account").want(t, 401, "unauthenticated")
		dbtest.Eventually(t, "the other server knows",
			func() bool { return twin.get(t, ended, "/api/account").status == 401 })
	}
	r.get(t, own, "/api/account").want(t, 200, "")
	twin.get(t, own, "/api/account").want(t, 200, "")
	r.signIn(t, m, knownPassword, "").want(t, 401, "wrong_password")
	later := person{m.id, twin.signIn(t, m, "eight grey herons", "").want(t, 200, "").text(t, "token")}
	r.get(t, later, "/api/account").want(t, 200, "")
}

// Whoever signed in by a link a moment ago needs no password to set another; later they do.
func TestAccount_FreshLinkIsAProof(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	m := r.member(t, 0)
	byLink, _ := r.Identity.Sessions.IssueByLink(m.id)
	fresh := person{m.id, byLink}
	now := r.Accounts.Now
	r.Accounts.Now = func() time.Time { return now().Add(identity.FreshLink) }
	r.call(t, fresh, "PUT", "/api/account/password", map[string]any{"new": "eight grey herons"}).want(t, 422, "invalid")
	r.page(t, fresh, views.AccountPasswordURL()).is(t, 200).has(t, `name="password"`)
	r.Accounts.Now = now
	r.page(t, fresh, views.AccountPasswordURL()).is(t, 200).hasNot(t, `name="password"`)
	r.call(t, m.person, "PUT", "/api/account/password", map[string]any{"new": "eight grey herons"}).want(t,
		422, "invalid")
	r.call(t, fresh, "PUT", "/api/account/password", map[string]any{"new": "eight grey herons"}).want(t, 204, "")
	r.signIn(t, m, "eight grey herons", "").want(t, 200, "")
}

// Whoever finds a browser signed in cannot guess the password there.
func TestAccount_ProofsAreLimited(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	m, other := r.member(t, 0), r.member(t, 0)
	guess := map[string]any{"current": "a wrong guess", "new": "eight grey herons", "password": "a wrong guess"}
	refused := 0
	for i := range 14 {
		method, path := "PUT", "/api/account/password"
		if i%2 == 1 {
			method, path = "DELETE", "/api/account"
		}
		if a := r.call(t, m.person, method, path, guess); a.status == 429 {
			refused++
			if a.header.Get("Retry-After") == "" {
				t.Error("429 without Retry-After")
			}
		}
	}
	if refused != 4 {
		t.Errorf("%d of 14 guesses are refused, want 4", refused)
	}
	r.call(t, other.person, "PUT", "/api/account/password",
		map[string]any{"current": knownPassword, "new": "eight grey herons"}).want(t, 204, "")
}

func TestAccount_SessionsAreListedAndEnded(t *testing.T) {
	t.Parallel()
	r := newHarnessWith(t, revokedSoon())
	twin := r.twin(t)
	m, stranger := r.member(t, 0), r.member(t, 0)
	own, second, third := r.session(t, m), r.session(t, m), r.session(t, m)
	list := r.get(t, own, "/api/account/sessions").want(t, 200, "").list(t, "sessions")
	if len(list) != 3 || list[0]["current"] != true || list[1]["current"] != false ||
		list[0]["device"] != "Chrome, Android" {
		t.Fatalf("sessions: %v", list)
	}
	id, _ := r.get(t, second, "/api/account/sessions").list(t, "sessions")[0]["id"].(string)
	if a := r.get(t, person{token: id}, "/api/account"); a.status != 401 {
		t.Errorf("an id as a token: %d", a.status)
	}
	r.delete(t, stranger.person, "/api/account/sessions/"+id).want(t, 404, "not_found")
	r.delete(t, own, "/api/account/sessions/"+id).want(t, 204, "")
	r.get(t, second, "/api/account").want(t, 401, "unauthenticated")
	dbtest.Eventually(t, "the other server knows",
		func() bool { return twin.get(t, second, "/api/account").status == 401 })
	r.delete(t, own, "/api/account/sessions/"+id).want(t, 404, "not_found")

	page := r.page(t, own, views.AccountSessionsURL()).is(t, 200)
	page.has(t, "지금 이 기기", "Chrome, Android", views.AccountEndOthersURL())
	page.hasNot(t, id)
	r.send(t, own, views.AccountEndOthersURL(), nil).is(t, 303)
	r.get(t, third, "/api/account").want(t, 401, "unauthenticated")
	dbtest.Eventually(t, "the other server knows", func() bool { return twin.get(t, third, "/api/account").status == 401 })
	r.page(t, own, views.AccountSessionsURL()).is(t, 200).hasNot(t, views.AccountEndOthersURL())

	fourth := r.session(t, m)
	r.delete(t, own, "/api/account/sessions").want(t, 204, "")
	r.get(t, fourth, "/api/account").want(t, 401, "unauthenticated")
	// Signing out takes a session from the list.
	fifth := r.session(t, m)
	r.delete(t, fifth, "/api/sessions").want(t, 204, "")
	if list := r.get(t, own, "/api/account/sessions").list(t, "sessions"); len(list) != 1 {
		t.Errorf("after signing out: %v", list)
	}
}
