package diner

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gofiber/fiber/v2"
)

// A booking form that only looks up another date passes the load shedder; one that asks for a table does not.
func TestForRefresh_ShedsTheRefreshOnly(t *testing.T) {
	t.Parallel()
	app := fiber.New()
	app.Post("/", forRefresh(func(c *fiber.Ctx) error { return c.SendStatus(fiber.StatusServiceUnavailable) }),
		func(c *fiber.Ctx) error { return c.SendStatus(fiber.StatusOK) })
	for form, want := range map[string]int{"action=refresh": 503, "action=": 200, "": 200} {
		r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(form))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		answer, err := app.Test(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != want {
			t.Fatalf("%q: %d, want %d", form, answer.StatusCode, want)
		}
	}
}
