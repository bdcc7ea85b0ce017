package diner

import (
	"cmp"
	"errors"
	"slices"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/identity"
	"lunchgo/app/identity/oidc"
	"lunchgo/app/identity/passkey"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/i18n"
	"lunchgo/views/pages"
)

// signInCookie is what a browser keeps while it signs in at a provider.
const signInCookie = "signin"

// signInAtProvider answers GET /signin/with/:provider. It is a link and no form: of a form the policy of the pages lets
// nobody redirect to another site.
func (s *Pages) signInAtProvider(c *fiber.Ctx) error {
	next := respond.NextPath(c.Query(views.FieldNext))
	address, sealed, err := s.Providers.Begin(c.UserContext(), c.Params("provider"), s.backFrom(c), next)
	if err != nil {
		return s.signInRefused(c, next, err)
	}
	respond.SetCookie(c, signInCookie, sealed, oidc.Life)
	return c.Redirect(address, fiber.StatusSeeOther)
}

// returnFromProvider answers GET /signin/with/:provider/return.
func (s *Pages) returnFromProvider(c *fiber.Ctx) error {
	if err := s.Limits.ReturnFromProvider(c); err != nil {
		return err
	}
	sealed := c.Cookies(signInCookie)
	respond.ForgetCookie(c, signInCookie)
	claims, next, err := s.Providers.Finish(c.UserContext(), c.Params("provider"), oidc.Return{Sealed: sealed,
		State: c.Query("state"), Code: c.Query("code"), Error: c.Query("error"), Back: s.backFrom(c)})
	next = respond.NextPath(next)
	if err != nil {
		return s.signInRefused(c, next, err)
	}
	claims.Language = respond.Lang(c)
	claims.Agrees = identity.Agreement{Documents: s.Documents.Versions(s.today()), Way: identity.ByProvider}
	token, session, err := s.Identity.SignInByClaims(c.UserContext(), claims)
	if err != nil {
		return s.signInRefused(c, next, err)
	}
	return s.enter(c, token, session, next)
}

// backFrom is where a provider sends the browser back to, as it is set there.
func (s *Pages) backFrom(c *fiber.Ctx) string {
	return respond.Site(c, s.BaseURL) + views.SignInReturnURL(c.Params("provider"))
}

// signInRefused shows the form to sign in with why a provider or a passkey has signed nobody in.
func (s *Pages) signInRefused(c *fiber.Ctx, next string, err error) error {
	if !slices.ContainsFunc([]error{oidc.ErrCancelled, oidc.ErrFailed, oidc.ErrAway, identity.ErrNoAddress,
		identity.ErrAddressUnproved, passkey.ErrRefused, passkey.ErrAway},
		func(known error) bool { return errors.Is(err, known) }) {
		return err
	}
	what := respond.ProblemOf(err)
	respond.SayPause(c, what)
	page := s.signInPage(c, next)
	page.Path = views.SignInURL(next)
	page.Errors = views.FieldErrors{views.FieldForm: respond.Sentence(page.Lang, what)}
	return respond.Render(c, what.Status, pages.SignIn(page))
}

// signInProviders are the providers as the pages offer them.
func (s *Pages) signInProviders(lang string) []views.SignInProvider {
	var all []views.SignInProvider
	for _, p := range s.Providers.Providers() {
		all = append(all, views.SignInProvider{Name: p.Name,
			Label: i18n.T(lang, "signin.with", "Name", providerName(lang, p))})
	}
	return all
}

func providerName(lang string, p *oidc.Provider) string {
	return cmp.Or(p.Label, i18n.Label(lang, "provider", p.Name))
}

// issuerName is what people call an issuer: its address, where it is offered no more.
func (s *Pages) issuerName(lang, issuer string) string {
	for _, p := range s.Providers.Providers() {
		if p.Issuer == issuer {
			return providerName(lang, p)
		}
	}
	return issuer
}
