package respond

import (
	"bytes"

	"github.com/a-h/templ"
	"github.com/gofiber/fiber/v2"
)

// Render answers with a page or a part of one.
func Render(c *fiber.Ctx, status int, component templ.Component) error {
	var page bytes.Buffer
	if err := component.Render(c.UserContext(), &page); err != nil {
		return err
	}
	c.Set(fiber.HeaderContentType, fiber.MIMETextHTMLCharsetUTF8)
	return c.Status(status).Send(page.Bytes())
}

// RenderFound answers with a page of what was found, unless finding it failed; then it returns the error.
func RenderFound[P any](c *fiber.Ctx, found P, err error, page func(P) templ.Component) error {
	if err != nil {
		return err
	}
	return Render(c, fiber.StatusOK, page(found))
}

// Redirect sends the browser to another page of this site. htmx would follow a redirect within its request and
// swap what it finds there into the page; its own header makes it go there.
func Redirect(c *fiber.Ctx, url string) error {
	if isHTMX(c) {
		c.Set("HX-Redirect", url)
		return c.SendStatus(fiber.StatusOK)
	}
	return c.Redirect(url, fiber.StatusSeeOther)
}

// SeeOther leads to another page of this site. A script that shows a part of that page follows within its request, as
// the browser does; one that shows all of it goes there.
func SeeOther(c *fiber.Ctx, url string) error {
	if WantsPart(c, "main") {
		return Redirect(c, url)
	}
	return c.Redirect(url, fiber.StatusSeeOther)
}

// isHTMX tells whether a script asks for a part of a page, and not the browser for a whole one.
func isHTMX(c *fiber.Ctx) bool {
	return c.Get("HX-Request") == "true" && c.Get("HX-History-Restore-Request") != "true"
}

// WantsPart tells whether the part of the page with this id is what is asked for. The answer depends on it, so it
// varies by those headers.
func WantsPart(c *fiber.Ctx, id string) bool {
	c.Vary("HX-Request", "HX-Target")
	return isHTMX(c) && c.Get("HX-Target") == id
}
