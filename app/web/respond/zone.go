package respond

import (
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
)

// zoneCookie names the time zone of the reader's browser. static/js/app.js sets it, on pages that ask for it.
const zoneCookie = "zone"

// longestZone bounds the name of a zone, in bytes.
const longestZone = 64

// ReaderZone is the time zone of the reader's browser; false where it is not known, as without JavaScript.
func ReaderZone(c *fiber.Ctx) (*time.Location, bool) {
	name := strings.Clone(c.Cookies(zoneCookie))
	if name == "" || name == "Local" || len(name) > longestZone {
		return nil, false
	}
	zone, err := time.LoadLocation(name)
	return zone, err == nil
}
