package web

import (
	"mime"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"lunchgo/app/web/respond"
)

// storedHeaders are the headers whose values end up in the database.
var storedHeaders = []string{"Idempotency-Key", fiber.HeaderIfMatch}

// refuseInvalidText is middleware, the only gate for text from outside: what holds a NUL, half a surrogate pair or what
// is no UTF-8, in its path, query, form, JSON or a header that is stored, reaches no handler. PostgreSQL would refuse
// it.
func refuseInvalidText(c *fiber.Ctx) error {
	uri := c.Context().URI()
	if !respond.IsText(string(uri.Path())) || !respond.IsText(string(uri.PathOriginal())) {
		return respond.InvalidText("path")
	}
	if err := checkArgs(c.Context().QueryArgs(), "query"); err != nil {
		return err
	}
	for _, name := range storedHeaders {
		if !respond.IsText(c.Get(name)) {
			return respond.InvalidText(name)
		}
	}
	if err := checkBody(c); err != nil {
		return err
	}
	return c.Next()
}

// checkArgs looks through the names and values of a query or a form.
func checkArgs(args *fasthttp.Args, otherwise string) error {
	for name, value := range args.All() {
		if !respond.IsText(string(name)) {
			return respond.InvalidText(otherwise)
		}
		if !respond.IsText(string(value)) {
			return respond.InvalidText(string(name))
		}
	}
	return nil
}

// checkBody looks through a form or JSON. A large form with files is looked through by respond.MultipartForm, after the
// handler has asked for the sender's rights.
func checkBody(c *fiber.Ctx) error {
	if err := checkArgs(c.Context().PostArgs(), "form"); err != nil {
		return err
	}
	request := c.Request()
	media, _, err := mime.ParseMediaType(c.Get(fiber.HeaderContentType))
	if err != nil || request.IsBodyStream() {
		return nil
	}
	switch {
	case media == fiber.MIMEApplicationJSON && !respond.IsJSONText(request.Body()):
		return respond.InvalidText(respond.InvalidMember(request.Body()))
	case media == fiber.MIMEMultipartForm && len(request.Body()) <= maxBody:
		_, err := respond.MultipartForm(c)
		return err
	}
	return nil
}
