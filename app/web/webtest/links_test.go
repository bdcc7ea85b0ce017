package webtest

import (
	"maps"
	"net/url"
	"regexp"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"lunchgo/db/dbtest"
	"lunchgo/views"
)

var linkIn = regexp.MustCompile(`/link\?token=([^"]+)"`)

// links are the tokens of the links in somebody's letters, the newest first.
func (r *harness) links(t *testing.T, who person) (tokens []string) {
	t.Helper()
	for _, match := range linkIn.FindAllStringSubmatch(string(r.page(t, who, views.MailboxURL()).raw), -1) {
		token, err := url.QueryUnescape(match[1])
		dbtest.Must(t, err)
		tokens = append(tokens, token)
	}
	return tokens
}

// newcomer is somebody who has just signed up, and in.
func (r *harness) newcomer(t *testing.T, email string) person {
	t.Helper()
	body := map[string]any{"email": email, "password": "a long password", "name": "하늘", "phone": "010-1234-5678"}
	id := r.post(t, person{}, "/api/users", "", body).want(t, 201, "").text(t, "id")
	return person{id, r.post(t, person{}, "/api/sessions", "", body).want(t, 200, "").text(t, "token")}
}

// shape is what an answer shows of itself: its status, the names and values of its headers, and the members of its
// body.
func shape(a answer) []string {
	header := a.header.Clone()
	for _, name := range []string{"Date", "X-Request-Id", "Content-Length"} {
		header.Del(name)
	}
	all := []string{string(rune(a.status))}
	for name, values := range header {
		all = append(all, name, values[0])
	}
	slices.Sort(all)
	return append(all, slices.Sorted(maps.Keys(a.json))...)
}

// A sign-up, and asking for a link, answer alike for new and known addresses, after as many hashes.
func TestSignUp_AnswersAlikeForNewAndKnownAddresses(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	r.newcomer(t, "known@example.org")
	body := func(email string) map[string]any {
		return map[string]any{"email": email, "password": "another password", "name": "하늘", "phone": "010-1234-5678"}
	}
	hashed := func(do func() answer) (answer, int64) {
		before := r.Hasher.Hashes()
		a := do()
		return a, r.Hasher.Hashes() - before
	}
	form := func(email string) url.Values {
		return url.Values{"email": {email}, "password": {"another password"}, "name": {"하늘"},
			"phone": {"010-1234-5678"}}
	}
	for name, ask := range map[string]func(email string) answer{
		"API sign-up": func(email string) answer { return r.post(t, person{}, "/api/users", "", body(email)) },
		"API link": func(email string) answer {
			return r.post(t, person{}, "/api/sessions/links", "", map[string]any{"email": email})
		},
		"page sign-up":  func(email string) answer { return r.send(t, person{}, views.SignUpURL(""), form(email)) },
		"page link":     func(email string) answer { return r.send(t, person{}, views.SignInLinkURL(), form(email)) },
		"page link, ii": func(email string) answer { return r.send(t, person{}, views.SignInLinkURL(), form(email)) },
	} {
		known, work := hashed(func() answer { return ask("known@example.org") })
		fresh, freshWork := hashed(func() answer { return ask("fresh-" + url.QueryEscape(name) + "@example.org") })
		if !slices.Equal(shape(known), shape(fresh)) || work != freshWork {
			t.Errorf("%s: %q and %d hashes for a known address, %q and %d for a new one", name, shape(known), work,
				shape(fresh), freshWork)
		}
	}
	// The id of an account that was not made opens nothing, and the old password holds.
	r.post(t, person{}, "/api/sessions", "", body("known@example.org")).want(t, 401, "wrong_password")
}

// A link signs in on any device, by the button only, once, and confirms the address.
func TestSignInLink_WorksOnceAndByTheButton(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	who := r.newcomer(t, "haneul@example.org")
	r.send(t, person{}, views.SignInLinkURL(), url.Values{"email": {"Haneul@example.org"}}).is(t, 200).hasNot(t,
		"token=")
	token := r.links(t, who)[0]
	for range 2 { // scanners of mail look at links
		page := r.page(t, person{}, views.LinkURL(token)).is(t, 200)
		page.has(t, "haneul@example.org")
		if page.header.Get("Set-Cookie") != "" {
			t.Error("looking signs in")
		}
	}
	var signedIn atomic.Int64
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			if a := r.post(t, person{}, "/api/sessions", "", map[string]any{"link": token}); a.status == 200 {
				signedIn.Add(1)
				r.get(t, person{token: a.text(t, "token")}, "/api/wallet").want(t, 200, "")
			} else {
				a.want(t, 409, "link_over")
			}
		})
	}
	all.Wait()
	if signedIn.Load() != 1 {
		t.Errorf("%d of 50 presses signed in", signedIn.Load())
	}
	r.get(t, who, "/api/wallet").want(t, 401, "unauthenticated") // whoever chose the password had proved nothing
	r.page(t, person{}, views.LinkURL(token)).is(t, 409)
}

// A link belongs to the account that it was sent for, whoever presses it.
func TestLink_OfAnotherAccountDoesNothingForThePresser(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	one, two := r.newcomer(t, "one@example.org"), r.newcomer(t, "two@example.org")
	token := r.links(t, one)[0]
	used := r.post(t, two, "/api/links", "", map[string]any{"link": token}).want(t, 200, "")
	if used.text(t, "email") != "one@example.org" || used.text(t, "kind") != "confirm" {
		t.Errorf("used: %s", used.raw)
	}
	r.page(t, two, views.EmailURL()).is(t, 200).has(t, "two@example.org", "아직 확인되지 않음")
	r.page(t, one, views.EmailURL()).is(t, 200).has(t, "one@example.org", "확인됨")
	for _, forged := range []string{"", token, token + "A", "x" + token[1:]} {
		r.post(t, two, "/api/links", "", map[string]any{"link": forged}).want(t, 409, "link_over")
		r.send(t, two, views.UseLinkURL(), url.Values{"token": {forged}}).is(t, 409)
	}
}

// A person moves to another address with the password and a link to it; an objection ends every session.
func TestChangeEmail_NeedsThePasswordAndTheLink(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	who := r.newcomer(t, "old@example.org")
	r.post(t, person{}, "/api/links", "", map[string]any{"link": r.links(t, who)[0]}).want(t, 200, "")
	ask := func(email, password string) answer {
		return r.post(t, who, "/api/account/email", "", map[string]any{"email": email, "password": password})
	}
	ask("new@example.org", "a guess").want(t, 422, "invalid")
	ask("OLD@example.org", "a long password").want(t, 422, "invalid")
	ask("no address", "a long password").want(t, 422, "invalid")
	ask("new@example.org", "a long password").want(t, 202, "")
	if ask("third@example.org", "a long password").want(t, 429, "too_many_letters").header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	r.page(t, who, views.EmailURL()).has(t, "old@example.org")
	letters := r.links(t, who) // the notice, and the change
	r.send(t, person{}, views.UseLinkURL(), url.Values{"token": {letters[1]}}).is(t, 303)
	r.page(t, who, views.EmailURL()).has(t, "new@example.org")
	r.send(t, person{}, views.UseLinkURL(), url.Values{"token": {letters[0]}}).is(t, 303)
	r.get(t, who, "/api/wallet").want(t, 401, "unauthenticated")
	r.post(t, person{}, "/api/sessions", "",
		map[string]any{"email": "old@example.org", "password": "a long password"}).want(t, 401, "wrong_password")
}

func TestConfirmation_IsSentAgainNowAndThen(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	who := r.newcomer(t, "haneul@example.org")
	r.page(t, who, views.WalletURL()).has(t, "이메일 주소를 확인해 주세요", views.EmailURL())
	r.page(t, who, views.EmailURL()).has(t, "haneul@example.org")
	r.post(t, who, "/api/account/email/confirmation", "", nil).want(t, 429, "too_many_letters")
	r.send(t, who, views.ConfirmationURL(), url.Values{"next": {"/wallet"}}).is(t, 303)
	if got := r.links(t, who); len(got) != 1 {
		t.Errorf("%d letters", len(got))
	}
	r.post(t, person{}, "/api/links", "", map[string]any{"link": r.links(t, who)[0]}).want(t, 200, "")
	r.post(t, who, "/api/account/email/confirmation", "", nil).want(t, 202, "")
	r.page(t, who, views.WalletURL()).hasNot(t, "이메일 주소를 확인해 주세요")
}
