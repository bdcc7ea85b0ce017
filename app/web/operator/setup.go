package operator

import (
	"errors"
	"strings"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/identity"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// setupForm answers GET /operator/setup/:token.
func (p *Pages) setupForm(c *fiber.Ctx) error {
	if err := p.Operators.Check(c.UserContext(), token(c)); err != nil {
		return p.setupOver(c, err)
	}
	return respond.Render(c, fiber.StatusOK, pages.OperatorSetup(p.setupPage(c)))
}

// setup answers POST /operator/setup/:token: who uses the link is the operator, and signed in.
func (p *Pages) setup(c *fiber.Ctx) error {
	in := identity.SignUp{Email: respond.FormValue(c, views.FieldEmail), Name: respond.FormValue(c, views.FieldName),
		Phone: respond.FormValue(c, views.FieldPhone), Password: respond.FormValue(c, views.FieldPassword),
		Language: respond.Lang(c)}
	user, err := p.Operators.Accept(c.UserContext(), token(c), in)
	if err != nil {
		return p.setupAgain(c, in, err)
	}
	signed, session := p.Identity.Sessions.Issue(user.ID)
	p.Sessions.SetCookie(c, signed, session)
	return respond.Redirect(c, views.OperatorURL())
}

// setupAgain shows the form again with everything that is wrong with it.
func (p *Pages) setupAgain(c *fiber.Ctx, in identity.SignUp, err error) error {
	page := p.setupPage(c)
	page.Email, page.Name, page.Phone = in.Email, in.Name, in.Phone
	if page.Errors = faultsOf(page.Lang, err); page.Errors == nil {
		return p.setupOver(c, err)
	}
	return respond.Render(c, fiber.StatusUnprocessableEntity, pages.OperatorSetup(page))
}

// faultsOf is what the form says of an error, field by field; nil for one that is not about its fields.
func faultsOf(lang string, err error) views.FieldErrors {
	if errors.Is(err, identity.ErrEmailTaken) {
		return views.FieldErrors{views.FieldEmail: respond.FieldSentence(lang, respond.Field{Reason: "address_in_use"})}
	}
	var invalid *identity.InvalidError
	if !errors.As(err, &invalid) {
		return nil
	}
	longest := map[string]int{views.FieldName: identity.MaxName, views.FieldPassword: identity.MaxPassword}
	faults := views.FieldErrors{}
	for _, f := range invalid.Fields {
		if faults[f.Field] == "" {
			faults[f.Field] = respond.FieldSentence(lang, respond.Field{Name: f.Field, Reason: f.Reason,
				Min: identity.MinPassword, Max: longest[f.Field]})
		}
	}
	return faults
}

// setupOver says that the link makes nobody an operator.
func (p *Pages) setupOver(c *fiber.Ctx, err error) error {
	if !errors.Is(err, identity.ErrNoInvitation) {
		return err
	}
	return respond.Render(c, fiber.StatusNotFound, pages.OperatorSetupOver(p.Layout(c)))
}

func (p *Pages) setupPage(c *fiber.Ctx) views.OperatorSetup {
	page := views.OperatorSetup{Token: token(c)}
	page.Layout, page.MinPassword = p.Layout(c), identity.MinPassword
	page.Path = views.OperatorSetupURL(page.Token)
	return page
}

func token(c *fiber.Ctx) string { return strings.Clone(c.Params("token")) }
