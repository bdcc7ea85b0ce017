package web

import (
	"github.com/gofiber/fiber/v2"

	"lunchgo/app/web/respond"
)

// policy lets a page load nothing but this site's own files, run no inline script or style, and be shown in no frame.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// harden sets the headers that keep browsers from doing more with an answer than it is meant for. Answers are kept out
// of caches unless a handler says otherwise: most show somebody's own, and the others change by the second.
func harden(secure bool) fiber.Handler {
	return func(c *fiber.Ctx) error {
		setSafety(c)
		if secure {
			respond.MarkSecure(c)
			c.Set(fiber.HeaderStrictTransportSecurity, "max-age=31536000")
		}
		return c.Next()
	}
}

// setSafety is for the answers to what is not even a request, too: those go through no middleware.
func setSafety(c *fiber.Ctx) {
	c.Set(fiber.HeaderContentSecurityPolicy, policy)
	c.Set(fiber.HeaderXContentTypeOptions, "nosniff")
	c.Set(fiber.HeaderXFrameOptions, "DENY")
	c.Set(fiber.HeaderReferrerPolicy, "same-origin")
	c.Set("Cross-Origin-Opener-Policy", "same-origin")
	c.Set("Cross-Origin-Resource-Policy", "same-origin")
	c.Set(fiber.HeaderPermissionsPolicy, "camera=(), geolocation=(), microphone=()")
	c.Set(fiber.HeaderCacheControl, "no-store")
}
