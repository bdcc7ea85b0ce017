package respond

import (
	"strings"

	"github.com/gofiber/fiber/v2"
)

// Admit lets the page that answers load scripts and frames from some hosts, send to them, and open windows of theirs:
// what the script of a payment provider needs. The styles that such a script writes are admitted too.
func Admit(c *fiber.Ctx, hosts []string) {
	from := " " + strings.Join(hosts, " ")
	var policy []string
	for directive := range strings.SplitSeq(string(c.Response().Header.Peek(fiber.HeaderContentSecurityPolicy)), "; ") {
		switch name, _, _ := strings.Cut(directive, " "); name {
		case "script-src", "connect-src", "img-src", "form-action":
			directive += from
		case "style-src":
			directive += " 'unsafe-inline'"
		}
		policy = append(policy, directive)
	}
	c.Set(fiber.HeaderContentSecurityPolicy, strings.Join(append(policy, "frame-src"+from), "; "))
	c.Set("Cross-Origin-Opener-Policy", "same-origin-allow-popups")
}
