package webtest

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"lunchgo/app/identity"
	"lunchgo/app/identity/passkey"
	"lunchgo/app/identity/passkey/passkeytest"
	"lunchgo/app/program/programtest"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

// origin is that of the site in tests of passkeys; only what browsers sign names it.
const origin = "https://lunchgo.example"

func newPasskeyHarness(t *testing.T) *harness {
	t.Helper()
	setup := programtest.Setup{}
	setup.Config.Passkeys = origin
	return newHarnessWith(t, setup)
}

// asked is what the server asks of a browser.
func (r *harness) asked(t *testing.T, who person, path string) []byte {
	t.Helper()
	return r.send(t, who, path, url.Values{}).is(t, http.StatusOK).raw
}

// addPasskey has somebody's browser send what an authenticator made.
func (r *harness) addPasskey(t *testing.T, who person, answer string) answer {
	t.Helper()
	return r.send(t, who, views.AccountPasskeysURL(), url.Values{views.FieldName: {" 내 휴대폰 "},
		views.FieldAnswer: {answer}})
}

// newPasskey adds a passkey, and returns the authenticator that has it.
func (r *harness) newPasskey(t *testing.T, who person) *passkeytest.Authenticator {
	t.Helper()
	a := passkeytest.New(t, origin)
	r.addPasskey(t, who, a.Create(t, r.asked(t, who, views.AccountPasskeyChallengeURL()))).is(t, 303).
		has(t, "패스키를 추가했습니다")
	a.Counter++
	return a
}

// byPasskey sends a browser's answer to the form to sign in.
func (r *harness) byPasskey(t *testing.T, answer, next string) answer {
	t.Helper()
	form := url.Values{views.FieldAnswer: {answer}, views.FieldNext: {next}}
	return r.do(t, call{method: http.MethodPost, path: views.SignInPasskeyURL(), body: form.Encode(),
		headers: map[string]string{"Content-Type": "application/x-www-form-urlencoded", "Accept-Language": "en",
			"Sec-Fetch-Site": "same-origin"}})
}

// refused fails unless an answer signs nobody in, and leaves the form.
func refused(t *testing.T, name string, a answer) {
	t.Helper()
	a.is(t, http.StatusConflict).has(t, "The passkey could not be verified", `value="/wallet"`)
	if strings.Contains(strings.Join(a.header.Values("Set-Cookie"), "\n"), "session=") {
		t.Errorf("%s: somebody is signed in", name)
	}
}

func (r *harness) idOf(t *testing.T, who person) string {
	t.Helper()
	return r.get(t, who, "/api/account").want(t, 200, "").text(t, "id")
}

// Whoever has added a passkey signs in by it, with a session like any other, until it is removed.
func TestPasskey_AddedUsedAndRemoved(t *testing.T) {
	t.Parallel()
	r := newPasskeyHarness(t)
	ann := r.newcomer(t, "ann@example.org")
	r.page(t, ann, views.AccountSessionsURL()).has(t, "이 기기에 패스키 추가", "js/passkey.js")
	r.page(t, person{}, views.SignInURL("/wallet")).has(t, "패스키로 로그인", "js/passkey.js")
	a := r.newPasskey(t, ann)
	r.page(t, ann, views.AccountSessionsURL()).has(t, "삭제: 내 휴대폰")
	back := r.byPasskey(t, a.Get(t, r.asked(t, person{}, views.SignInPasskeyChallengeURL())), "/wallet")
	if to := back.header.Get("Location"); to != "/wallet" {
		t.Errorf("back at %s", to)
	}
	again := signedIn(t, back)
	if id := r.idOf(t, again); id != r.idOf(t, ann) {
		t.Errorf("another account: %s", id)
	}
	r.page(t, ann, views.AccountSessionsURL()).has(t, views.AccountEndOthersURL())
	r.get(t, ann, "/api/account/export").want(t, 200, "").has(t, `"passkeys"`, "내 휴대폰")
	id := regexp.MustCompile(`name="passkey" value="([^"]+)"`).FindSubmatch(r.page(t, ann, views.AccountSessionsURL()).raw)
	r.send(t, again, views.AccountRemovePasskeyURL(), url.Values{views.FieldPasskey: {string(id[1])}}).is(t, 303).
		has(t, "패스키를 삭제했습니다").hasNot(t, "삭제: 내 휴대폰")
	a.Counter++
	refused(t, "a removed passkey",
		r.byPasskey(t, a.Get(t, r.asked(t, person{}, views.SignInPasskeyChallengeURL())), "/wallet"))
}

// What another site, another account or another moment has to do with signs nobody in.
func TestPasskey_ForgedAnswersSignNobodyIn(t *testing.T) {
	t.Parallel()
	r := newPasskeyHarness(t)
	ann, bob := r.newcomer(t, "ann@example.org"), r.newcomer(t, "bob@example.org")
	ofAnn, ofBob := r.newPasskey(t, ann), r.newPasskey(t, bob)
	challenge := func() []byte { return r.asked(t, person{}, views.SignInPasskeyChallengeURL()) }
	with := func(change func(a *passkeytest.Authenticator)) string {
		cheat := *ofAnn
		change(&cheat)
		return cheat.Get(t, challenge())
	}
	used := ofAnn.Get(t, challenge())
	signedIn(t, r.byPasskey(t, used, ""))
	ofAnn.Counter++
	for name, answer := range map[string]string{ // in any order
		"a replayed answer":        used,
		"another origin":           with(func(a *passkeytest.Authenticator) { a.Origin = "https://lunchgo.example.evil" }),
		"the origin without TLS":   with(func(a *passkeytest.Authenticator) { a.Origin = "http://lunchgo.example" }),
		"somebody else's passkey":  with(func(a *passkeytest.Authenticator) { a.User = ofBob.User }),
		"their passkey's id":       with(func(a *passkeytest.Authenticator) { a.ID, a.User = ofBob.ID, ofBob.User }),
		"a passkey of nobody":      with(func(a *passkeytest.Authenticator) { a.ID = []byte("unknown") }),
		"no account":               with(func(a *passkeytest.Authenticator) { a.User = nil }),
		"nobody was verified":      with(func(a *passkeytest.Authenticator) { a.Flags = 1 }),
		"a counter of before":      with(func(a *passkeytest.Authenticator) { a.Counter-- }),
		"the challenge of another": ofAnn.Get(t, r.asked(t, ann, views.AccountPasskeyChallengeURL())),
		"a challenge of one's own": ofAnn.Get(t,
			[]byte(`{"publicKey":{"challenge":"AAAAAAAAAAAAAAAAAAAAAA","rpId":"lunchgo.example"}}`)),
		"another site's id": ofAnn.Get(t,
			[]byte(strings.Replace(string(challenge()), `"rpId":"lunchgo.example"`, `"rpId":"x.example"`, 1))),
		"nonsense":               "{",
		"nothing":                "",
		"more than anybody says": strings.Repeat(" ", 20_000) + used,
		"an answer that adds a key": passkeytest.New(t, origin).Create(t,
			r.asked(t, ann, views.AccountPasskeyChallengeURL())),
	} {
		refused(t, name, r.byPasskey(t, answer, "/wallet"))
	}
	signedIn(t, r.byPasskey(t, ofAnn.Get(t, challenge()), "")) // which none of that has spoiled
}

// Nobody adds a passkey to an account that did not ask for it, or one that is another's.
func TestPasskey_ForgedAnswersAddNone(t *testing.T) {
	t.Parallel()
	r := newPasskeyHarness(t)
	ann, bob := r.newcomer(t, "ann@example.org"), r.newcomer(t, "bob@example.org")
	ofAnn := r.newPasskey(t, ann)
	challenge := func(who person) []byte { return r.asked(t, who, views.AccountPasskeyChallengeURL()) }
	spent := passkeytest.New(t, origin)
	once := spent.Create(t, challenge(bob))
	r.addPasskey(t, bob, once).is(t, 303).has(t, "패스키를 추가했습니다")
	elsewhere := passkeytest.New(t, "https://evil.example")
	for name, c := range map[string]struct{ answer, says string }{ // in any order
		"the challenge of another": {passkeytest.New(t, origin).Create(t, challenge(ann)), "패스키를 확인하지 못했습니다"},
		"another origin":           {elsewhere.Create(t, challenge(bob)), "패스키를 확인하지 못했습니다"},
		"a replayed answer":        {once, "패스키를 확인하지 못했습니다"},
		"another's passkey":        {ofAnn.Create(t, challenge(bob)), "이미 추가되어 있습니다"},
		"nonsense":                 {"[]", "패스키를 확인하지 못했습니다"},
	} {
		a := r.addPasskey(t, bob, c.answer).is(t, 303).has(t, c.says)
		if n := strings.Count(string(a.raw), `name="passkey"`); n != 1 {
			t.Errorf("%s: %d passkeys", name, n)
		}
	}
	foreign := url.Values{views.FieldPasskey: {ofAnn.EncodedID()}}
	r.send(t, bob, views.AccountRemovePasskeyURL(), foreign).is(t, 303)
	r.page(t, ann, views.AccountSessionsURL()).has(t, ofAnn.EncodedID())
	r.page(t, bob, views.AccountSessionsURL()).hasNot(t, ofAnn.EncodedID())
}

// The last way in stays, and an account has some passkeys only.
func TestPasskey_Bounds(t *testing.T) {
	t.Parallel()
	r := newPasskeyHarness(t)
	ann := r.newcomer(t, "ann@example.org")
	first := r.newPasskey(t, ann)
	r.mustExec(t, `UPDATE users SET password_hash = '' WHERE id = $1`, ann.id)
	remove := func(a *passkeytest.Authenticator) answer {
		return r.send(t, ann, views.AccountRemovePasskeyURL(), url.Values{views.FieldPasskey: {a.EncodedID()}}).is(t, 303)
	}
	remove(first).has(t, "이것이 없으면 로그인할 방법이 없습니다", first.EncodedID())
	for range identity.MaxPasskeys - 1 {
		r.newPasskey(t, ann)
	}
	r.page(t, ann, views.AccountSessionsURL()).hasNot(t, "이 기기에 패스키 추가")
	eleventh := passkeytest.New(t, origin)
	r.addPasskey(t, ann, eleventh.Create(t, r.asked(t, ann, views.AccountPasskeyChallengeURL()))).is(t, 303).
		has(t, "10개까지")
	remove(first).has(t, "패스키를 삭제했습니다")
}

// Challenges end, and are in Redis alone: without it nobody signs in by a passkey, and everybody by a password.
func TestPasskey_ChallengesEnd(t *testing.T) {
	t.Parallel()
	setup := programtest.Setup{}
	server := dbtest.PrivateRedis(t)
	setup.Config.Passkeys, setup.Redis = origin, server.URL
	r := newHarnessWith(t, setup)
	ann := r.newcomer(t, "ann@example.org")
	a := r.newPasskey(t, ann)
	late := a.Get(t, r.asked(t, person{}, views.SignInPasskeyChallengeURL()))
	keys, err := r.Redis.Keys(t.Context(), "*passkey:*").Result()
	if err != nil || len(keys) != 1 {
		t.Fatalf("%q, %v", keys, err)
	}
	if ttl := r.Redis.PTTL(t.Context(), keys[0]).Val(); ttl <= 0 || ttl > passkey.Life {
		t.Errorf("a challenge lives for %v", ttl)
	}
	dbtest.Must(t, r.Redis.Del(t.Context(), keys[0]).Err()) // as its end does
	refused(t, "a late answer", r.byPasskey(t, late, "/wallet"))
	answer := a.Get(t, r.asked(t, person{}, views.SignInPasskeyChallengeURL()))
	server.Kill()
	r.byPasskey(t, answer, "").is(t, http.StatusServiceUnavailable).
		has(t, "Passkeys do not work right now", `type="password"`)
	r.send(t, person{}, views.SignInPasskeyChallengeURL(), url.Values{}).is(t, http.StatusServiceUnavailable)
	r.post(t, person{}, "/api/sessions", "", map[string]any{"email": "ann@example.org", "password": "a long password"}).
		want(t, 200, "")
}

// An address asks so often, and then waits.
func TestPasskey_Limited(t *testing.T) {
	t.Parallel()
	r := newPasskeyHarness(t)
	for name, ask := range map[string]func() answer{ // in any order
		"challenges": func() answer { return r.send(t, person{}, views.SignInPasskeyChallengeURL(), url.Values{}) },
		"answers":    func() answer { return r.byPasskey(t, "{}", "") },
	} {
		for n := range 1_000 {
			if a := ask(); a.status == http.StatusTooManyRequests {
				if n < 100 || a.header.Get("Retry-After") == "" {
					t.Errorf("%s: the %d. is refused: %s", name, n+1, a.raw)
				}
				break
			} else if n == 999 {
				t.Errorf("%s have no bound", name)
			}
		}
	}
}

// Accounts of the demo have none, and where the origin is not known, or is a number, nobody has.
func TestPasskey_OffAndInDemoAccounts(t *testing.T) {
	t.Parallel()
	on := newPasskeyHarness(t)
	ann := on.newcomer(t, "ann@example.org")
	on.mustExec(t, `UPDATE users SET demo = true WHERE id = $1`, ann.id)
	on.send(t, ann, views.AccountPasskeyChallengeURL(), url.Values{}).is(t, http.StatusForbidden)
	for _, address := range []string{"", "http://127.0.0.1:8080"} {
		setup := programtest.Setup{}
		setup.Config.Passkeys = address
		r := newHarnessWith(t, setup)
		who := r.newcomer(t, "ann@example.org")
		r.page(t, person{}, views.SignInURL("")).hasNot(t, "패스키")
		r.page(t, who, views.AccountSessionsURL()).hasNot(t, "패스키")
		for _, path := range []string{views.SignInPasskeyURL(), views.SignInPasskeyChallengeURL(),
			views.AccountPasskeysURL(), views.AccountPasskeyChallengeURL()} {
			r.send(t, who, path, url.Values{}).is(t, http.StatusNotFound)
		}
	}
}
