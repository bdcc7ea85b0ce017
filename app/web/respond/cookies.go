package respond

import (
	"time"

	"github.com/gofiber/fiber/v2"
)

type secureKey struct{}

// MarkSecure notes that browsers reach the site over TLS: the cookies of the answer are for TLS only.
func MarkSecure(c *fiber.Ctx) { c.Locals(secureKey{}, true) }

// SetCookie sets a cookie for all of the site. Every cookie but that of ReaderZone is made here: no script reads it, no
// other site's form sends it along, and no connection without TLS carries it where the site has TLS. One without a life
// is forgotten at once.
func SetCookie(c *fiber.Ctx, name, value string, life time.Duration) {
	secure, _ := c.Locals(secureKey{}).(bool)
	maxAge := int(life.Seconds())
	if maxAge <= 0 {
		value, maxAge = "", -1
	}
	c.Cookie(&fiber.Cookie{Name: name, Value: value, Path: "/", MaxAge: maxAge,
		HTTPOnly: true, Secure: secure, SameSite: fiber.CookieSameSiteLaxMode})
}

// ForgetCookie has the browser forget a cookie.
func ForgetCookie(c *fiber.Ctx, name string) { SetCookie(c, name, "", 0) }
