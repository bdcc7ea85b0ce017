package diner

import (
	"crypto/rand"
	"errors"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/app/waiting"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/i18n"
	"lunchgo/views/pages"
)

// moveOffer answers GET /reservations/:id/another-time. Where nothing is offered any more it leads to the reservation.
func (s *Pages) moveOffer(c *fiber.Ctx, res booking.Reservation) error {
	return s.showMoveOffer(c, res, nil)
}

// showMoveOffer shows the times that are offered, and why the one that was chosen could not be had.
func (s *Pages) showMoveOffer(c *fiber.Ctx, res booking.Reservation, refused *respond.Problem) error {
	offer, err := s.Bookings.FindMoveOffer(c.UserContext(), res)
	if errors.Is(err, booking.ErrNoMoveOffer) {
		return toReservation(c, res.ID, refused)
	}
	if err != nil {
		return err
	}
	b, err := s.booked(c.UserContext(), res)
	if err != nil {
		return err
	}
	f, status := s.layout(c), fiber.StatusOK
	f.Path = views.MoveOfferURL(res.ID)
	page := views.MoveOffer{Layout: f, Booked: b.shown(res), Text: offer.Text, Declined: !offer.DeclinedAt.IsZero(),
		Day:      i18n.LongDate(f.Lang, respond.Midnight(offer.Date, b.restaurant.Location)),
		Proposed: string(offer.Proposed), Slots: slotsOf(offer.Slots), Key: rand.Text()}
	if back := res.Left(); offer.Refund {
		page.Refund = &back
	}
	if refused != nil {
		status, page.Refused = refused.Status, respond.Sentence(f.Lang, *refused)
	}
	return respond.Render(c, status, pages.MoveOffer(page))
}

// toReservation leads to a reservation for which nothing is offered any more.
func toReservation(c *fiber.Ctx, id string, refused *respond.Problem) error {
	if refused == nil {
		return respond.Redirect(c, views.ReservationURL(id))
	}
	return toUnchanged(c, id, *refused)
}

// takeMoveOffer answers POST /reservations/:id/another-time.
func (s *Pages) takeMoveOffer(c *fiber.Ctx, res booking.Reservation) error {
	key, err := respond.FormKey(c)
	if err != nil {
		return err
	}
	watch, err := s.Bookings.TakeMoveOffer(c.UserContext(), reserve.Submitter{UserID: res.UserID, IdempotencyKey: key},
		res.ID, respond.FormValue(c, views.FieldTime))
	if err != nil {
		why := respond.ProblemOf(err)
		if why.Status != fiber.StatusConflict && why.Status != fiber.StatusUnprocessableEntity {
			return err
		}
		return s.showMoveOffer(c, res, &why)
	}
	defer watch.Close()
	return s.settle(c, watch, func(waiting.Result) error { return toChanged(c, res.ID) },
		func(why respond.Problem) error { return s.showMoveOffer(c, res, &why) })
}

// declineMoveOffer answers POST /reservations/:id/another-time/decline.
func (s *Pages) declineMoveOffer(c *fiber.Ctx, res booking.Reservation) error {
	err := s.Bookings.DeclineMoveOffer(c.UserContext(), res.UserID, res.ID)
	if err != nil && !errors.Is(err, booking.ErrNoMoveOffer) {
		return err
	}
	return respond.Redirect(c, views.MoveOfferURL(res.ID))
}

// cancelOffered answers POST /reservations/:id/another-time/cancel.
func (s *Pages) cancelOffered(c *fiber.Ctx, res booking.Reservation) error {
	_, err := s.Bookings.CancelOffered(c.UserContext(), res.UserID, res.ID)
	if err != nil {
		why := respond.ProblemOf(err)
		if why.Status != fiber.StatusConflict {
			return err
		}
		return toUnchanged(c, res.ID, why)
	}
	return respond.RedirectSaying(c, views.ReservationURL(res.ID), views.FlashSuccess, "flash.cancelled")
}

// moveOfferFor is the day on which another time is offered for a reservation, if its diner has not answered, and
// whether what was offered is withdrawn.
func (s *Pages) moveOfferFor(c *fiber.Ctx, res booking.Reservation, b booked) (day string, withdrawn bool, err error) {
	if !res.State.IsConfirmed() || !s.now().Before(b.at) {
		return "", false, nil
	}
	offer, err := s.Bookings.Reservations.FindMoveOffer(c.UserContext(), res.ID)
	switch {
	case errors.Is(err, booking.ErrNoMoveOffer):
		return "", errors.Is(err, booking.ErrOfferWithdrawn), nil
	case err != nil || !offer.DeclinedAt.IsZero():
		return "", false, err
	}
	return i18n.LongDate(respond.Lang(c), respond.Midnight(offer.Date, b.restaurant.Location)), false, nil
}
