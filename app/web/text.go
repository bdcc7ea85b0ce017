package web

import (
	"bytes"
	"mime"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"lunchgo/app/web/respond"
)

// storedHeaders are the headers whose values end up in the database.
var storedHeaders = []string{"Idempotency-Key", fiber.HeaderIfMatch}

// What a body may hold, since reading a field or a value takes up to a hundred times the bytes that it is sent in.
const (
	mostFields = 5_000  // of a form; that of 200 tables and 50 fixtures has half as many
	mostValues = 50_000 // of a JSON document; a menu of 1,000 dishes has some 15,000
)

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
	request := c.Request()
	if isForm := bytes.HasPrefix(request.Header.ContentType(), []byte(fiber.MIMEApplicationForm)); isForm {
		if bytes.Count(request.Body(), []byte("&")) >= mostFields {
			return respond.TooLarge
		}
		return checkArgs(c.Context().PostArgs(), "form")
	}
	media, _, err := mime.ParseMediaType(c.Get(fiber.HeaderContentType))
	switch {
	case err != nil || request.IsBodyStream():
		return nil
	case media == fiber.MIMEApplicationJSON:
		return checkJSON(request.Body())
	case media == fiber.MIMEMultipartForm && request.Header.ContentLength() <= maxBody:
		_, err := respond.MultipartForm(c)
		return err
	}
	return nil
}

func checkJSON(document []byte) error {
	switch {
	case len(document) > maxBody && respond.JSONValues(document) > mostValues: // no less holds so many
		return respond.TooLarge
	case !respond.IsJSONText(document):
		return respond.InvalidText(respond.InvalidMember(document))
	}
	return nil
}
