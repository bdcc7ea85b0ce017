package diner

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/identity"
	"lunchgo/app/web/respond"
)

// A booking form that only looks up another date passes the load shedder, and so does one of somebody without an
// account; one by which a diner who is signed in asks for a table does not.
func TestIfAsking_ShedsWhatAsksTheDatabase(t *testing.T) {
	t.Parallel()
	app := fiber.New()
	app.Post("/signed-in", func(c *fiber.Ctx) error {
		respond.Authenticator{}.SetCookie(c, "token", identity.Session{UserID: "ann"})
		return c.Next()
	})
	app.Post("/+", ifAsking(func(c *fiber.Ctx) error { return c.SendStatus(fiber.StatusServiceUnavailable) }),
		func(c *fiber.Ctx) error { return c.SendStatus(fiber.StatusOK) })
	for _, c := range []struct {
		path, form string
		want       int
	}{
		{"/signed-in", "action=refresh", 503}, {"/signed-in", "action=", 200}, {"/signed-in", "", 200},
		{"/unknown", "action=refresh", 503}, {"/unknown", "action=", 503}, {"/unknown", "", 503},
	} {
		r := httptest.NewRequest(http.MethodPost, c.path, strings.NewReader(c.form))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		answer, err := app.Test(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != c.want {
			t.Fatalf("%s %q: %d, want %d", c.path, c.form, answer.StatusCode, c.want)
		}
	}
}
