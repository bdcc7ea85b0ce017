package diner

import (
	"errors"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// linkedPayment is the reservation whose payment an address's token names. Returns booking.ErrNotFound for a token that
// was never signed.
func (s *Pages) linkedPayment(c *fiber.Ctx) (booking.Reservation, error) {
	id, err := s.PaymentLinks.Read(c.Params("token"))
	if err != nil {
		return booking.Reservation{}, err
	}
	return s.Bookings.FindToPay(c.UserContext(), id)
}

// paymentLink answers GET /pay/:token. It changes nothing: scanners of mail look at links too. Once the reservation is
// no hold any more the link says nothing of it.
func (s *Pages) paymentLink(c *fiber.Ctx) error {
	res, err := s.linkedPayment(c)
	if err != nil {
		return err
	}
	return s.showPaymentLink(c, res)
}

// followPaymentLink answers POST /pay/:token: on to the payment, signed in to the account that was made for it. Once
// that account is more, its owner signs in as usual.
func (s *Pages) followPaymentLink(c *fiber.Ctx) error {
	if err := s.Limits.FollowLink(c); err != nil {
		return err
	}
	res, err := s.linkedPayment(c)
	if err != nil {
		return err
	}
	if !res.IsHeld(s.now()) {
		return s.showPaymentLink(c, res)
	}
	token, session, err := s.Identity.SignInGuest(c.UserContext(), res.UserID, res.ID)
	if errors.Is(err, identity.ErrInvalidSession) {
		return respond.Redirect(c, views.SignInURL(views.PayURL(res.ID)))
	}
	if err != nil {
		return err
	}
	if err := s.Identity.Consents.Agree(c.UserContext(), session.UserID,
		s.saidTo(c, identity.ByPaymentLink)); err != nil {
		return err
	}
	return s.enter(c, token, session, views.PayURL(res.ID))
}

func (s *Pages) showPaymentLink(c *fiber.Ctx, res booking.Reservation) error {
	c.Set(fiber.HeaderCacheControl, "no-store")
	page := views.PaymentLink{Layout: s.layout(c), Token: c.Params("token"), Open: res.IsHeld(s.now())}
	if !page.Open {
		return respond.Render(c, fiber.StatusConflict, pages.PaymentLink(page))
	}
	b, err := s.booked(c.UserContext(), res)
	if err != nil {
		return err
	}
	page.Consent, err = s.consentOfUser(c.UserContext(), page.Lang, "legal.by_payment", res.UserID)
	if err != nil {
		return err
	}
	if session, err := respond.Session(c); err == nil && session.UserID != res.UserID {
		page.Other = true
	}
	page.Visit = b.visit(res)
	page.Deposit, page.Policy, page.Now = res.DepositToPay(), res.Policy, s.now()
	page.HoldExpiresAt = res.HoldExpiresAt.In(b.restaurant.Location)
	return respond.Render(c, fiber.StatusOK, pages.PaymentLink(page))
}
