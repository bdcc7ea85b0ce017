package respond

import (
	"strings"

	"github.com/gofiber/fiber/v2"
)

// MayBeFramed lets other sites show an answer in a frame. It is for pages on which no press changes anything.
func MayBeFramed(c *fiber.Ctx) error {
	policy := c.GetRespHeader(fiber.HeaderContentSecurityPolicy)
	c.Set(fiber.HeaderContentSecurityPolicy, strings.Replace(policy, "frame-ancestors 'none'", "frame-ancestors *", 1))
	c.Response().Header.Del(fiber.HeaderXFrameOptions)
	c.Set("Cross-Origin-Resource-Policy", "cross-origin")
	return c.Next()
}
