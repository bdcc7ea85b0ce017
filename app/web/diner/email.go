package diner

import (
	"cmp"
	"errors"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/identity"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// emailForm answers GET /account/email.
func (s *Pages) emailForm(c *fiber.Ctx) error {
	page, err := s.emailPage(c)
	return respond.RenderFound(c, page, err, pages.Email)
}

func (s *Pages) emailPage(c *fiber.Ctx) (views.Email, error) {
	session, err := respond.Session(c)
	if err != nil {
		return views.Email{}, err
	}
	user, err := s.Identity.Store.FindUser(c.UserContext(), session.UserID)
	if err != nil {
		return views.Email{}, err
	}
	return views.Email{Layout: s.layout(c), Current: user.Email, Confirmed: user.EmailConfirmed,
		AskPassword: !session.IsFresh(s.Identity.Now())}, nil
}

// changeEmail answers POST /account/email: the address changes when the link in the letter to it is pressed.
func (s *Pages) changeEmail(c *fiber.Ctx, session identity.Session) error {
	change := identity.EmailChange{Email: respond.FormValue(c, views.FieldEmail),
		Password: respond.FormValue(c, views.FieldPassword)}
	if err := s.Identity.ChangeEmail(c.UserContext(), session, change); err != nil {
		return s.changeEmailAgain(c, change, err)
	}
	return respond.RedirectSaying(c, views.EmailURL(), views.FlashInfo, "flash.email_sent")
}

// changeEmailAgain shows the form again with what kept the letter from being sent.
func (s *Pages) changeEmailAgain(c *fiber.Ctx, change identity.EmailChange, why error) error {
	page, err := s.emailPage(c)
	if err != nil {
		return err
	}
	page.Path, page.New = views.EmailURL(), change.Email
	var limit *identity.LetterLimitError
	switch fields := signUpErrors(why); {
	case errors.Is(why, identity.ErrWrongPassword):
		page.Errors = errorsOf(page.Lang, []respond.Field{{Name: views.FieldPassword, Reason: "wrong_password"}})
	case fields != nil:
		page.Errors = errorsOf(page.Lang, fields)
	case errors.As(why, &limit):
		page.Errors = views.FieldErrors{views.FieldForm: page.T("flash.letter_wait", "Count", minutes(limit.Wait))}
	default:
		return why
	}
	return respond.Render(c, fiber.StatusUnprocessableEntity, pages.Email(page))
}

// sendConfirmation answers POST /account/email/confirmation.
func (s *Pages) sendConfirmation(c *fiber.Ctx, session identity.Session) error {
	err := s.Identity.SendConfirmation(c.UserContext(), session.UserID)
	var limit *identity.LetterLimitError
	switch {
	case errors.As(err, &limit):
		respond.SetFlash(c, views.FlashInfo, "flash.letter_wait", int64(minutes(limit.Wait)))
	case err != nil:
		return err
	default:
		respond.SetFlash(c, views.FlashSuccess, "flash.link_sent")
	}
	return respond.Redirect(c, cmp.Or(respond.NextPath(respond.FormValue(c, views.FieldNext)), views.EmailURL()))
}

// minutes is a time in whole minutes, a part counting as one.
func minutes(wait time.Duration) int { return int((wait + time.Minute - 1) / time.Minute) }
