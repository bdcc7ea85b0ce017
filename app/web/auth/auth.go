// Package auth finds out who sent a request: the session cookie of a browser or the bearer token of a program, both
// verified without a query; and refuses what another site made a browser send.
package auth

import (
	"errors"
	"net/http"
	"strings"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/identity"
	"lunchgo/app/web/fault"
)

// CookieName is the session cookie of an installation that is served over TLS; without TLS the browser would refuse the
// prefix, and the plain name is used.
const (
	CookieName      = "__Host-session"
	PlainCookieName = "session"
)

type sessionKey struct{}

// Guard verifies sessions.
type Guard struct {
	Sessions *identity.Sessions
	Secure   bool // served over TLS
}

// Identify is middleware that remembers the request's session, if it has a valid one. It never refuses.
func (g Guard) Identify(c *fiber.Ctx) error {
	if token := g.token(c); token != "" {
		if session, err := g.Sessions.Verify(token); err == nil {
			c.Locals(sessionKey{}, session)
		}
	}
	return c.Next()
}

func (g Guard) token(c *fiber.Ctx) string {
	if bearer, ok := strings.CutPrefix(c.Get(fiber.HeaderAuthorization), "Bearer "); ok {
		return strings.TrimSpace(bearer)
	}
	return c.Cookies(g.cookie())
}

func (g Guard) cookie() string {
	if g.Secure {
		return CookieName
	}
	return PlainCookieName
}

// Session returns who sent the request. Returns fault.Unauthenticated if nobody is signed in.
func Session(c *fiber.Ctx) (identity.Session, error) {
	if session, ok := c.Locals(sessionKey{}).(identity.Session); ok {
		return session, nil
	}
	return identity.Session{}, fault.Unauthenticated
}

// SetCookie signs a browser in.
func (g Guard) SetCookie(c *fiber.Ctx, token string, s identity.Session) {
	c.Cookie(&fiber.Cookie{Name: g.cookie(), Value: token, Path: "/", Expires: s.Expires, HTTPOnly: true,
		Secure: g.Secure, SameSite: fiber.CookieSameSiteLaxMode})
}

// ClearCookie signs a browser out.
func (g Guard) ClearCookie(c *fiber.Ctx) {
	c.Cookie(&fiber.Cookie{Name: g.cookie(), Path: "/", MaxAge: -1, HTTPOnly: true,
		Secure: g.Secure, SameSite: fiber.CookieSameSiteLaxMode})
}

var crossOrigin = http.NewCrossOriginProtection()

// SameSite is middleware that refuses what changes something and comes from another site's page, by the rule of
// net/http's CrossOriginProtection (Sec-Fetch-Site, else Origin against Host). Requests of programs have neither header.
func SameSite(c *fiber.Ctx) error {
	r := &http.Request{Method: c.Method(), Host: string(c.Request().Host()), Header: http.Header{}}
	for _, name := range []string{"Sec-Fetch-Site", "Origin"} {
		if value := c.Get(name); value != "" {
			r.Header.Set(name, value)
		}
	}
	if err := crossOrigin.Check(r); err != nil {
		return errors.Join(fault.CrossSite, err)
	}
	return c.Next()
}
