package diner

import (
	"errors"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/identity"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// account answers GET /account.
func (s *Pages) account(c *fiber.Ctx, session identity.Session) error {
	page, err := s.accountPage(c, session)
	return respond.RenderFound(c, page, err, pages.Account)
}

func (s *Pages) accountPage(c *fiber.Ctx, session identity.Session) (views.Account, error) {
	own, err := s.Accounts.Store.FindUser(c.UserContext(), session.UserID)
	if err != nil {
		return views.Account{}, err
	}
	sessions, err := s.Identity.Sessions.List(c.UserContext(), session, "")
	if err != nil {
		return views.Account{}, err
	}
	consent, err := s.consentOfUser(c.UserContext(), respond.Lang(c), "legal.by_account", session.UserID)
	if err != nil {
		return views.Account{}, err
	}
	return views.Account{Layout: s.layout(c), Email: own.Email, EmailConfirmed: own.EmailConfirmed, Name: own.Name,
		Phone: own.Phone, Language: own.Language, Sessions: len(sessions), Demo: own.Demo,
		Consent:        consent,
		HistoryConsent: own.HistoryConsent, Allergies: own.Allergies, MaxAllergies: identity.MaxAllergies,
		CanText: s.Texts, Texts: own.Texts}, nil
}

// changeAccount answers POST /account. The language is that of letters and of this browser's pages.
func (s *Pages) changeAccount(c *fiber.Ctx, session identity.Session) error {
	name, phone := respond.FormValue(c, views.FieldName), respond.FormValue(c, views.FieldPhone)
	language, allergies := respond.FormValue(c, views.FieldLanguage), respond.FormValue(c, views.FieldAllergies)
	profile := identity.Profile{Name: &name, Phone: &phone, Language: &language, Allergies: &allergies}
	texts := respond.FormValue(c, views.FieldTexts) == views.ConsentYes
	if s.Texts {
		profile.Texts = &texts
	}
	_, err := s.Accounts.ChangeProfile(c.UserContext(), session.UserID, profile)
	if faults := signUpErrors(err); faults != nil {
		page, err := s.accountPage(c, session)
		if err != nil {
			return err
		}
		page.Path, page.Name, page.Phone, page.Allergies, page.Texts = views.AccountURL(), name, phone, allergies, texts
		page.Errors = errorsOf(page.Lang, faults)
		return respond.Render(c, fiber.StatusUnprocessableEntity, pages.Account(page))
	}
	if err != nil {
		return err
	}
	s.Layouts.Forget(session.UserID)
	s.setLanguage(c, language)
	return respond.RedirectSaying(c, views.AccountURL(), views.FlashSuccess, "flash.account_saved")
}

// decideHistory answers POST /account/history.
func (s *Pages) decideHistory(c *fiber.Ctx, session identity.Session) error {
	agrees := respond.FormValue(c, views.FieldConsent) == views.ConsentYes
	if _, err := s.Accounts.ChangeProfile(c.UserContext(), session.UserID,
		identity.Profile{HistoryConsent: &agrees}); err != nil {
		return err
	}
	said := "flash.history_withdrawn"
	if agrees {
		said = "flash.history_agreed"
	}
	return respond.RedirectSaying(c, views.AccountURL(), views.FlashSuccess, said)
}

// accountPassword answers GET /account/password.
func (s *Pages) accountPassword(c *fiber.Ctx, session identity.Session) error {
	return s.showPassword(c, session, fiber.StatusOK, nil)
}

func (s *Pages) showPassword(c *fiber.Ctx, session identity.Session, status int, errs views.FieldErrors) error {
	own, err := s.Accounts.Store.FindUser(c.UserContext(), session.UserID)
	if err != nil {
		return err
	}
	page := views.AccountPassword{Layout: s.layout(c), Email: own.Email, Fresh: session.IsFresh(s.Accounts.Now()),
		MinPassword: identity.MinPassword, Errors: errs}
	page.Path = views.AccountPasswordURL()
	return respond.Render(c, status, pages.AccountPassword(page))
}

// changePassword answers POST /account/password.
func (s *Pages) changePassword(c *fiber.Ctx, session identity.Session) error {
	change := identity.PasswordChange{Current: respond.FormValue(c, views.FieldPassword),
		New: respond.FormValue(c, views.FieldNewPassword)}
	err := s.Limits.Prove(c.UserContext(), session.UserID,
		func() error { return s.Accounts.ChangePassword(c.UserContext(), session, change) })
	if err == nil {
		return respond.RedirectSaying(c, views.AccountURL(), views.FlashSuccess, "flash.password_changed")
	}
	status, errs := proofErrors(c, err)
	if errs == nil {
		return err
	}
	return s.showPassword(c, session, status, errs)
}

// proofErrors is what a form says that asks for the password once more; nothing if err is something else.
func proofErrors(c *fiber.Ctx, err error) (status int, errs views.FieldErrors) {
	lang := respond.Lang(c)
	if errors.Is(err, identity.ErrWrongPassword) {
		return fiber.StatusUnprocessableEntity,
			errorsOf(lang, []respond.Field{{Name: views.FieldPassword, Reason: "wrong_password"}})
	}
	if faults := signUpErrors(err); faults != nil {
		return fiber.StatusUnprocessableEntity, errorsOf(lang, faults)
	}
	return triedTooOften(c, lang, err)
}

// exportAccount answers GET /account/export.
func (s *Pages) exportAccount(c *fiber.Ctx, session identity.Session) error {
	return s.Downloads.Export(c, s.Accounts.Store, session.UserID)
}
