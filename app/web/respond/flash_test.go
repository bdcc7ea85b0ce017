package respond_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

// carry sets a message with one request and takes it with the next; cookie, if given, replaces what was set.
func carry(t *testing.T, set fiber.Handler, cookie string) (taken views.Flash, after string) {
	t.Helper()
	app := fiber.New()
	app.Post("/", set)
	app.Get("/", func(c *fiber.Ctx) error {
		taken = respond.TakeFlash(c, i18n.English)
		return nil
	})
	response, err := app.Test(httptest.NewRequest(http.MethodPost, "/", nil))
	if err != nil {
		t.Fatal(err)
	}
	next := httptest.NewRequest(http.MethodGet, "/", nil)
	for _, c := range response.Cookies() {
		if !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.MaxAge <= 0 {
			t.Errorf("the cookie is %+v", c)
		}
		next.AddCookie(c)
	}
	if cookie != "" {
		next.Header.Set("Cookie", "flash="+cookie)
	}
	response, err = app.Test(next)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range response.Cookies() {
		after = c.Value
		if c.MaxAge >= 0 {
			t.Errorf("it is not forgotten: %+v", c)
		}
	}
	return taken, after
}

func TestAMessageIsCarriedOnce(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		set  fiber.Handler
		want views.Flash
	}{
		{func(c *fiber.Ctx) error { respond.SetFlash(c, views.FlashSuccess, "flash.signed_out"); return nil },
			views.Flash{Kind: views.FlashSuccess, Message: i18n.T(i18n.English, "flash.signed_out")}},
		{func(c *fiber.Ctx) error { respond.SetFlash(c, views.FlashInfo, "flash.charged", 12_000); return nil },
			views.Flash{Kind: views.FlashInfo, Message: i18n.T(i18n.English, "flash.charged", "Amount", "₩12,000")}},
		{func(c *fiber.Ctx) error { respond.SetFlash(c, views.FlashError, "error.too_early"); return nil },
			views.Flash{Kind: views.FlashError, Message: i18n.T(i18n.English, "error.too_early")}},
		{func(*fiber.Ctx) error { return nil }, views.Flash{}},
	} {
		if got, after := carry(t, c.set, ""); got != c.want || after != "" {
			t.Errorf("%+v, want %+v; after: %q", got, c.want, after)
		}
	}
}

// What the service worker fetches for later takes no message from the page that its reader opens.
func TestTakeFlash_LeavesItWhereACopyIsMade(t *testing.T) {
	t.Parallel()
	app := fiber.New()
	app.Get("/", func(c *fiber.Ctx) error {
		return c.SendString(respond.TakeFlash(c, i18n.English).Message)
	})
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.Header.Set("Cookie", "flash=info:flash.signed_out")
	r.Header.Set("Purpose", "keep")
	response, err := app.Test(r)
	if err != nil || response.ContentLength != 0 || len(response.Cookies()) != 0 {
		t.Errorf("%+v, %v", response, err)
	}
}

func TestNobodyCanMakeAPageSayWhatTheyPlease(t *testing.T) {
	t.Parallel()
	nothing := func(*fiber.Ctx) error { return nil }
	for _, cookie := range []string{"x", "success", "success:", "success:Call+me", "success:flash.unknown",
		"success:site.name", "loud:flash.signed_out", "success:flash.charged:all+of+it", "success:flash.charged:1:2",
		"::::", "%00"} {
		if got, _ := carry(t, nothing, cookie); got != (views.Flash{}) {
			t.Errorf("%q: %+v", cookie, got)
		}
	}
}
