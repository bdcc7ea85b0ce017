package web

import (
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/web/fault"
	"lunchgo/app/web/frame"
	"lunchgo/views"
)

// maxKey is the longest idempotency key, in bytes; ours have 26.
const maxKey = 200

// posted is a field of the form that was sent. Fiber's FormValue would take it from the address too.
func posted(c *fiber.Ctx, name string) string {
	return string(c.Request().PostArgs().Peek(name))
}

// postedAll are the values of a form's field that may have several.
func postedAll(c *fiber.Ctx, name string) []string {
	var values []string
	for _, value := range c.Request().PostArgs().PeekMulti(name) {
		values = append(values, string(value))
	}
	return values
}

// postedKey is the form's idempotency key. Returns fault.MissingKey if it has none: it is not one of our forms.
func postedKey(c *fiber.Ctx) (string, error) {
	key := posted(c, views.FieldIdempotencyKey)
	if key == "" || len(key) > maxKey || strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", fault.MissingKey
	}
	return key, nil
}

// next is where a form or an address says to go afterwards, if that is a page of this site.
func next(path string) string {
	if !frame.LocalPath(path) {
		return ""
	}
	return path
}

// partyOf reads a number of people; typed is empty for the otherwise one.
func partyOf(typed string, otherwise int) (int, bool) {
	if typed == "" {
		return otherwise, true
	}
	n, err := strconv.Atoi(strings.TrimSpace(typed))
	return n, err == nil
}

// dateOf reads a date; typed is empty for the otherwise one. It is the date's midnight in loc.
func dateOf(typed string, otherwise booking.Date, loc *time.Location) (booking.Date, time.Time, error) {
	if typed == "" {
		typed = string(otherwise)
	}
	date, err := booking.ParseDate(typed)
	if err != nil {
		return "", time.Time{}, err
	}
	return date, midnight(date, loc), nil
}

// midnight is how views are told a date.
func midnight(date booking.Date, loc *time.Location) time.Time {
	t, err := time.ParseInLocation(time.DateOnly, string(date), loc)
	if err != nil {
		return time.Time{}
	}
	return t
}
