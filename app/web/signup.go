package web

import (
	"errors"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/identity"
	"lunchgo/app/web/fault"
	"lunchgo/app/web/flash"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// signUpForm answers GET /signup.
func (s *site) signUpForm(c *fiber.Ctx) error {
	return render(c, fiber.StatusOK, pages.SignUp(views.SignUp{Frame: s.frames.Of(c),
		Next: next(c.Query(views.FieldNext)), MinPassword: identity.MinPassword}))
}

// signUp answers POST /signup: who has made an account is signed in.
func (s *site) signUp(c *fiber.Ctx) error {
	in := identity.SignUp{Email: posted(c, views.FieldEmail), Password: posted(c, views.FieldPassword),
		Name: posted(c, views.FieldName), Phone: posted(c, views.FieldPhone)}
	user, err := s.Identity.SignUp(c.UserContext(), in)
	if err != nil {
		return s.signUpAgain(c, in, err)
	}
	token, session := s.Identity.Sessions.Issue(user.ID)
	flash.Set(c, views.FlashSuccess, "flash.welcome")
	return s.enter(c, token, session, next(posted(c, views.FieldNext)))
}

func (s *site) signUpAgain(c *fiber.Ctx, in identity.SignUp, err error) error {
	var invalid *identity.InvalidError
	var faults []fault.Field
	switch {
	case errors.As(err, &invalid):
		for _, f := range invalid.Fields {
			faults = append(faults, fault.Field{Name: f.Field, Reason: f.Reason,
				Min: identity.MinPassword, Max: longest[f.Field]})
		}
	case errors.Is(err, identity.ErrEmailTaken):
		faults = []fault.Field{{Name: views.FieldEmail, Reason: "email_taken"}}
	default:
		return err
	}
	to := next(posted(c, views.FieldNext))
	page := views.SignUp{Frame: s.frames.Of(c), Email: in.Email, Name: in.Name, Phone: in.Phone, Next: to,
		MinPassword: identity.MinPassword}
	page.Path = views.SignUpURL(to)
	page.Errors = errorsOf(page.Lang, faults)
	return render(c, fiber.StatusUnprocessableEntity, pages.SignUp(page))
}

// longest are the most characters of a field.
var longest = map[string]int{views.FieldName: identity.MaxName, views.FieldPassword: identity.MaxPassword}
