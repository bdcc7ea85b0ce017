package webtest

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"lunchgo/app/identity/oidc"
	"lunchgo/app/identity/oidc/oidctest"
	"lunchgo/app/program/programtest"
	"lunchgo/views"
)

// signInHarness is a server at which people sign in by a provider.
type signInHarness struct {
	*harness
	provider *oidctest.Server
}

func newSignInHarness(t *testing.T, all ...oidctest.Person) signInHarness {
	t.Helper()
	provider := oidctest.Start(t, all...)
	setup := programtest.Setup{}
	setup.Config.SignIn = []oidc.Config{provider.Config()}
	r := signInHarness{newHarnessWith(t, setup), provider}
	provider.Register(r.URL + views.SignInReturnURL("test"))
	return r
}

// begun is a sign-in under way: what the browser keeps, and where it comes back.
type begun struct {
	cookie string
	back   *url.URL
}

// begin has a browser press the button and sign in at the provider.
func (r signInHarness) begin(t *testing.T, id, next string) begun {
	t.Helper()
	a := r.page(t, person{}, views.SignInProviderURL("test", next)).is(t, http.StatusSeeOther)
	cookie, _, _ := strings.Cut(a.header.Get("Set-Cookie"), ";")
	return begun{cookie, r.provider.SignIn(t, a.header.Get("Location"), id)}
}

// back has the browser come back.
func (r signInHarness) back(t *testing.T, b begun) answer {
	t.Helper()
	return r.do(t, call{method: http.MethodGet, path: b.back.RequestURI(), headers: map[string]string{
		"Cookie": b.cookie, "Accept-Language": "en"}})
}

// signedIn is who an answer signs in.
func signedIn(t *testing.T, a answer) person {
	t.Helper()
	a.is(t, http.StatusSeeOther)
	for _, cookie := range a.header.Values("Set-Cookie") {
		if token, ok := strings.CutPrefix(cookie, "session="); ok {
			token, _, _ = strings.Cut(token, ";")
			return person{token: token}
		}
	}
	t.Fatal("nobody is signed in")
	return person{}
}

func haneulThere() oidctest.Person {
	return oidctest.Person{ID: "h1", FirstName: "하늘", LastName: "김", Email: "Haneul@example.org", EmailVerified: true}
}

// A stranger gets an account with a confirmed address, and comes back to the page that asked; the next time it is the
// same account.
func TestProvider_AStrangerGetsAnAccount(t *testing.T) {
	t.Parallel()
	r := newSignInHarness(t, haneulThere())
	r.page(t, person{}, views.SignInURL("/wallet")).has(t, "Test 계정으로 계속하기", `/signin/with/test?next=%2Fwallet`)
	r.page(t, person{}, views.SignUpURL("")).has(t, "Test 계정으로 계속하기")
	a := r.back(t, r.begin(t, "h1", "/wallet"))
	if to := a.header.Get("Location"); to != "/wallet" {
		t.Errorf("back at %s", to)
	}
	who := signedIn(t, a)
	account := r.get(t, who, "/api/account").want(t, 200, "")
	if account.text(t, "email") != "haneul@example.org" || account.json["emailConfirmed"] != true {
		t.Errorf("the account is %s", account.raw)
	}
	r.page(t, who, views.AccountURL()).has(t, "하늘")
	again := signedIn(t, r.back(t, r.begin(t, "h1", "")))
	if id := r.get(t, again, "/api/account").text(t, "id"); id != account.text(t, "id") {
		t.Errorf("another account: %s", id)
	}
	r.get(t, who, "/api/account/export").want(t, 200, "").has(t, r.provider.URL, `"subject":"h1"`)
}

// The account of an address is joined only where both sides have proved that address.
func TestProvider_JoinsAnAccountOnlyWhereThatIsSafe(t *testing.T) {
	t.Parallel()
	unverified := oidctest.Person{ID: "u1", Email: "ann@example.org"}
	ann := oidctest.Person{ID: "a1", Email: "ann@example.org", EmailVerified: true}
	r := newSignInHarness(t, unverified, ann, oidctest.Person{ID: "n1"})
	refused := func(id, word string) {
		t.Helper()
		a := r.back(t, r.begin(t, id, "/wallet")).is(t, http.StatusConflict).has(t, word, `value="/wallet"`)
		if strings.Contains(strings.Join(a.header.Values("Set-Cookie"), "\n"), "session=") {
			t.Error("somebody is signed in")
		}
	}
	owner := r.newcomer(t, "ann@example.org")
	refused("a1", "the address is not confirmed yet")
	refused("n1", "We got no e-mail address")
	r.send(t, person{}, views.UseLinkURL(), url.Values{"token": {r.links(t, owner)[0]}}).is(t, http.StatusSeeOther)
	other := signedIn(t, r.back(t, r.begin(t, "u1", "")))
	account := r.get(t, other, "/api/account").want(t, 200, "")
	if account.text(t, "id") == owner.id || account.json["emailConfirmed"] != false {
		t.Errorf("an address that the provider has not confirmed opens %s", account.raw)
	}
	if id := r.get(t, signedIn(t, r.back(t, r.begin(t, "a1", ""))), "/api/account").text(t, "id"); id != owner.id {
		t.Errorf("another account: %s", id)
	}
}

// An address that the provider has not confirmed is confirmed by a letter, as that of whoever signs up here.
func TestProvider_AnUnconfirmedAddressGetsALetter(t *testing.T) {
	t.Parallel()
	r := newSignInHarness(t, oidctest.Person{ID: "u1", Email: "ann@example.org"})
	ann := signedIn(t, r.back(t, r.begin(t, "u1", "")))
	r.send(t, person{}, views.UseLinkURL(), url.Values{"token": {r.links(t, ann)[0]}}).is(t, http.StatusSeeOther)
	account := r.get(t, signedIn(t, r.back(t, r.begin(t, "u1", ""))), "/api/account").want(t, 200, "")
	if account.json["emailConfirmed"] != true || account.text(t, "id") != r.get(t, ann, "/api/account").text(t, "id") {
		t.Errorf("the account is %s", account.raw)
	}
}

// Whoever has another way in ends that of a provider; who has none keeps it.
func TestProvider_IsUnlinkedUnlessItIsTheLastWayIn(t *testing.T) {
	t.Parallel()
	r := newSignInHarness(t, haneulThere(), oidctest.Person{ID: "u1", Email: "ann@example.org"})
	unlink := func(who person) answer {
		return r.send(t, who, views.AccountEndIdentityURL(), url.Values{views.FieldIssuer: {r.provider.URL}}).is(t, 303)
	}
	ann := signedIn(t, r.back(t, r.begin(t, "u1", "")))
	unlink(ann).has(t, "이것이 없으면 로그인할 방법이 없습니다.", "연결 끊기: Test")
	r.send(t, person{}, views.UseLinkURL(), url.Values{"token": {r.links(t, ann)[0]}}).is(t, http.StatusSeeOther)
	haneul := signedIn(t, r.back(t, r.begin(t, "h1", "")))
	r.page(t, haneul, views.AccountSessionsURL()).has(t, "연결 끊기: Test", r.provider.URL)
	unlink(haneul).has(t, "연결을 끊었습니다.").hasNot(t, "연결 끊기")
	unlink(haneul).has(t, "연결을 끊었습니다.")
	if id := r.get(t, signedIn(t, r.back(t, r.begin(t, "h1", ""))), "/api/account").text(t, "id"); id !=
		r.get(t, haneul, "/api/account").text(t, "id") {
		t.Errorf("another account: %s", id)
	}
}

// What the browser did not begin itself, or has used, signs nobody in, and says so on the form that leads on.
func TestProvider_ForgedReturnsSignNobodyIn(t *testing.T) {
	t.Parallel()
	r := newSignInHarness(t, haneulThere())
	with := func(b begun, change func(q url.Values)) begun {
		q, address := b.back.Query(), *b.back
		change(q)
		address.RawQuery = q.Encode()
		return begun{b.cookie, &address}
	}
	one, two := r.begin(t, "h1", ""), r.begin(t, "h1", "")
	for name, b := range map[string]begun{
		"another's state":    with(one, func(q url.Values) { q.Set("state", two.back.Query().Get("state")) }),
		"no cookie":          {"", one.back},
		"a forged cookie":    {one.cookie + "A", one.back},
		"another's code":     with(one, func(q url.Values) { q.Set("code", two.back.Query().Get("code")) }),
		"no code":            with(one, func(q url.Values) { q.Del("code") }),
		"an error elsewhere": with(one, func(q url.Values) { q.Set("error", "server_error"); q.Del("code") }),
	} {
		if a := r.back(t, b).is(t, http.StatusConflict).has(t, "The sign-in did not work"); len(a.raw) == 0 {
			t.Error(name)
		}
	}
	cancelled := with(two, func(q url.Values) { q.Set("error", "access_denied"); q.Del("code") })
	r.back(t, cancelled).is(t, http.StatusConflict).has(t, "You cancelled the sign-in")
	three := r.begin(t, "h1", "")
	signedIn(t, r.back(t, three))
	r.back(t, three).is(t, http.StatusConflict).has(t, "The sign-in did not work") // its code is used
}

// A sign-in leads to pages of this site only.
func TestProvider_LeadsToNoOtherSite(t *testing.T) {
	t.Parallel()
	r := newSignInHarness(t, haneulThere())
	for _, next := range []string{"https://evil.example/", "//evil.example", `/\evil.example`} {
		a := r.back(t, r.begin(t, "h1", next)).is(t, http.StatusSeeOther)
		if to := a.header.Get("Location"); to != "/" {
			t.Errorf("%s leads to %s", next, to)
		}
	}
}

// A provider that is away keeps nobody from the other ways to sign in; one that is not set has no button and no page.
func TestProvider_AwayOrOff(t *testing.T) {
	t.Parallel()
	r := newSignInHarness(t)
	r.provider.Close()
	a := r.page(t, person{}, views.SignInProviderURL("test", "/wallet")).is(t, http.StatusServiceUnavailable)
	a.has(t, "로그인을 맡은 사이트가 응답하지 않습니다", `type="password"`)
	if a.header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	r.page(t, person{}, views.SignInProviderURL("kakao", "")).is(t, http.StatusNotFound)
	off := newHarness(t)
	off.page(t, person{}, views.SignInURL("")).is(t, 200).hasNot(t, "계정으로 계속하기")
	off.page(t, person{}, views.SignInReturnURL("test")).is(t, http.StatusNotFound)
}
