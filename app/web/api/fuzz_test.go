package api

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"lunchgo/app/reserve"
	"lunchgo/app/web/respond"
)

// bodies are all that programs send.
func bodies() []any {
	return []any{&reserveRequest{}, &changeRequest{}, &paymentRequest{}, &signUp{}, &signIn{},
		&reserve.WaitDraft{}, &amountRequest{}}
}

// A body is a problem of the client's, or what it says: written again it is read as the same.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"restaurantId":1,"date":"2026-11-21","time":"19:00","partySize":2,"items":[{"menuItemId":1,"quantity":2}],"seatIds":[1,2],"couponId":null,"note":"x"}`,
		`{"kind":"deposit","quotedAmount":20000}`, `{"email":"a@b.c","password":"x","name":"Kim","phone":"1"}`,
		`{"amount":1e9}`,
		`{}`, `{`, `[]`, `null`, `{"amount":"1"}`, `{"items":{}}`, `{"a":1}{"b":2}`, "\xff", strings.Repeat(`{"a":`,
			5_000), ` {"note":"\ud800"}`,
	} {
		f.Add([]byte(seed), "application/json")
	}
	f.Add([]byte(`{}`), "application/json; charset=utf-8; charset=latin1")
	app := fiber.New()
	f.Fuzz(func(t *testing.T, body []byte, media string) {
		c := app.AcquireCtx(&fasthttp.RequestCtx{})
		defer app.ReleaseCtx(c)
		c.Request().Header.Set(fiber.HeaderContentType, media)
		for _, in := range bodies() {
			c.Request().SetBody(body)
			if err := decode(c, in, maxBody); err != nil {
				if problem := respond.ProblemOf(err); problem.Status < 400 || problem.Status > 499 {
					t.Errorf("%q is answered %v", body, err)
				}
				continue
			}
			written, err := json.Marshal(in)
			if err != nil {
				t.Fatal(err)
			}
			again := reflect.New(reflect.TypeOf(in).Elem()).Interface()
			if err := json.Unmarshal(written, again); err != nil {
				t.Errorf("%q is read as %s, which is not read: %v", body, written, err)
			}
			if rewritten, _ := json.Marshal(again); string(rewritten) != string(written) {
				t.Errorf("%q is read as %s, then as %s", body, written, rewritten)
			}
		}
	})
}

// Preferences are within their bounds whatever the header says.
func FuzzPreferences(f *testing.F) {
	for _, seed := range []string{"wait=5", "respond-async, wait=10", "wait=99999999999", "WAIT = \"3\"; foo",
		"wait=-1", ",,;=", ""} {
		f.Add(seed, seed)
	}
	app := fiber.New()
	f.Fuzz(func(t *testing.T, first, second string) {
		c := app.AcquireCtx(&fasthttp.RequestCtx{})
		defer app.ReleaseCtx(c)
		c.Request().Header.Add("Prefer", first)
		c.Request().Header.Add("Prefer", second)
		p := readPreferences(c)
		if p.Wait < 0 || p.Wait > maxWait {
			t.Errorf("%q, %q: wait %s", first, second, p.Wait)
		}
		p.apply(c)
		if answered := string(c.Response().Header.Peek("Preference-Applied")); len(answered) > 100 {
			t.Errorf("%q, %q are answered %q", first, second, answered)
		}
	})
}

// A query is a problem of the client's, or within its bounds.
func FuzzQuery(f *testing.F) {
	for _, seed := range []string{"q=%EA%B9%80&date=2026-11-21&partySize=2", "partySize=0", "partySize=1001", "date=x",
		"%zz=&&==", "partySize=%00"} {
		f.Add(seed)
	}
	app := fiber.New()
	f.Fuzz(func(t *testing.T, text string) {
		c := app.AcquireCtx(&fasthttp.RequestCtx{})
		defer app.ReleaseCtx(c)
		c.Request().URI().SetQueryString(text)
		query, err := readQuery(c)
		if err != nil {
			if problem := respond.ProblemOf(err); problem.Status < 400 || problem.Status > 499 {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		if query.PartySize < 0 || query.PartySize > maxParty {
			t.Errorf("%q: %+v", text, query)
		}
	})
}
