package diner

import (
	"errors"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/identity"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/i18n"
	"lunchgo/views/pages"
)

// signInForm answers GET /signin.
func (s *Pages) signInForm(c *fiber.Ctx) error {
	return respond.Render(c, fiber.StatusOK, pages.SignIn(s.signInPage(c, respond.NextPath(c.Query(views.FieldNext)))))
}

// signIn answers POST /signin.
func (s *Pages) signIn(c *fiber.Ctx) error {
	to := respond.NextPath(respond.FormValue(c, views.FieldNext))
	email := respond.FormValue(c, views.FieldEmail)
	token, session, err := s.Limits.SignIn(c, email, respond.FormValue(c, views.FieldPassword))
	if err != nil {
		return s.signInAgain(c, email, err)
	}
	return s.enter(c, token, session, to)
}

// signInAgain shows the form again with what kept somebody from signing in.
func (s *Pages) signInAgain(c *fiber.Ctx, email string, err error) error {
	to := respond.NextPath(respond.FormValue(c, views.FieldNext))
	page := s.signInPage(c, to)
	page.Path, page.Email = views.SignInURL(to), email
	status := fiber.StatusUnprocessableEntity
	if errors.Is(err, identity.ErrWrongPassword) {
		page.Errors = errorsOf(page.Lang, []respond.Field{{Name: views.FieldForm, Reason: "wrong_credentials"}})
	} else if fields := signUpErrors(err); fields != nil {
		page.Errors = errorsOf(page.Lang, fields)
	} else if status, page.Errors = triedTooOften(c, page.Lang, err); page.Errors == nil {
		return err
	}
	return respond.Render(c, status, pages.SignIn(page))
}

// triedTooOften is what a form says to somebody who has to wait before the next try; nothing if err is something else.
func triedTooOften(c *fiber.Ctx, lang string, err error) (status int, errs views.FieldErrors) {
	what := respond.ProblemOf(err)
	if what.Code != respond.TooManyAttempts.Code {
		return 0, nil
	}
	respond.SayPause(c, what)
	return what.Status, views.FieldErrors{views.FieldForm: i18n.T(lang, "signin.too_many", "Count",
		respond.Seconds(what.RetryAfter))}
}

// signInBrowser lists the session among the person's, and signs the browser in.
func (s *Pages) signInBrowser(c *fiber.Ctx, token string, session identity.Session) error {
	if err := s.Identity.Sessions.Record(c.UserContext(), session, respond.Device(c)); err != nil {
		return err
	}
	s.Sessions.SetCookie(c, token, session)
	return nil
}

// enter signs the browser in, saves the restaurant whose button led here, and goes on.
func (s *Pages) enter(c *fiber.Ctx, token string, session identity.Session, to string) error {
	if err := s.signInBrowser(c, token, session); err != nil {
		return err
	}
	if slug, next, saves := views.SavesAfterSignIn(to); saves {
		return s.save(c, session, slug, next)
	}
	if to == "" {
		to = s.homeOf(c, session.UserID)
	}
	return respond.Redirect(c, to)
}

// homeOf is where somebody begins who asked for no page: at their restaurants, if they work at one.
func (s *Pages) homeOf(c *fiber.Ctx, userID string) string {
	memberships, err := s.Identity.Store.ListMemberships(c.UserContext(), userID)
	if err != nil && !errors.Is(err, identity.ErrNotFound) {
		// they are signed in all the same
		s.Log.WarnContext(c.UserContext(), "find restaurants of staff failed", "error", err)
	}
	if len(memberships) > 0 {
		return views.StaffURL()
	}
	return views.HomeURL()
}

func (s *Pages) signInPage(c *fiber.Ctx, to string) views.SignIn {
	page := views.SignIn{Layout: s.layout(c), Next: to}
	page.Providers, page.Passkeys = s.signInProviders(page.Lang), s.Passkeys.IsOn()
	for _, account := range s.Demo {
		page.Demo = append(page.Demo, views.DemoAccount{Name: account.Name.In(page.Lang), Email: account.Email,
			Password: account.Password})
	}
	return page
}
