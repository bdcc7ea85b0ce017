package respond

import (
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"lunchgo/app/identity"
)

// How much of a body is read on the routes that take more than others, in bytes.
const (
	MaxUpload   = 12 << 20 // a picture, and some that are too large, so that their senders read why
	MaxDocument = 1 << 20  // a menu or a room
)

// SessionOf returns who sent a request, by its head. Returns Unauthenticated if nobody is signed in.
func (g Authenticator) SessionOf(h *fasthttp.RequestHeader) (identity.Session, error) {
	token := string(h.Cookie(g.cookie()))
	if bearer, ok := strings.CutPrefix(string(h.Peek(fiber.HeaderAuthorization)), "Bearer "); ok {
		token = strings.TrimSpace(bearer)
	}
	session, err := g.Sessions.Verify(token)
	if token == "" || err != nil {
		return identity.Session{}, Unauthenticated
	}
	return session, nil
}
