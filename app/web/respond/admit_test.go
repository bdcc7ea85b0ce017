package respond_test

import (
	"net/http/httptest"
	"testing"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/web/respond"
)

// Only the hosts are admitted, and only where their script needs them.
func TestAdmit_NamesTheHosts(t *testing.T) {
	t.Parallel()
	app := fiber.New()
	app.Get("/", func(c *fiber.Ctx) error {
		c.Set(fiber.HeaderContentSecurityPolicy, "default-src 'none'; script-src 'self'; style-src 'self'; frame-ancestors 'none'")
		respond.Admit(c, []string{"https://a.example", "https://*.b.example"})
		return nil
	})
	answer, err := app.Test(httptest.NewRequest("GET", "/", nil))
	if err != nil {
		t.Fatal(err)
	}
	const want = "default-src 'none'; script-src 'self' https://a.example https://*.b.example; " +
		"style-src 'self' 'unsafe-inline'; frame-ancestors 'none'; frame-src https://a.example https://*.b.example"
	if got := answer.Header.Get(fiber.HeaderContentSecurityPolicy); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
