package respond

import (
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"
)

// How much of a body is read on the routes that take more than others, in bytes.
const (
	MaxUpload   = 12 << 20 // a picture, and some that are too large, so that their senders read why
	MaxDocument = 1 << 20  // a menu or a room
)

// IsSignedIn returns whether the head of a request has a valid session.
func (g Authenticator) IsSignedIn(h *fasthttp.RequestHeader) bool {
	token := string(h.Cookie(g.cookie()))
	if bearer, ok := strings.CutPrefix(string(h.Peek(fiber.HeaderAuthorization)), "Bearer "); ok {
		token = strings.TrimSpace(bearer)
	}
	_, err := g.Sessions.Verify(token)
	return token != "" && err == nil
}
