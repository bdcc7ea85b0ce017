package respond

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/views"
	"lunchgo/views/i18n"
)

const (
	flashCookie = "flash"
	flashLife   = time.Minute // a message that nobody fetched by then would only confuse
)

// SetFlash lets the next page show a text of the catalogue's section "flash" or "error", such as "flash.changed". A
// number fills the text's {{.Amount}}, as won, and its {{.Count}}.
func SetFlash(c *fiber.Ctx, kind views.FlashKind, key string, number ...int64) {
	value := string(kind) + ":" + key
	if len(number) > 0 {
		value += ":" + strconv.FormatInt(number[0], 10)
	}
	SetCookie(c, flashCookie, value, flashLife)
}

// RedirectSaying sends the browser to another page of this site, which says something: see SetFlash.
func RedirectSaying(c *fiber.Ctx, url string, kind views.FlashKind, key string, number ...int64) error {
	SetFlash(c, kind, key, number...)
	return Redirect(c, url)
}

// Done is RedirectSaying after what went well; else it returns the error.
func Done(c *fiber.Ctx, err error, url string, kind views.FlashKind, key string) error {
	if err != nil {
		return err
	}
	return RedirectSaying(c, url, kind, key)
}

// TakeFlash returns the message that an earlier request set, in a language, and forgets it; an empty one if there
// is none. A copy has none: the message is for the page that its reader opens.
func TakeFlash(c *fiber.Ctx, lang string) views.Flash {
	value := strings.Clone(c.Cookies(flashCookie))
	if value == "" || IsForCopy(c) {
		return views.Flash{}
	}
	ForgetCookie(c, flashCookie)
	parts := strings.SplitN(value, ":", 3)
	if len(parts) < 2 || !isKind(parts[0]) || !isKey(lang, parts[1]) {
		return views.Flash{}
	}
	var args []any
	if len(parts) == 3 {
		number, err := strconv.ParseInt(parts[2], 10, 64)
		if err != nil {
			return views.Flash{}
		}
		args = []any{"Amount", i18n.Won(lang, number), "Count", number}
	}
	return views.Flash{Kind: views.FlashKind(parts[0]), Message: i18n.T(lang, parts[1], args...)}
}

// IsForCopy says whether the service worker fetches a page in the background, to keep a copy of it.
func IsForCopy(c *fiber.Ctx) bool { return c.Get("Purpose") == "keep" }

func isKind(kind string) bool {
	return slices.Contains([]views.FlashKind{views.FlashSuccess, views.FlashInfo, views.FlashError},
		views.FlashKind(kind))
}

func isKey(lang, key string) bool {
	return (strings.HasPrefix(key, "flash.") || strings.HasPrefix(key, "error.")) && i18n.Has(lang, key)
}
