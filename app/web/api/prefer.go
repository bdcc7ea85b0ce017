package api

import (
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
)

// Bounds of how long an answer may be waited for.
const (
	defaultWait = 2 * time.Second
	maxWait     = 30 * time.Second
)

// preferences are those of RFC 7240 that a request for a turn understands. What cannot be understood is ignored,
// as the RFC says.
type preferences struct {
	Wait  time.Duration // how long to wait for the result
	Async bool          // rather 202 than 429 when it is not there by then
}

// readPreferences reads the Prefer header. Without "wait" an asynchronous request waits for no turn but one that begins
// with it (respond.Settle).
func readPreferences(c *fiber.Ctx) preferences {
	p := preferences{Wait: -1}
	for _, header := range c.Request().Header.PeekAll("Prefer") {
		for part := range strings.SplitSeq(string(header), ",") {
			part, _, _ = strings.Cut(part, ";")
			name, value, _ := strings.Cut(part, "=")
			switch strings.ToLower(strings.TrimSpace(name)) {
			case "respond-async":
				p.Async = true
			case "wait":
				p.Wait = waitOf(value, p.Wait)
			}
		}
	}
	if p.Wait < 0 && !p.Async {
		p.Wait = defaultWait
	}
	p.Wait = max(p.Wait, 0)
	return p
}

// waitOf reads a number of seconds; otherwise is for what is none.
func waitOf(value string, otherwise time.Duration) time.Duration {
	seconds, err := strconv.ParseUint(strings.Trim(strings.TrimSpace(value), `"`), 10, 31)
	if err != nil {
		return otherwise
	}
	return min(time.Duration(seconds)*time.Second, maxWait)
}

// apply says in the answer which preferences were honoured.
func (p preferences) apply(c *fiber.Ctx) {
	if p.Async {
		c.Append("Preference-Applied", "respond-async")
	}
	if p.Wait > 0 {
		c.Append("Preference-Applied", "wait="+strconv.Itoa(int(p.Wait.Seconds())))
	}
	c.Vary("Prefer")
}
