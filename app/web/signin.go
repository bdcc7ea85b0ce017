package web

import (
	"errors"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/identity"
	"lunchgo/app/web/fault"
	"lunchgo/app/web/tries"
	"lunchgo/views"
	"lunchgo/views/i18n"
	"lunchgo/views/pages"
)

// signInForm answers GET /signin.
func (s *site) signInForm(c *fiber.Ctx) error {
	return render(c, fiber.StatusOK, pages.SignIn(s.signInPage(c, next(c.Query(views.FieldNext)))))
}

// signIn answers POST /signin.
func (s *site) signIn(c *fiber.Ctx) error {
	to := next(posted(c, views.FieldNext))
	email := posted(c, views.FieldEmail)
	token, session, err := s.Tries.SignIn(c, email, posted(c, views.FieldPassword))
	if err != nil {
		return s.signInAgain(c, email, err)
	}
	return s.enter(c, token, session, to)
}

// signInAgain shows the form again with what kept somebody from signing in.
func (s *site) signInAgain(c *fiber.Ctx, email string, err error) error {
	to := next(posted(c, views.FieldNext))
	page := s.signInPage(c, to)
	page.Path, page.Email = views.SignInURL(to), email
	status := fiber.StatusUnprocessableEntity
	if errors.Is(err, identity.ErrWrongPassword) {
		page.Errors = errorsOf(page.Lang, []fault.Field{{Name: views.FieldForm, Reason: "wrong_credentials"}})
	} else if status, page.Errors = triedTooOften(c, page.Lang, err); page.Errors == nil {
		return err
	}
	return render(c, status, pages.SignIn(page))
}

// triedTooOften is what a form says to somebody who has to wait before the next try; nothing if err is something else.
func triedTooOften(c *fiber.Ctx, lang string, err error) (status int, errs views.FieldErrors) {
	what := fault.Of(err)
	if what.Code != tries.Code {
		return 0, nil
	}
	wait := seconds(what.RetryAfter)
	c.Set(fiber.HeaderRetryAfter, strconv.Itoa(wait))
	return what.Status, views.FieldErrors{views.FieldForm: i18n.T(lang, "signin.too_many", "Count", wait)}
}

// enter signs the browser in and goes on.
func (s *site) enter(c *fiber.Ctx, token string, session identity.Session, to string) error {
	s.Guard.SetCookie(c, token, session)
	if to == "" {
		to = views.HomeURL()
	}
	return redirect(c, to)
}

func (s *site) signInPage(c *fiber.Ctx, to string) views.SignIn {
	page := views.SignIn{Frame: s.Frames.Of(c), Next: to}
	for _, account := range s.Demo {
		page.Demo = append(page.Demo, views.DemoAccount{Name: account.Name.In(page.Lang), Email: account.Email,
			Password: account.Password})
	}
	return page
}
