package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"strings"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/web/respond"
)

// maxBody is how much of a request is read, in bytes.
const maxBody = 64 << 10

// decode reads the body, one JSON object of at most so many bytes, into dest. Members that dest does not have are
// ignored, so that programs may be newer than the server. Returns respond.MediaType, respond.TooLarge, or
// respond.BadRequest, with the field where one has the wrong type, and what checkRequired says.
func decode(c *fiber.Ctx, dest any, most int) error {
	media, _, err := mime.ParseMediaType(c.Get(fiber.HeaderContentType))
	if err != nil || media != fiber.MIMEApplicationJSON {
		return respond.MediaType
	}
	body := c.Request().Body() // c.Body would unpack a compressed one, whatever its size
	if len(body) > most {
		return respond.TooLarge
	}
	if !utf8.Valid(body) || !bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte("{")) {
		return respond.BadRequest
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	if err := decoder.Decode(dest); err != nil {
		return badJSON(err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return respond.BadRequest // something follows the object
	}
	return checkRequired(c, body)
}

func badJSON(err error) error {
	f := respond.NewProblem(respond.BadRequest)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && wrong.Field != "" {
		f.Fields = []respond.Field{{Name: wrong.Field, Reason: "wrong_type"}}
	}
	return f
}

// param reads an id of the path that is text.
func param(c *fiber.Ctx, name string) string { return strings.Clone(c.Params(name)) }

// invalid is the problem of one field.
func invalid(name, reason string) respond.Problem {
	return respond.Invalid(respond.Field{Name: name, Reason: reason})
}
