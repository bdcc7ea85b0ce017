package web_test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/keyset"
	"lunchgo/views"
)

// The form names every answer that makes no sense, and changes nothing.
func TestBookingForm_BadAnswers(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	b := h.signedIn(50_000)
	slot := h.slot("19:00")
	dish := views.ItemField(h.menu[0].ID)
	for name, bad := range map[string]struct{ field, value, says string }{
		"party 0":              {"party", "0", "This restaurant takes parties of 1 to 6."},
		"party -1":             {"party", "-1", "This restaurant takes parties of 1 to 6."},
		"party 10^9":           {"party", "1000000000", "This restaurant takes parties of 1 to 6."},
		"party beyond numbers": {"party", "99999999999999999999", "Please enter a number."},
		"party of letters":     {"party", "two", "Please enter a number."},
		"a past date":          {"date", "2020-01-01", "That time has passed."},
		"an impossible date":   {"date", "2026-02-30", "Please check the date."},
		"a date far away":      {"date", "2999-01-01", "That date cannot be booked yet."},
		"no date":              {"date", "", "Please check the date."},
		"no time":              {"time", "", "Please choose a time."},
		"an impossible time":   {"time", "25:00", "Please choose a time."},
		"outside of hours":     {"time", "03:00", "The restaurant is not open then."},
		"a long note":          {"note", strings.Repeat("가", 501), "At most 500 characters, please."},
		"a 10 kB note":         {"allergies", strings.Repeat("x", 10_000), "At most 500 characters, please."},
		"a note with a NUL":    {"note", "a\x00b", "It contains characters that cannot be used."},
		"a note of no text":    {"note", "\xff\xfe", "It contains characters that cannot be used."},
		"fewer than no dishes": {dish, "-1", "Please enter a number from 1 to 99."},
		"too many dishes":      {dish, "100", "Please enter a number from 1 to 99."},
		"dishes in words":      {dish, "some", "Please enter a number."},
		"an unknown dish":      {views.ItemField(999_999), "1", "This cannot be chosen at the moment."},
	} {
		t.Run(name, func(t *testing.T) {
			form := bookingAnswers(slot)
			form.Set(bad.field, bad.value)
			b := *b
			b.harness = &harness{Server: h.Server, t: t}
			b.post("/restaurants/haru/reservations", form).must(422, bad.says)
		})
	}
	form := bookingAnswers(slot)
	form.Del(views.FieldIdempotencyKey)
	b.post("/restaurants/haru/reservations", form).must(400)
	form = bookingAnswers(slot)
	form.Set("party", "two")
	form.Set("time", "03:00")
	b.post("/restaurants/haru/reservations", form).must(422, "Please enter a number.",
		"The restaurant is not open then.")
	if all, err := h.Bookings.List(t.Context(), b.user.ID, keyset.Request{}); err != nil || len(all.Items) > 0 {
		t.Errorf("it left %d reservations (%v)", len(all.Items), err)
	}

	emoji := bookingAnswers(slot)
	emoji.Set("note", "창가 자리요 🙏🏽\r\n<b>bold</b>")
	b.follow(b.post("/restaurants/haru/reservations", emoji)).must(200, "Your table is held")
	page, err := h.Bookings.List(t.Context(), b.user.ID, keyset.Request{})
	all := page.Items
	if err != nil || len(all) != 1 || all[0].Note != "창가 자리요 🙏🏽\n<b>bold</b>" {
		t.Fatalf("%v, %v", all, err)
	}
	if p := b.open(views.ReservationURL(all[0].ID)).must(200, "<b>bold</b>"); strings.Contains(p.body, "<b>") {
		t.Error("a note is taken for HTML")
	}
}

func bookingAnswers(slot booking.SlotKey) url.Values {
	return url.Values{"date": {string(slot.Date)}, "time": {string(slot.Time)}, "party": {"2"},
		views.FieldIdempotencyKey: {"some-key"}}
}

func TestRoutes_BadAddresses(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	b := h.signedIn(0)
	for path, says := range map[string]string{
		"/?date=2026-02-30":                      "Please check the date.",
		"/?date=2020-01-01":                      "That time has passed.",
		"/?party=0":                              "Please enter a number from 1 to 6.",
		"/?party=1e9":                            "Please enter a number from 1 to 6.",
		"/?time=7pm":                             "Please choose a time.",
		"/?district=atlantis":                    "This cannot be chosen at the moment.",
		"/?q=%ff":                                "It contains characters that cannot be used.",
		"/?q=" + strings.Repeat("a", 101):        "At most 100 characters, please.",
		"/restaurants/haru?date=yesterday":       "Please check the date.",
		"/restaurants/haru?month=2026-13":        "Please check the date.",
		"/restaurants/haru?party=99":             "",
		"/restaurants/haru/slots?party=-1":       "",
		"/restaurants/haru/dishes?date=tonight":  "Please check the date.",
		"/restaurants/haru/book?party=-1":        "This restaurant takes parties of 1 to 6.",
		"/restaurants/haru/book?date=2026-02-30": "Please check the date.",
	} {
		b.get(path).must(422, says)
	}
	b.get("/?q=%3Cscript%3Ealert(1)%3C/script%3E").must(200)
	b.get("/restaurants/haru?date=2999-01-01").must(200)
	b.get("/restaurants/haru?month=1999-01").must(200)
	b.get("/restaurants/haru/book").must(200)
	b.get("/restaurants/haru/dishes").must(200, "Bibimbap")
	b.get("/restaurants/nowhere/dishes").must(404)
	for _, words := range []string{"종로", "jongno", "한식 haru", "비빔밥"} {
		b.get("/?q="+url.QueryEscape(words)).must(200, "Haru Table")
	}
	b.get("/?q=pizza").must(200, "No matches")
}

func TestCharge_BadAmounts(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	b := h.signedIn(0)
	for _, amount := range []string{"", "0", "-5000", "999", "2000001", "99999999999999999999", "lots", "1e6"} {
		form := url.Values{"amount": {amount}, views.FieldIdempotencyKey: {"k-" + amount}}
		b.post("/wallet/charges", form).must(422, "You can top up from ₩1,000 to ₩2,000,000.")
	}
	form := url.Values{"amount": {"5000"}, views.FieldIdempotencyKey: {"twice"}}
	b.post("/wallet/charges", form).must(303)
	b.post("/wallet/charges", form).must(303)
	form.Set("amount", "6000")
	b.post("/wallet/charges", form).must(422, "This request was handled already.")
	form.Del(views.FieldIdempotencyKey)
	b.post("/wallet/charges", form).must(400)
	b.open("/wallet").must(200, "₩5,000")
}

func TestSignUp_BadAnswers(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	b := h.browser()
	good := map[string]string{"email": "kim@example.com", "name": "Kim", "phone": "010-1234-5678", "password": password}
	for field, values := range map[string]map[string]string{
		"email":    {"": "Please check the email address.", "kim": "Please check the email address.", "a@b\r\nc": "Please check the email address."},
		"name":     {"  ": "Please fill this in.", strings.Repeat("나", 5_000): "At most 80 characters, please.", "a\x00b": "It contains characters that cannot be used."},
		"phone":    {"call me": "Please check the phone number."},
		"password": {"password": "This password is among the first that are guessed.", "short": "At least 8 characters, please.", strings.Repeat("x", 201): "At most 200 characters, please."},
	} {
		for value, says := range values {
			form := url.Values{}
			for name, right := range good {
				form.Set(name, right)
			}
			form.Set(field, value)
			b.post("/signup", form).must(422, says)
		}
	}
	h.diner(0)
	form := url.Values{"email": {strings.ToUpper(h.diner(0).Email)}, "name": {"Kim"}, "phone": {"0101234567"},
		"password": {password}}
	b.post("/signup", form).must(200, "Look into your mail") // as for a new address
	if p := b.open("/"); len(p.links("/signin")) == 0 {
		t.Error("somebody is signed in")
	}
}

func TestRequests_ForeignAndMalformed(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	b := h.signedIn(5_000)
	form := url.Values{"amount": {"5000"}, views.FieldIdempotencyKey: {"k"}}
	b.post("/wallet/charges", form, "Sec-Fetch-Site", "cross-site").must(403)
	b.post("/wallet/charges", form, "Sec-Fetch-Site", "", "Origin", "https://evil.example").must(403)
	b.open("/wallet").must(200, "₩5,000")

	p := b.do(http.MethodPut, "/wallet", url.Values{}).must(405)
	if allow := p.header.Get("Allow"); !strings.Contains(allow, "GET") || strings.Contains(allow, "POST") {
		t.Errorf("Allow is %q", allow)
	}
	b.do(http.MethodDelete, "/wallet/charges", url.Values{}).must(405)
	b.get("/signout").must(405)
	head := b.do(http.MethodHead, "/wallet", nil)
	if head.must(200); head.body != "" {
		t.Error("HEAD has a body")
	}
	b.do(http.MethodHead, "/none", nil).must(404)

	for name, request := range map[string]struct {
		raw    string
		status string
	}{
		"a huge body":       {"POST /wallet/charges HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 70000\r\n\r\n", "413"},
		"huge headers":      {"GET / HTTP/1.1\r\nHost: x\r\nX-Long: " + strings.Repeat("a", 10_000) + "\r\n\r\n", "431"},
		"no HTTP":           {"hello\r\n\r\n", "400"},
		"two lengths":       {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", "400"},
		"an unknown method": {"BREW / HTTP/1.1\r\nHost: x\r\n\r\n", "405"},
	} {
		answer := h.raw(request.raw)
		if !strings.HasPrefix(answer, "HTTP/1.1 "+request.status) {
			t.Errorf("%s is answered %.60q, want %s", name, answer, request.status)
		}
		if strings.Contains(answer, "fasthttp") {
			t.Errorf("%s: the answer tells of the inside: %s", name, answer)
		}
	}
	b.post("/wallet/charges",
		url.Values{"amount": {strings.Repeat("1", 60_000)}, views.FieldIdempotencyKey: {"k"}}).must(422)
}

// raw sends bytes and returns the answer.
func (h *harness) raw(request string) string {
	h.t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(h.URL, "http://"))
	h.must(err)
	defer conn.Close()
	_, err = io.Copy(conn, strings.NewReader(request))
	h.must(err)
	h.must(conn.SetReadDeadline(time.Now().Add(10 * time.Second)))
	var answer bytes.Buffer
	buf := make([]byte, 64<<10)
	n, err := conn.Read(buf)
	if n == 0 {
		h.t.Fatalf("no answer to %.40q: %v", request, err)
	}
	answer.Write(buf[:n])
	return answer.String()
}

func TestHeaders_OfEveryAnswer(t *testing.T) {
	t.Parallel()
	h := newHarness(t, func(h *harness) { h.setup.Config.Web.Secure = true })
	b := h.browser()
	for _, path := range []string{"/", "/none", "/api/none", "/signin"} {
		p := b.get(path)
		for name, want := range map[string]string{
			"X-Content-Type-Options":    "nosniff",
			"Referrer-Policy":           "same-origin",
			"Strict-Transport-Security": "max-age=31536000",
			"Cache-Control":             "no-store",
		} {
			if got := p.header.Get(name); got != want {
				t.Errorf("%s: %s is %q, want %q", path, name, got, want)
			}
		}
		if got := p.header.Get("Content-Security-Policy"); !strings.Contains(got, "script-src 'self'") ||
			strings.Contains(got, "unsafe") {
			t.Errorf("%s: the policy is %q", path, got)
		}
		if p.header.Get("X-Request-Id") == "" || p.header.Get("Server") != "" {
			t.Errorf("%s: headers are %v", path, p.header)
		}
		if strings.Contains(p.body, " style=") || strings.Contains(p.body, "<style") ||
			strings.Contains(p.body, "<script>") {
			t.Errorf("%s holds a style or script of its own, which the policy forbids", path)
		}
	}
	cookie := b.post("/language", url.Values{"language": {"en"}}).header.Get("Set-Cookie")
	for _, want := range []string{"HttpOnly", "secure", "SameSite=Lax"} {
		if !strings.Contains(cookie, want) {
			t.Errorf("the cookie %q is not %s", cookie, want)
		}
	}
}

func TestFiles_AreCachedForEver(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	b := h.browser()
	home := b.open("/")
	at := strings.Index(home.body, `href="/static/`)
	path := home.body[at+len(`href="`):]
	path = path[:strings.IndexByte(path, '"')]
	p := b.get(path).must(200)
	if got := p.header.Get("Cache-Control"); got != "public, max-age=31536000, immutable" {
		t.Errorf("%s: Cache-Control is %q", path, got)
	}
	b.get("/favicon.ico").must(302)
	b.get("/robots.txt").must(200, "Disallow: /wallet", "Disallow: /with/", "Disallow: /favourites")
	b.get("/healthz").must(200)
	b.get("/readyz").must(200)
	if got := b.get("/", "Accept-Encoding", "gzip").header; got.Get("Content-Encoding") != "gzip" ||
		!strings.Contains(got.Get("Vary"), "Accept-Encoding") {
		t.Errorf("a page is not compressed: %v", got)
	}
}

func TestFragments_AreServedAlone(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	b := h.browser()
	for path, id := range map[string]string{"/": "results", "/restaurants/haru": "month"} {
		part := b.get(path, "HX-Request", "true", "HX-Target", id).must(200)
		if strings.Contains(part.body, "<html") || !strings.Contains(part.body, fmt.Sprintf(`id="%s"`, id)) {
			t.Errorf("%s for %s is answered with more or less than that part", path, id)
		}
		if whole := b.get(path, "HX-Request", "true", "HX-Target", id, "HX-History-Restore-Request",
			"true"); !strings.Contains(whole.body, "<html") {
			t.Errorf("%s: going back shows a part of the page", path)
		}
	}
	if part := b.get("/restaurants/haru/slots").must(200); strings.Contains(part.body, "<html") {
		t.Error("the slots are answered with a whole page")
	}
}
