package diner

import (
	"context"
	"errors"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// offered is the entry whose offer an address's token names. Who has the token may answer, signed in or not. Returns
// booking.ErrNotFound for a token that was never signed.
func (s *Pages) offered(c *fiber.Ctx) (booking.Entry, error) {
	id, err := s.Offers.Read(c.Params("token"))
	if err != nil {
		return booking.Entry{}, err
	}
	entry, err := s.Waitlists.Store.FindEntry(c.UserContext(), id)
	if err == nil && entry.Offer == nil {
		err = booking.ErrNotFound
	}
	return entry, err
}

// offerPage answers GET /offers/:token. It changes nothing: scanners of mail look at links too.
func (s *Pages) offerPage(c *fiber.Ctx) error {
	entry, err := s.offered(c)
	if err != nil {
		return err
	}
	return s.showOffer(c, entry, fiber.StatusOK)
}

// acceptOffer answers POST /offers/:token/accept: on to the payment, for which the diner signs in.
func (s *Pages) acceptOffer(c *fiber.Ctx) error {
	return s.answerOffer(c, s.Waitlists.Store.Accept, func(entry booking.Entry) string {
		return views.PayURL(entry.Offer.ReservationID)
	})
}

// declineOffer answers POST /offers/:token/decline.
func (s *Pages) declineOffer(c *fiber.Ctx) error {
	return s.answerOffer(c, s.Waitlists.Decline, func(booking.Entry) string {
		return views.OfferURL(c.Params("token"))
	})
}

func (s *Pages) answerOffer(c *fiber.Ctx, answer func(context.Context, string) (booking.Entry, error),
	then func(booking.Entry) string) error {
	entry, err := s.offered(c)
	if err != nil {
		return err
	}
	answered, err := answer(c.UserContext(), entry.ID)
	switch {
	case errors.Is(err, booking.ErrOfferOver):
		return s.showOffer(c, entry, fiber.StatusConflict)
	case err != nil:
		return err
	}
	return respond.Redirect(c, then(answered))
}

func (s *Pages) showOffer(c *fiber.Ctx, entry booking.Entry, status int) error {
	f := s.layout(c)
	visit, err := s.waitedFor(c.UserContext(), entry)
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderCacheControl, "no-store")
	return respond.Render(c, status, pages.Offer(views.Offer{
		Layout: f, Token: c.Params("token"), Visit: visit, State: entry.State,
		IsOpen: entry.Offer.Stands(s.now()), Paid: entry.Offer.State.IsConfirmed(),
		Deadline: entry.Offer.Deadline.In(visit.At.Location()), Now: s.now(), ReservationID: entry.Offer.ReservationID,
	}))
}
