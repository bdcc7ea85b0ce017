// Package flash carries a short message over a redirect: "your reservation is cancelled" is set by the request that did
// it and shown by the page that comes next. The cookie holds a tone and a key of the catalogue, never free text, so that
// nobody can make a page say what they please.
package flash

import (
	"strings"

	"github.com/gofiber/fiber/v2"

	"lunchgo/views"
	"lunchgo/views/i18n"
)

const (
	cookieName = "flash"
	maxAge     = 60 // seconds; a message that nobody fetched by then would only confuse
)

// prefixes of the keys that may be shown.
var prefixes = []string{"flash.", "error."}

// Set lets the next page show the text of a key. The key begins with "flash." or "error."; any other shows nothing.
func Set(c *fiber.Ctx, kind views.FlashKind, key string) {
	c.Cookie(&fiber.Cookie{Name: cookieName, Value: string(kind) + ":" + key, Path: "/", MaxAge: maxAge,
		HTTPOnly: true, Secure: c.Secure(), SameSite: fiber.CookieSameSiteLaxMode})
}

// Take returns the message that an earlier request set, in a language, and forgets it; an empty one if there is none.
func Take(c *fiber.Ctx, lang string) views.Flash {
	value := c.Cookies(cookieName)
	if value == "" {
		return views.Flash{}
	}
	c.Cookie(&fiber.Cookie{Name: cookieName, Path: "/", MaxAge: -1, HTTPOnly: true, Secure: c.Secure(),
		SameSite: fiber.CookieSameSiteLaxMode})
	kind, key, _ := strings.Cut(value, ":")
	if !isKind(views.FlashKind(kind)) || !isKey(key) || !i18n.Has(lang, key) {
		return views.Flash{}
	}
	return views.Flash{Kind: views.FlashKind(strings.Clone(kind)), Message: i18n.T(lang, strings.Clone(key))}
}

func isKind(kind views.FlashKind) bool {
	return kind == views.FlashSuccess || kind == views.FlashInfo || kind == views.FlashError
}

func isKey(key string) bool {
	for _, prefix := range prefixes {
		if strings.HasPrefix(key, prefix) {
			return true
		}
	}
	return false
}
