package respond

import (
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/views"
)

// maxKey is the longest idempotency key, in bytes; ours have 26.
const maxKey = 200

// FormValue is a field of the form that was sent. Fiber's FormValue would take it from the address too.
func FormValue(c *fiber.Ctx, name string) string {
	return string(c.Request().PostArgs().Peek(name))
}

// FormValues are the values of a form's field that may have several.
func FormValues(c *fiber.Ctx, name string) []string {
	var values []string
	for _, value := range c.Request().PostArgs().PeekMulti(name) {
		values = append(values, string(value))
	}
	return values
}

// TagForm reads the tags of a guest as they were typed, of fields whose names have a prefix.
func TagForm(c *fiber.Ctx, prefix string) views.TagForm {
	return views.TagForm{Kinds: FormValues(c, prefix+views.FieldKind), Own: FormValue(c, prefix+views.FieldTags)}
}

// FormKey is the form's idempotency key. Returns MissingKey or InvalidKey if it is not one of our forms.
func FormKey(c *fiber.Ctx) (string, error) { return checkKey(FormValue(c, views.FieldIdempotencyKey)) }

// HeaderKey is the idempotency key of a program's request. Returns MissingKey or InvalidKey.
func HeaderKey(c *fiber.Ctx) (string, error) {
	return checkKey(strings.Clone(c.Get("Idempotency-Key")))
}

// checkKey accepts printable ASCII.
func checkKey(key string) (string, error) {
	switch {
	case key == "":
		return "", MissingKey
	case len(key) > maxKey || strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }):
		return "", InvalidKey
	}
	return key, nil
}

// NextPath is where a form or an address says to go afterwards, if that is a page of this site.
func NextPath(path string) string {
	if !IsLocalPath(path) {
		return ""
	}
	return path
}

// ReadPartySize reads a number of people; typed is empty for the otherwise one.
func ReadPartySize(typed string, otherwise int) (int, bool) {
	if typed == "" {
		return otherwise, true
	}
	n, err := strconv.Atoi(strings.TrimSpace(typed))
	return n, err == nil
}

// ReadDate reads a date; typed is empty for the otherwise one. It is the date's midnight in loc.
func ReadDate(typed string, otherwise booking.Date, loc *time.Location) (booking.Date, time.Time, error) {
	if typed == "" {
		typed = string(otherwise)
	}
	date, err := booking.ParseDate(typed)
	if err != nil {
		return "", time.Time{}, err
	}
	return date, Midnight(date, loc), nil
}

// Midnight is a date as views take it.
func Midnight(date booking.Date, loc *time.Location) time.Time {
	t, err := time.ParseInLocation(time.DateOnly, string(date), loc)
	if err != nil {
		return time.Time{}
	}
	return t
}

// NumberParam reads an id of the path. What is no number, or none that fits, names nothing that exists. Returns
// NotFound.
func NumberParam(c *fiber.Ctx, name string) (int64, error) {
	id, err := strconv.ParseInt(c.Params(name), 10, 64)
	if err != nil {
		return 0, NotFound
	}
	return id, nil
}
