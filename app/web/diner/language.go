package diner

import (
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

// languageLife is how long a choice of language is remembered.
const languageLife = 365 * 24 * time.Hour

// language answers POST /language.
func (s *Pages) language(c *fiber.Ctx) error {
	lang := respond.FormValue(c, views.FieldLanguage)
	if !i18n.IsLanguage(lang) {
		return fiber.ErrUnprocessableEntity
	}
	s.setLanguage(c, lang)
	if session, err := respond.Session(c); err == nil {
		if err := s.Identity.Store.SetLanguage(c.UserContext(), session.UserID, lang); err != nil {
			// that of the pages is
			s.Log.WarnContext(c.UserContext(), "change language of letters failed", "error", err)
		}
	}
	if to := respond.NextPath(respond.FormValue(c, views.FieldNext)); to != "" {
		return respond.Redirect(c, to)
	}
	return respond.Redirect(c, views.HomeURL())
}

// inEnglish shows a page at its English address, whatever the browser asks for, and has the browser stay with English.
func (s *Pages) inEnglish(c *fiber.Ctx) error {
	respond.SetLang(c, i18n.English)
	s.setLanguage(c, i18n.English)
	return c.Next()
}

// setLanguage has the browser remember the language of pages.
func (s *Pages) setLanguage(c *fiber.Ctx, lang string) {
	respond.SetCookie(c, respond.LanguageCookie, lang, languageLife)
}
