package respond

import (
	"slices"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/waiting"
)

// waitingCookie hints at the tickets with which a browser's person waits, or whose result they have not seen. It lets a
// page for somebody who waits nowhere cost nothing. It proves nothing: each ticket in it is signed, and read for its
// person only.
const (
	waitingCookie    = "waiting"
	waitingSeparator = "~"
	mostHints        = 5
	hintLife         = 45 * time.Minute // the longest wait, and how long a result is kept
)

type hintsKey struct{}

// TicketHints are the signed tickets that the browser remembers, those of this request among them; the oldest first.
func TicketHints(c *fiber.Ctx) []string {
	if hints, changed := c.Locals(hintsKey{}).([]string); changed {
		return hints
	}
	value := strings.Clone(c.Cookies(waitingCookie))
	if value == "" {
		return nil
	}
	hints := strings.Split(value, waitingSeparator)
	return hints[max(len(hints)-mostHints, 0):]
}

// RememberTickets has the browser remember tickets besides those that it does.
func RememberTickets(c *fiber.Ctx, tickets ...string) {
	hints := slices.Clone(TicketHints(c))
	for _, ticket := range tickets {
		if !hasTicket(hints, ticket) {
			hints = append(hints, ticket)
		}
	}
	setHints(c, hints[max(len(hints)-mostHints, 0):])
}

// ForgetTicket has the browser forget a ticket: its result was seen.
func ForgetTicket(c *fiber.Ctx, ticket string) {
	hints := TicketHints(c)
	if hasTicket(hints, ticket) {
		setHints(c, slices.DeleteFunc(slices.Clone(hints), func(h string) bool {
			return waiting.SameTicket(h, ticket)
		}))
	}
}

// ForgetTickets has the browser forget all of them.
func ForgetTickets(c *fiber.Ctx) {
	if len(TicketHints(c)) > 0 {
		setHints(c, nil)
	}
}

func hasTicket(hints []string, ticket string) bool {
	return slices.ContainsFunc(hints, func(h string) bool { return waiting.SameTicket(h, ticket) })
}

func setHints(c *fiber.Ctx, hints []string) {
	if slices.Equal(hints, TicketHints(c)) {
		return
	}
	c.Locals(hintsKey{}, hints)
	if len(hints) == 0 {
		ForgetCookie(c, waitingCookie)
		return
	}
	SetCookie(c, waitingCookie, strings.Join(hints, waitingSeparator), hintLife)
}
