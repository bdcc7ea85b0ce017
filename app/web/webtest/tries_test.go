package webtest

import (
	"context"
	"crypto/rand"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"lunchgo/app/identity"
	"lunchgo/app/program/programtest"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

// passwords are the accounts of n people who all have the same one.
func (r *harness) passwords(t *testing.T, n int, password string) (emails []string) {
	t.Helper()
	hasher, err := identity.NewHasher(programtest.QuickHash, 1, time.Minute)
	dbtest.Must(t, err)
	hash, err := hasher.Hash(t.Context(), password)
	dbtest.Must(t, err)
	var people []identity.User
	for range n {
		id := rand.Text()
		emails = append(emails, strings.ToLower(id)+"@example.org")
		people = append(people, identity.User{ID: id, Email: emails[len(emails)-1], Name: "손님", Phone: "010-1234-5678",
			PasswordHash: hash})
	}
	dbtest.Must(t, r.Stores.Seeds.CreateDiners(context.WithoutCancel(t.Context()), people, 0))
	return emails
}

func TestRateLimit_PasswordIsNotGuessedForLong(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	emails := r.passwords(t, 2, "a long password")
	signIn := func(email, password string) answer {
		return r.post(t, person{}, "/api/sessions", "", map[string]any{"email": email, "password": password})
	}
	for range 9 {
		signIn(emails[0], "a guess").want(t, 401, "wrong_password")
	}
	signIn(emails[0], "a long password").want(t, 200, "") // and what was tried before is forgiven
	for i := range 10 {
		email := emails[0]
		if i%2 == 0 {
			email = " " + strings.ToUpper(email) // it is the same account
		}
		signIn(email, "a guess").want(t, 401, "wrong_password")
	}
	refused := signIn(emails[0], "a long password").want(t, 429, "too_many_attempts")
	if wait, err := strconv.Atoi(refused.header.Get("Retry-After")); err != nil || wait < 1 || wait > 30 ||
		refused.number(t, "retryAfter") != wait {
		t.Errorf("Retry-After %q: %s", refused.header.Get("Retry-After"), refused.raw)
	}
	signIn(emails[1], "a long password").want(t, 200, "")

	form := url.Values{views.FieldEmail: {emails[0]}, views.FieldPassword: {"a long password"}}
	page := r.send(t, person{}, views.SignInURL(""), form).is(t, 429)
	page.has(t, "시도가 너무 많았습니다.", "초 뒤에 다시 해 주세요.", emails[0])
	if page.header.Get("Retry-After") == "" || page.header.Get("Set-Cookie") != "" {
		t.Errorf("headers: %v", page.header)
	}
	form.Set(views.FieldEmail, emails[1])
	r.send(t, person{}, views.SignInURL(""), form).is(t, 303)
}

func TestRateLimit_AddressIsNotGuessedFromForLong(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	emails := r.passwords(t, 200, "a long password")
	signIn := func(email, password string) answer {
		return r.post(t, person{}, "/api/sessions", "", map[string]any{"email": email, "password": password})
	}
	crowd := func(each func(i int)) {
		var four sync.WaitGroup
		for first := range 4 {
			four.Go(func() {
				for i := first; i < 200; i += 4 {
					each(i)
				}
			})
		}
		four.Wait()
	}
	// An office may come at once, and some of it may mistype.
	crowd(func(i int) {
		if i%2 == 0 {
			signIn(emails[i], "mistyped").want(t, 401, "wrong_password")
		}
		signIn(emails[i], "a long password").want(t, 200, "")
	})
	var refused atomic.Bool
	for range 5 {
		crowd(func(i int) {
			if a := signIn(rand.Text()+"@example.org", "a guess"); a.status == 429 {
				refused.Store(true)
				a.want(t, 429, "too_many_attempts")
			}
		})
		if refused.Load() {
			break
		}
	}
	if !refused.Load() {
		t.Error("a thousand accounts were tried from one address")
	}
}
