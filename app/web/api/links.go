package api

import (
	"errors"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/identity"
	"lunchgo/app/web/respond"
)

type signInLinkRequest struct {
	Email string `json:"email"`
}

// sendSignInLink answers POST /api/sessions/links, alike whether the address has an account.
func (a *API) sendSignInLink(c *fiber.Ctx) error {
	var in signInLinkRequest
	if err := decode(c, &in); err != nil {
		return err
	}
	if err := a.Tries.SendSignInLink(c, in.Email); err != nil {
		return err
	}
	return c.Status(fiber.StatusAccepted).Send(nil)
}

type emailRequest struct {
	Email    string `json:"email"`
	Password string `json:"password,omitempty"`
}

// changeEmail answers POST /api/account/email: the address changes when the link in the letter to it is pressed.
func (a *API) changeEmail(c *fiber.Ctx) error {
	s, err := respond.Session(c)
	if err != nil {
		return err
	}
	var in emailRequest
	if err := decode(c, &in); err != nil {
		return err
	}
	err = a.Identity.ChangeEmail(c.UserContext(), s, identity.EmailChange{Email: in.Email, Password: in.Password})
	if errors.Is(err, identity.ErrWrongPassword) {
		return invalid("password", "wrong_password")
	} else if err != nil {
		return err
	}
	return c.Status(fiber.StatusAccepted).Send(nil)
}

// sendConfirmation answers POST /api/account/email/confirmation.
func (a *API) sendConfirmation(c *fiber.Ctx) error {
	s, err := respond.Session(c)
	if err != nil {
		return err
	}
	if err := a.Identity.SendConfirmation(c.UserContext(), s.UserID); err != nil {
		return err
	}
	return c.Status(fiber.StatusAccepted).Send(nil)
}

type linkRequest struct {
	Link string `json:"link"` // the token of a link that came by mail
}

type usedLink struct {
	Kind  identity.LinkKind `json:"kind"`
	Email string            `json:"email"` // the address that the link was sent to
}

// useLink answers POST /api/links: it does what a link by mail does that signs nobody in. Who has it needs no session.
func (a *API) useLink(c *fiber.Ctx) error {
	var in linkRequest
	if err := decode(c, &in); err != nil {
		return err
	}
	used, err := a.Identity.UseLink(c.UserContext(), in.Link)
	if err != nil {
		return err
	}
	return c.JSON(usedLink{Kind: used.Kind, Email: used.Email})
}
