package respond_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/web/respond"
)

// A browser follows, and so does a script that shows a part of the page; one that shows all of it goes there.
func TestSeeOther_LeadsTheWholePageOn(t *testing.T) {
	t.Parallel()
	app := fiber.New()
	app.Post("/", func(c *fiber.Ctx) error { return respond.SeeOther(c, "/next") })
	for target, want := range map[string]struct {
		status      int
		to, replace string
	}{"": {303, "/next", ""}, "live-part": {303, "/next", ""}, "main": {200, "", "/next"}} {
		request := httptest.NewRequest(http.MethodPost, "/", nil)
		if target != "" {
			request.Header.Set("HX-Request", "true")
			request.Header.Set("HX-Target", target)
		}
		answer, err := app.Test(request)
		if err != nil || answer.StatusCode != want.status || answer.Header.Get("Location") != want.to ||
			answer.Header.Get("HX-Redirect") != want.replace {
			t.Errorf("%q: %+v, %v", target, answer, err)
		}
	}
}
