package respond

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"lunchgo/app/booking"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

// Keys are refused, or printable and short.
func FuzzHeaderKey(f *testing.F) {
	for _, seed := range []string{"", "key-1", strings.Repeat("k", 201), "a b", "a\x00b", "열쇠", "~!"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, typed string) {
		key, err := checkKey(typed)
		switch {
		case err != nil && key != "":
			t.Errorf("%q is refused and read as %q", typed, key)
		case err == nil && (key != typed || key == "" || len(key) > maxKey || strings.ContainsFunc(key,
			func(r rune) bool { return r < '!' || r > '~' })):
			t.Errorf("%q is read as %q", typed, key)
		}
	})
}

// The number of people and the date of a form are refused, or what was typed.
func FuzzForm(f *testing.F) {
	f.Add("2", "2026-11-21")
	f.Add("", "")
	f.Add("99999999999999999999", "2026-02-30")
	f.Add(" +2 ", "9999-12-31")
	zone, err := time.LoadLocation("Asia/Seoul")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, party, day string) {
		if n, ok := ReadPartySize(party, 2); ok && party == "" && n != 2 {
			t.Errorf("an empty number is %d", n)
		}
		date, at, err := ReadDate(day, booking.Date("2026-11-21"), zone)
		if err == nil && (booking.DateOf(at, zone) != date || day != "" && string(date) != day) {
			t.Errorf("%q is %q, %s", day, date, at)
		}
	})
}

// Where a form says to go next stays on this site, however a browser reads it.
func FuzzNextPath(f *testing.F) {
	for _, seed := range []string{"/", "/wallet?x=1", "//evil.example", "/\\evil.example", "/\t/evil.example",
		"https://evil.example", "/..//evil.example", "", "/%2f/evil.example"} {
		f.Add(seed)
	}
	base, err := url.Parse("https://lunch.example/signin")
	if err != nil {
		f.Fatal(err)
	}
	dropped := strings.NewReplacer("\t", "", "\n", "", "\r", "", "\\", "/")
	f.Fuzz(func(t *testing.T, path string) {
		next := NextPath(path)
		if next == "" {
			return
		}
		if to, err := base.Parse(dropped.Replace(strings.TrimSpace(next))); err == nil && to.Host != base.Host {
			t.Errorf("%q leads to %s", path, to)
		}
		if strings.HasPrefix(dropped.Replace(strings.TrimSpace(next)), "//") || next[0] != '/' || next != path {
			t.Errorf("%q leads to %q", path, next)
		}
	})
}

// A flash cookie says a text of the catalogue or nothing; a language is one that there is.
func FuzzCookies(f *testing.F) {
	f.Add("success:flash.charged:12000", "en", "ko;q=0.1, en")
	f.Add("error:error.too_early", "", "*")
	f.Add("success:flash.charged:99999999999999999999", "xx", "en-US,en;q=0.9,ko;q=NaN")
	f.Add("info:site.name", "\x00", strings.Repeat("a,", 4_000))
	app := fiber.New()
	f.Fuzz(func(t *testing.T, flash, cookie, accept string) {
		c := app.AcquireCtx(&fasthttp.RequestCtx{})
		defer app.ReleaseCtx(c)
		c.Request().Header.SetCookie(flashCookie, flash)
		c.Request().Header.SetCookie(LanguageCookie, cookie)
		c.Request().Header.Set(fiber.HeaderAcceptLanguage, accept)
		lang := Lang(c)
		if lang != i18n.Korean && lang != i18n.English {
			t.Errorf("%q, %q: the language is %q", cookie, accept, lang)
		}
		shown := TakeFlash(c, lang)
		if _, key, _ := strings.Cut(flash, ":"); shown.Message != "" &&
			!i18n.Has(lang, strings.SplitN(key, ":", 2)[0]) {
			t.Errorf("%q shows %q", flash, shown.Message)
		}
		if len(shown.Message) > 500 || shown == (views.Flash{}) != (shown.Message == "") {
			t.Errorf("%q shows %+v", flash, shown)
		}
	})
}
