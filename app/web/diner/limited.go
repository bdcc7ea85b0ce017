package diner

import (
	"errors"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/web/respond"
	"lunchgo/views"
)

// limited is a gate whose refusal brings the form back as it was filled in: again renders it with the problem.
func limited(gate fiber.Handler, again func(c *fiber.Ctx, why respond.Problem) error) fiber.Handler {
	return func(c *fiber.Ctx) error {
		err := gate(c)
		var why respond.Problem
		if !errors.As(err, &why) || why.Code != respond.TooManyRequests.Code {
			return err
		}
		respond.SayPause(c, why)
		return again(c, why)
	}
}

// reserveLater shows the booking form again to somebody who presses too often.
func (s *Pages) reserveLater(c *fiber.Ctx, why respond.Problem) error {
	p, err := s.submissionOf(c)
	if err != nil {
		return err
	}
	session, err := respond.Session(c)
	if err != nil {
		return err
	}
	p.by.UserID = session.UserID
	p.draft, _ = draftOf(p.restaurant, p.form)
	return s.refuse(c, p, why, why)
}

// payLater shows the payment again to somebody who changes too much.
func (s *Pages) payLater(c *fiber.Ctx, why respond.Problem) error {
	res, err := s.own(c)
	if err != nil {
		return err
	}
	return s.payAgain(c, res, formFault{why.Status, views.FieldForm, why.Code})
}

// moveLater shows the wallet again, with one of its forms, to somebody who changes too much.
func (s *Pages) moveLater(form func(*fiber.Ctx) walletForm) func(c *fiber.Ctx, why respond.Problem) error {
	return func(c *fiber.Ctx, why respond.Problem) error { return s.walletAgain(c, form(c), why) }
}
