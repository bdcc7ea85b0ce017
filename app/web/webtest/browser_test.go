package webtest

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"lunchgo/db/dbtest"
)

// page asks for a page as a browser does.
func (r *harness) page(t *testing.T, as person, path string) answer {
	t.Helper()
	return r.do(t, call{method: http.MethodGet, path: path,
		headers: map[string]string{"Cookie": "session=" + as.token}})
}

// decided looks at the page of a payment again, as the page itself does, until it says what became of the payment.
func (r *harness) decided(t *testing.T, as person, path string) (back answer) {
	t.Helper()
	dbtest.Eventually(t, "the payment is decided", func() bool {
		back = r.page(t, as, path)
		return back.status != http.StatusOK || !strings.Contains(string(back.raw), "결제를 확인하고 있습니다")
	})
	return back
}

// send sends a form as a browser does, and returns the page that it leads to with the status of the first answer.
func (r *harness) send(t *testing.T, as person, path string, fields url.Values) answer {
	t.Helper()
	cookie := "session=" + as.token
	a := r.do(t, call{method: http.MethodPost, path: path, body: fields.Encode(), headers: map[string]string{
		"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}})
	if a.status != http.StatusSeeOther {
		return a
	}
	if flash, _, ok := strings.Cut(a.header.Get("Set-Cookie"), ";"); ok {
		cookie += "; " + flash
	}
	next := r.do(t, call{method: http.MethodGet, path: a.header.Get("Location"),
		headers: map[string]string{"Cookie": cookie}})
	if next.status != http.StatusOK {
		t.Fatalf("%s leads to %s: %d", path, a.header.Get("Location"), next.status)
	}
	next.status = a.status
	return next
}

// chance is what random ids and tokens come to hold: a few letters or digits.
var chance = regexp.MustCompile(`^[0-9A-Za-z]{0,5}$`)

// has fails unless all words are on the page.
func (a answer) has(t *testing.T, words ...string) answer {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(string(a.raw), w) {
			t.Errorf("%q is not on the page (status %d):\n%s", w, a.status, a.raw)
		}
	}
	return a
}

// hasNot fails if one of the words is on the page. What an id or a token made by chance may spell is no word.
func (a answer) hasNot(t *testing.T, words ...string) {
	t.Helper()
	for _, w := range words {
		if chance.MatchString(w) {
			t.Fatalf("%q may be part of a random id", w)
		}
		if strings.Contains(string(a.raw), w) {
			t.Errorf("%q is on the page", w)
		}
	}
}

// is fails unless the answer has the status.
func (a answer) is(t *testing.T, want int) answer {
	t.Helper()
	if a.status != want {
		t.Fatalf("status %d, want %d: %s", a.status, want, a.raw)
	}
	return a
}
