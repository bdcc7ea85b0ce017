package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/identity"
	"lunchgo/app/web/respond"
)

// Limits of what a request may say.
const (
	maxBody           = 64 << 10 // bytes
	maxIdempotencyKey = 200
)

var (
	errTooLarge   = respond.Problem{Status: fiber.StatusRequestEntityTooLarge, Code: "too_large"}
	errInvalidKey = respond.Problem{Status: fiber.StatusBadRequest, Code: "idempotency_key_invalid"}
)

// decode reads the body, one JSON object, into dest. Members that dest does not have are ignored, so that programs may be
// newer than the server. Returns fault.MediaType, fault.BadRequest, with the field where one has the wrong type, or the
// fault of a body that is too large.
func decode(c *fiber.Ctx, dest any) error {
	media, _, err := mime.ParseMediaType(c.Get(fiber.HeaderContentType))
	if err != nil || media != fiber.MIMEApplicationJSON || c.Get(fiber.HeaderContentEncoding) != "" {
		return respond.MediaType
	}
	body := c.Request().Body() // c.Body would unpack a compressed one, whatever its size
	if len(body) > maxBody {
		return errTooLarge
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
	return nil
}

func badJSON(err error) error {
	f := respond.BadRequest
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) && wrong.Field != "" {
		f.Fields = []respond.Field{{Name: wrong.Field, Reason: "wrong_type"}}
	}
	return f
}

// sessionAndKey says for whom a request is, and under which key.
func sessionAndKey(c *fiber.Ctx) (identity.Session, string, error) {
	s, err := respond.Session(c)
	if err != nil {
		return identity.Session{}, "", err
	}
	key, err := idempotencyKey(c)
	return s, key, err
}

// idempotencyKey is the key that makes a repeated request the same request. Returns fault.MissingKey, or a fault for one
// that is longer than 200 characters or holds others than printable ASCII.
func idempotencyKey(c *fiber.Ctx) (string, error) {
	key := c.Get("Idempotency-Key")
	switch {
	case key == "":
		return "", respond.MissingKey
	case len(key) > maxIdempotencyKey || strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }):
		return "", errInvalidKey
	}
	return strings.Clone(key), nil
}

// numberParam reads an id of the path. What is no number, or none that fits, names nothing that exists.
func numberParam(c *fiber.Ctx, name string) (int64, error) {
	id, err := strconv.ParseInt(c.Params(name), 10, 64)
	if err != nil {
		return 0, respond.NotFound
	}
	return id, nil
}

// param reads an id of the path that is text.
func param(c *fiber.Ctx, name string) string { return strings.Clone(c.Params(name)) }

// invalid is a fault of one field.
func invalid(name, reason string) respond.Problem {
	return respond.Problem{Status: fiber.StatusUnprocessableEntity, Code: "invalid",
		Fields: []respond.Field{{Name: name, Reason: reason}}}
}
