package diner

import (
	"errors"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/identity"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// signUpForm answers GET /signup.
func (s *Pages) signUpForm(c *fiber.Ctx) error {
	return respond.Render(c, fiber.StatusOK, pages.SignUp(s.signUpPage(c, respond.NextPath(c.Query(views.FieldNext)))))
}

func (s *Pages) signUpPage(c *fiber.Ctx, to string) views.SignUp {
	return views.SignUp{Layout: s.layout(c), Next: to, MinPassword: identity.MinPassword,
		Providers: s.signInProviders(respond.Lang(c)),
		Consent:   s.consentOf(respond.Lang(c), "legal.by_signup", identity.Documents{})}
}

// signUp answers POST /signup, alike whether the address has an account: a letter says which. Whoever has made an
// account now signs in by the form on the page, and so does whoever knows the password of an older one.
func (s *Pages) signUp(c *fiber.Ctx) error {
	in := identity.SignUp{Email: respond.FormValue(c, views.FieldEmail),
		Password: respond.FormValue(c, views.FieldPassword),
		Name:     respond.FormValue(c, views.FieldName), Phone: respond.FormValue(c, views.FieldPhone),
		Language: respond.Lang(c), Agrees: s.saidTo(c, identity.BySignUp)}
	user, err := s.Limits.SignUp(c, in)
	if err != nil {
		return s.signUpAgain(c, in, err)
	}
	return s.linkSent(c, views.LinkSent{Email: user.Email, SignUp: true})
}

// signUpAgain shows the form again with everything that kept somebody from an account.
func (s *Pages) signUpAgain(c *fiber.Ctx, in identity.SignUp, err error) error {
	to := respond.NextPath(respond.FormValue(c, views.FieldNext))
	page := s.signUpPage(c, to)
	page.Path, page.Email, page.Name, page.Phone = views.SignUpURL(to), in.Email, in.Name, in.Phone
	status := fiber.StatusUnprocessableEntity
	if fieldErrors := signUpErrors(err); fieldErrors != nil {
		page.Errors = errorsOf(page.Lang, fieldErrors)
	} else if status, page.Errors = triedTooOften(c, page.Lang, err); page.Errors == nil {
		return err
	}
	return respond.Render(c, status, pages.SignUp(page))
}

func signUpErrors(err error) []respond.Field {
	var invalid *identity.InvalidError
	if !errors.As(err, &invalid) {
		return nil
	}
	var fieldErrors []respond.Field
	for _, f := range invalid.Fields {
		fieldErrors = append(fieldErrors, respond.Field{Name: f.Field, Reason: f.Reason,
			Min: identity.MinPassword, Max: longest[f.Field]})
	}
	return fieldErrors
}

// longest are the most characters of a field.
var longest = map[string]int{views.FieldName: identity.MaxName, views.FieldPassword: identity.MaxPassword,
	views.FieldAllergies: identity.MaxAllergies}
