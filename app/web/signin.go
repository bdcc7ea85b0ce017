package web

import (
	"errors"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/identity"
	"lunchgo/app/web/fault"
	"lunchgo/views"
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
	token, session, err := s.Identity.SignIn(c.UserContext(), email, posted(c, views.FieldPassword))
	if errors.Is(err, identity.ErrWrongPassword) {
		page := s.signInPage(c, to)
		page.Path = views.SignInURL(to)
		page.Email = email
		page.Errors = errorsOf(page.Lang, []fault.Field{{Name: views.FieldForm, Reason: "wrong_credentials"}})
		return render(c, fiber.StatusUnprocessableEntity, pages.SignIn(page))
	}
	if err != nil {
		return err
	}
	return s.enter(c, token, session, to)
}

// enter signs the browser in and goes on.
func (s *site) enter(c *fiber.Ctx, token string, session identity.Session, to string) error {
	s.guard.SetCookie(c, token, session)
	if to == "" {
		to = views.HomeURL()
	}
	return redirect(c, to)
}

func (s *site) signInPage(c *fiber.Ctx, to string) views.SignIn {
	page := views.SignIn{Frame: s.frames.Of(c), Next: to}
	for _, account := range s.Demo {
		page.Demo = append(page.Demo, views.DemoAccount{Name: account.Name.In(page.Lang), Email: account.Email,
			Password: account.Password})
	}
	return page
}
