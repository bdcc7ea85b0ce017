package diner

import (
	"github.com/gofiber/fiber/v2"

	"lunchgo/app/identity"
	"lunchgo/app/web/respond"
	"lunchgo/views"
)

// beginPasskey answers POST /account/passkeys/challenge, which the script of the page of sessions sends.
func (s *Pages) beginPasskey(c *fiber.Ctx, session identity.Session) error {
	options, err := s.Passkeys.BeginAdding(c.UserContext(), session.UserID)
	if err != nil {
		return err
	}
	return c.JSON(options)
}

// addPasskey answers POST /account/passkeys. The browser has made the passkey by then: no name of it is refused, but
// one that breaks the rules of names is not stored.
func (s *Pages) addPasskey(c *fiber.Ctx, session identity.Session) error {
	name := identity.NormalName(respond.FormValue(c, views.FieldName))
	if identity.CheckName(name) != "" {
		name = respond.Device(c)
	}
	err := s.Passkeys.Add(c.UserContext(), session.UserID, name, respond.FormValue(c, views.FieldAnswer))
	return doneWithWayIn(c, err, "flash.passkey_added")
}

// removePasskey answers POST /account/passkeys/remove.
func (s *Pages) removePasskey(c *fiber.Ctx, session identity.Session) error {
	err := s.Passkeys.RemovePasskey(c.UserContext(), session.UserID, respond.FormValue(c, views.FieldPasskey))
	return doneWithWayIn(c, err, "flash.passkey_removed")
}

// beginPasskeySignIn answers POST /signin/passkey/challenge, which the script of the form to sign in sends.
func (s *Pages) beginPasskeySignIn(c *fiber.Ctx) error {
	if err := s.Limits.AskForPasskey(c); err != nil {
		return err
	}
	options, err := s.Passkeys.BeginSignIn(c.UserContext())
	if err != nil {
		return err
	}
	return c.JSON(options)
}

// signInByPasskey answers POST /signin/passkey.
func (s *Pages) signInByPasskey(c *fiber.Ctx) error {
	if err := s.Limits.AnswerByPasskey(c); err != nil {
		return err
	}
	next := respond.NextPath(respond.FormValue(c, views.FieldNext))
	token, session, err := s.Passkeys.SignIn(c.UserContext(), respond.FormValue(c, views.FieldAnswer))
	if err != nil {
		return s.signInRefused(c, next, err)
	}
	return s.enter(c, token, session, next)
}
