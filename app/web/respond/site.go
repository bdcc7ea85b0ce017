package respond

import "github.com/gofiber/fiber/v2"

// Site is what the addresses of this site begin with: as configured, or else where the request was received. A header
// of the request does not count: anybody can send one.
func Site(c *fiber.Ctx, configured string) string {
	if configured != "" {
		return configured
	}
	return "http://" + c.Context().LocalAddr().String()
}
