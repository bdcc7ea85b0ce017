package web

import (
	"strings"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/web/respond"
	"lunchgo/static"
)

// file answers GET /static/…: an address names one content for ever, so browsers never have to ask again.
func file(c *fiber.Ctx) error {
	name := strings.TrimPrefix(c.Path(), static.Prefix)
	content, contentType, ok := static.Open(name)
	if !ok {
		return respond.NotFound
	}
	c.Vary(fiber.HeaderAcceptEncoding)
	if c.Request().Header.HasAcceptEncoding("gzip") {
		if zipped, _, ok := static.OpenGzip(name); ok {
			content = zipped
			c.Set(fiber.HeaderContentEncoding, "gzip")
		}
	}
	c.Set(fiber.HeaderCacheControl, "public, max-age=31536000, immutable")
	c.Set(fiber.HeaderContentType, contentType)
	return c.Send(content)
}

// worker answers GET /sw.js. A service worker has one address for ever, at the root of what it works for.
func worker(c *fiber.Ctx) error {
	content, err := static.FS.ReadFile("js/sw.js")
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderCacheControl, "no-cache")
	c.Set(fiber.HeaderContentType, "text/javascript; charset=utf-8")
	return c.Send(content)
}

// favicon answers those who look for it where it has always been.
func favicon(c *fiber.Ctx) error {
	return c.Redirect(static.URL("pictures/favicon.svg"), fiber.StatusFound)
}
