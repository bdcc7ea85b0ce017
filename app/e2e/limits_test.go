package e2e_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"lunchgo/db/dbtest"
)

// limited are two server processes of one installation with the limits of every installation, and one without, for
// controls.
type limited struct {
	sites [2]*product
	open  *product
}

// TestLimits holds each limit at two server processes that share nothing but PostgreSQL and Redis. Each has a control:
// the same passes where the limit is raised.
func TestLimits(t *testing.T) {
	skipShort(t)
	t.Parallel()
	p := newProduct(t, "LIMIT_SIGNUPS=20", "TRUSTED_PROXIES=127.0.0.1")
	l := limited{[2]*product{p, p.beside()}, p.beside("LIMIT_SIGNUPS=1000", "LIMIT_PRESSES=1000", "LIMIT_CHANGES=1000",
		"LIMIT_STREAMS=1000", "LIMIT_ANONYMOUS_STREAMS=1000")}
	tokens := p.seedDiners(9)
	t.Run("presses", func(t *testing.T) { l.countForAccount(t, tokens[:3], "/api/coupons/999999/claims", nil) })
	t.Run("changes", func(t *testing.T) { l.countForAccount(t, tokens[3:6], "/api/wallet/charges", body{"amount": 1}) })
	t.Run("streams", func(t *testing.T) { l.countStreams(t, 20, "Authorization", "Bearer "+tokens[6]) })
	t.Run("anonymous streams", func(t *testing.T) { l.countStreams(t, 200, "X-Forwarded-For", "203.0.113.1") })
	t.Run("sign-ups", l.countSignUps)
	t.Run("sign-ins", l.guessPasswords)
}

// at is one of the two processes for somebody with a token, or nobody.
func (l limited) at(t *testing.T, i int, token string) diner {
	return diner{product: l.sites[i%2].in(t), token: token}
}

// answerTo is the status and the code of an answer.
func (d diner) answerTo(method, path string, in body, headers ...string) string {
	d.t.Helper()
	status, answer, err := d.try(method, path, in, headers...)
	dbtest.Must(d.t, err)
	var problem struct {
		Code       string
		RetryAfter int
	}
	_ = json.Unmarshal(answer, &problem)
	if status == http.StatusTooManyRequests && problem.RetryAfter < 1 {
		d.t.Errorf("%s %s: no Retry-After: %s", method, path, answer)
	}
	return strconv.Itoa(status) + " " + problem.Code
}

const tooMany = "429 too_many_requests"

// countForAccount holds 30 a minute: by account and not by address, over both processes, and a repeat does not count.
func (l limited) countForAccount(t *testing.T, tokens []string, path string, in body) {
	const sent, allowed = 40, 30
	count := func(of func(i int) diner) int {
		refused := 0
		for i := range sent {
			if of(i).answerTo(http.MethodPost, path, in, "Idempotency-Key", fmt.Sprint("key-", i)) == tooMany {
				refused++
			}
		}
		return refused
	}
	began := time.Now()
	refused := count(func(i int) diner { return l.at(t, i, tokens[0]) })
	back := int(time.Since(began).Seconds()/2) + 1 // one comes back every two seconds
	if refused > sent-allowed || refused < sent-allowed-back {
		t.Errorf("%d of %d were refused in %s, want %d", refused, sent, time.Since(began), sent-allowed)
	}
	for i := range 60 {
		if got := l.at(t, i, tokens[0]).answerTo(http.MethodPost, path, in, "Idempotency-Key",
			"key-0"); got == tooMany {
			t.Fatalf("repeat %d is refused", i)
		}
	}
	if got := l.at(t, 0, tokens[1]).answerTo(http.MethodPost, path, in, "Idempotency-Key", "key-0"); got == tooMany {
		t.Error("another account at the same address is refused")
	}
	if refused := count(func(int) diner { return diner{product: l.open.in(t), token: tokens[2]} }); refused != 0 {
		t.Errorf("without the limit %d are refused", refused)
	}
}

// countStreams opens more event streams than allowed at the same moment, half of them at each process.
func (l limited) countStreams(t *testing.T, allowed int, header, value string) {
	p := l.sites[0].in(t)
	s := p.freeSlot("sushi-harugyeol", 1)
	path := fmt.Sprintf("/restaurants/%s/seats/events?date=%s&time=%s&party=1", s.slug, s.date, s.time)
	for name, wrong := range map[string]string{
		"beyond the horizon": strings.Replace(path, s.date, s.at.AddDate(1, 0, 0).Format(time.DateOnly), 1),
		"no such time":       strings.Replace(path, "time="+s.time, "time=03:07", 1),
		"no such restaurant": strings.Replace(path, s.slug, "nowhere", 1),
	} {
		if got := openStream(t, p.url+wrong, header, value); got.status != http.StatusUnprocessableEntity &&
			got.status != http.StatusNotFound {
			t.Errorf("%s: %d", name, got.status)
		}
	}
	crowd := func(of func(i int) string) (streams []stream, statuses map[int]int) {
		streams, statuses = make([]stream, allowed+6), map[int]int{}
		var all sync.WaitGroup
		for i := range streams {
			all.Go(func() { streams[i] = openStream(t, of(i)+path, header, value) })
		}
		all.Wait()
		for _, s := range streams {
			statuses[s.status]++
		}
		return streams, statuses
	}
	streams, statuses := crowd(func(i int) string { return l.sites[i%2].url })
	if want := map[int]int{http.StatusOK: allowed, http.StatusTooManyRequests: 6}; !maps.Equal(statuses, want) {
		t.Errorf("the answers are %v, want %v", statuses, want)
	}
	if got := openStream(t, p.url+path, "X-Forwarded-For", "203.0.113.200"); got.status != http.StatusOK {
		t.Errorf("somebody else is answered %d", got.status)
	}
	for _, s := range streams {
		s.hangUp()
	}
	dbtest.Eventually(t, "streams that have ended make room", func() bool {
		return openStream(t, p.url+path, header, value).status == http.StatusOK
	})
	if _, statuses := crowd(func(int) string { return l.open.url }); statuses[http.StatusOK] != allowed+6 {
		t.Errorf("without the limit the answers are %v", statuses)
	}
}

// stream is an event stream that was asked for.
type stream struct {
	status int
	hangUp context.CancelFunc
}

// openStream opens an event stream that ends with the test, or with hangUp.
func openStream(t *testing.T, url, header, value string) stream {
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		t.Error(err)
		return stream{0, cancel}
	}
	r.Header.Set(header, value)
	response, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(r)
	if err != nil {
		t.Error(err)
		return stream{0, cancel}
	}
	return stream{response.StatusCode, func() {
		cancel()
		_ = response.Body.Close()
	}}
}

// countSignUps has one address sign up 25 people, and another one.
func (l limited) countSignUps(t *testing.T) {
	signUp := func(at diner, address string) string {
		return at.answerTo(http.MethodPost, "/api/users", body{"email": strings.ToLower(rand.Text()) + "@example.com",
			"password": password, "name": "한여름", "phone": "010-1234-5678"}, "X-Forwarded-For", address)
	}
	refused, others := 0, 0
	for i := range 25 {
		if signUp(l.at(t, i, ""), "2001:db8:0:1::"+strconv.Itoa(i)) == tooMany { // of one /56
			refused++
		}
		if signUp(diner{product: l.open.in(t)}, "203.0.113.3") == tooMany {
			others++
		}
	}
	if refused != 5 || others != 0 {
		t.Errorf("%d of 25 sign-ups are refused, want 5; without the limit %d", refused, others)
	}
	if got := signUp(l.at(t, 0, ""), "2001:db8:0:101::1"); got == tooMany {
		t.Error("another address is refused")
	}
}

// guessPasswords has strangers guess the password of somebody who signs in meanwhile.
func (l limited) guessPasswords(t *testing.T) {
	owner := l.sites[0].in(t).signsIn(t)
	guess := func(i int, address string) string {
		return l.at(t, i, "").answerTo(http.MethodPost, "/api/sessions",
			body{"email": owner.email, "password": "a guess"}, "X-Forwarded-For", address)
	}
	count := func(addressOf func(i int) string) (guessed int) {
		for i := range 160 {
			if guess(i, addressOf(i)) == "401 wrong_password" {
				guessed++
			}
		}
		return guessed
	}
	const refusal = "429 too_many_attempts"
	if n := count(func(int) string { return "203.0.113.66" }); n < 10 || n > 13 {
		t.Errorf("one address guesses %d times, want 10", n)
	}
	for try := range 21 {
		if got := owner.in(t).signInFrom(t, l, try, "203.0.113."+strconv.Itoa(100+try), ""); got != "200 " {
			t.Fatalf("while one address guesses, the owner's try %d from a fresh one is answered %s", try+1, got)
		}
	}
	if n := count(func(i int) string { return fmt.Sprintf("198.51.100.%d", i) }); n < 80 || n > 101 {
		t.Errorf("160 addresses guess %d times, want about 90: a hundred less those before", n)
	}
	for try := range 21 {
		if got := owner.in(t).signInFrom(t, l, try, "203.0.113.66", owner.device); got != "200 " {
			t.Fatalf("the owner's try %d from a known browser behind the guesser's address is answered %s", try+1, got)
		}
	}
	another := l.sites[1].in(t).signsIn(t)
	for name, device := range map[string]string{"fresh": "", "forged": owner.device + "x",
		"another's": another.device} {
		var got string
		for try, next := 0, ""; next != refusal; { // one try comes back every 30 s: between two refused ones is none
			for guess(try, fmt.Sprintf("198.51.100.%d", 160+try%90)) != refusal {
				try++
			}
			got = owner.in(t).signInFrom(t, l, 0, "203.0.113.90", device)
			next = guess(try, fmt.Sprintf("198.51.100.%d", 160+try%90))
		}
		if got != refusal {
			t.Errorf("a %s browser is answered %s while many addresses guess, want %s", name, got, refusal)
		}
	}
}

// owner is somebody with an account, and the cookie of the browser that they have signed in with.
type owner struct {
	diner
	device string
}

func (o owner) in(t *testing.T) owner {
	o.product = o.product.in(t)
	return o
}

// signsIn makes somebody who has signed in once.
func (p *product) signsIn(t *testing.T) owner {
	t.Helper()
	o := owner{diner: diner{product: p, email: strings.ToLower(rand.Text()) + "@example.com"}}
	address := "192.0.2." + strconv.Itoa(time.Now().Nanosecond()%250)
	status, answer, err := o.try(http.MethodPost, "/api/users",
		body{"email": o.email, "password": password, "name": "한여름",
			"phone": "010-1234-5678"}, "X-Forwarded-For", address)
	dbtest.Must(t, err)
	if status >= 300 {
		t.Fatalf("sign-up: %d %s", status, answer)
	}
	content, _ := json.Marshal(body{"email": o.email, "password": password})
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.url+"/api/sessions",
		strings.NewReader(string(content)))
	dbtest.Must(t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Forwarded-For", address)
	response, err := clients.Do(r)
	dbtest.Must(t, err)
	defer response.Body.Close()
	for _, cookie := range response.Cookies() {
		if cookie.Name == "device" && cookie.HttpOnly {
			o.device = cookie.Value
		}
	}
	if o.device == "" {
		t.Fatalf("signing in (%d) makes no known browser", response.StatusCode)
	}
	return o
}

func (o owner) signInFrom(t *testing.T, l limited, try int, address, device string) string {
	t.Helper()
	return l.at(t, try, "").answerTo(http.MethodPost, "/api/sessions", body{"email": o.email, "password": password},
		"X-Forwarded-For", address, "Cookie", "device="+device)
}
