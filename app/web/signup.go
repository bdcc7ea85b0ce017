package web

import (
	"errors"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/identity"
	"lunchgo/app/web/fault"
	"lunchgo/app/web/flash"
	"lunchgo/app/web/frame"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// signUpForm answers GET /signup.
func (s *site) signUpForm(c *fiber.Ctx) error {
	return render(c, fiber.StatusOK, pages.SignUp(views.SignUp{Frame: s.Frames.Of(c),
		Next: next(c.Query(views.FieldNext)), MinPassword: identity.MinPassword}))
}

// signUp answers POST /signup: who has made an account is signed in.
func (s *site) signUp(c *fiber.Ctx) error {
	in := identity.SignUp{Email: posted(c, views.FieldEmail), Password: posted(c, views.FieldPassword),
		Name: posted(c, views.FieldName), Phone: posted(c, views.FieldPhone), Language: frame.Lang(c)}
	user, err := s.Tries.SignUp(c, in)
	if err != nil {
		return s.signUpAgain(c, in, err)
	}
	token, session := s.Identity.Sessions.Issue(user.ID)
	flash.Set(c, views.FlashSuccess, "flash.welcome")
	return s.enter(c, token, session, next(posted(c, views.FieldNext)))
}

// signUpAgain shows the form again with everything that kept somebody from an account.
func (s *site) signUpAgain(c *fiber.Ctx, in identity.SignUp, err error) error {
	to := next(posted(c, views.FieldNext))
	page := views.SignUp{Frame: s.Frames.Of(c), Email: in.Email, Name: in.Name, Phone: in.Phone, Next: to,
		MinPassword: identity.MinPassword}
	page.Path = views.SignUpURL(to)
	status := fiber.StatusUnprocessableEntity
	if faults := signUpFaults(err); faults != nil {
		page.Errors = errorsOf(page.Lang, faults)
	} else if status, page.Errors = triedTooOften(c, page.Lang, err); page.Errors == nil {
		return err
	}
	return render(c, status, pages.SignUp(page))
}

func signUpFaults(err error) []fault.Field {
	if errors.Is(err, identity.ErrEmailTaken) {
		return []fault.Field{{Name: views.FieldEmail, Reason: "email_taken"}}
	}
	var invalid *identity.InvalidError
	if !errors.As(err, &invalid) {
		return nil
	}
	var faults []fault.Field
	for _, f := range invalid.Fields {
		faults = append(faults, fault.Field{Name: f.Field, Reason: f.Reason,
			Min: identity.MinPassword, Max: longest[f.Field]})
	}
	return faults
}

// longest are the most characters of a field.
var longest = map[string]int{views.FieldName: identity.MaxName, views.FieldPassword: identity.MaxPassword}
