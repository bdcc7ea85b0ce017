package web

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/web/respond"
)

// Whatever is asked, a handler sees only text that can be stored.
func FuzzRefuseInvalidText(f *testing.F) {
	for _, seed := range [][3]string{{"/x", "a=%00", "b=%ff"}, {"/%00", "", ""}, {"/x%ed%a0%80", "%00=1", "b"},
		{"/api/x", "a=1", "{\"a\": \"\\ud800\"}"}, {"/x", "a=%E3%81%82", "b=%E3%81%82"}} {
		f.Add(seed[0], seed[1], seed[2], "key", false)
		f.Add(seed[0], seed[1], seed[2], "\xff", true)
	}
	var reached *fiber.Ctx
	app := fiber.New(fiber.Config{Immutable: true, ErrorHandler: func(c *fiber.Ctx, err error) error {
		return c.SendStatus(respond.ProblemOf(err).Status)
	}})
	app.Use(refuseInvalidText, func(c *fiber.Ctx) error {
		reached = c
		return c.SendString(strings.Join(readAll(c), "\x01"))
	})
	f.Fuzz(func(t *testing.T, path, query, body, key string, isJSON bool) {
		request := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
		request.URL.Opaque = "/" + strings.TrimLeft(strings.Map(printable, path), "/")
		request.URL.RawQuery = strings.Map(printable, query)
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		if isJSON {
			request.Header.Set("Content-Type", "application/json")
		}
		request.Header.Set("Idempotency-Key", strings.Map(printable, key))
		reached = nil
		response, err := app.Test(request)
		if err != nil {
			return // no request
		}
		defer response.Body.Close()
		if reached != nil && response.StatusCode != http.StatusOK || reached == nil && response.StatusCode < 400 {
			t.Errorf("%q ? %q: %d, reached: %t", path, query, response.StatusCode, reached != nil)
		}
		if seen := response.Header.Get("Saw-Invalid"); seen != "" {
			t.Errorf("%q ? %q, %q: a handler saw %q", path, query, body, seen)
		}
	})
}

// printable keeps a request one line.
func printable(r rune) rune {
	if r <= ' ' {
		return '_'
	}
	return r
}

// readAll is what handlers can read of a request; the header Saw-Invalid names what cannot be stored.
func readAll(c *fiber.Ctx) []string {
	all := []string{string(c.Context().URI().Path()), c.Get("Idempotency-Key")}
	for name, value := range c.Context().QueryArgs().All() {
		all = append(all, string(name), string(value))
	}
	for name, value := range c.Context().PostArgs().All() {
		all = append(all, string(name), string(value))
	}
	for _, text := range all {
		if !respond.IsText(text) {
			c.Set("Saw-Invalid", "some")
		}
	}
	return all
}
