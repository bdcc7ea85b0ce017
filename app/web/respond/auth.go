package respond

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/identity"
)

// CookieName is the session cookie of an installation that is served over TLS; without TLS the browser would refuse the
// prefix, and the plain name is used.
const (
	CookieName      = "__Host-session"
	PlainCookieName = "session"
)

type sessionKey struct{}

// Authenticator verifies sessions.
type Authenticator struct {
	Sessions *identity.Sessions
	Secure   bool // served over TLS
}

// Identify is middleware that remembers the request's session, if it has a valid one. It never refuses.
func (g Authenticator) Identify(c *fiber.Ctx) error {
	if token := g.token(c); token != "" {
		if session, err := g.Sessions.Verify(token); err == nil {
			c.Locals(sessionKey{}, session)
		}
	}
	return c.Next()
}

func (g Authenticator) token(c *fiber.Ctx) string {
	if bearer, ok := strings.CutPrefix(c.Get(fiber.HeaderAuthorization), "Bearer "); ok {
		return strings.TrimSpace(bearer)
	}
	return c.Cookies(g.cookie())
}

func (g Authenticator) cookie() string {
	if g.Secure {
		return CookieName
	}
	return PlainCookieName
}

// Session returns who sent the request. Returns Unauthenticated if nobody is signed in.
func Session(c *fiber.Ctx) (identity.Session, error) {
	if session, ok := c.Locals(sessionKey{}).(identity.Session); ok {
		return session, nil
	}
	return identity.Session{}, Unauthenticated
}

// Device names the device that sent the request, as far as it says and as its owner sees it.
func Device(c *fiber.Ctx) string { return identity.DeviceOf(c.Get(fiber.HeaderUserAgent)) }

// SetCookie signs a browser in, beginning with this request.
func (g Authenticator) SetCookie(c *fiber.Ctx, token string, s identity.Session) {
	c.Locals(sessionKey{}, s)
	SetCookie(c, g.cookie(), token, time.Until(s.Expires))
}

// ClearCookie signs a browser out.
func (g Authenticator) ClearCookie(c *fiber.Ctx) {
	ForgetCookie(c, g.cookie())
}

var crossOrigin = http.NewCrossOriginProtection()

// RefuseCrossSite is middleware that refuses what changes something and comes from another site's page, by the
// rule of net/http's CrossOriginProtection (Sec-Fetch-Site, else Origin against Host). Requests of programs have
// neither header.
func RefuseCrossSite(c *fiber.Ctx) error {
	site, origin := c.Get("Sec-Fetch-Site"), c.Get("Origin")
	if site == "" && origin == "" {
		return c.Next()
	}
	r := &http.Request{Method: c.Method(), Host: string(c.Request().Host()),
		Header: http.Header{"Sec-Fetch-Site": {site}, "Origin": {origin}}}
	if err := crossOrigin.Check(r); err != nil {
		return errors.Join(CrossSite, err)
	}
	return c.Next()
}
