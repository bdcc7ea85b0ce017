package api

import (
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/app/web/respond"
)

// listReservations answers GET /api/reservations: the diner's own, latest slot first.
func (a *API) listReservations(c *fiber.Ctx) error {
	s, err := respond.Session(c)
	if err != nil {
		return err
	}
	page, err := respond.ReadPage(c)
	if err != nil {
		return err
	}
	own, err := a.Bookings.List(c.UserContext(), s.UserID, page)
	if err != nil {
		return err
	}
	speak(c)
	lang := language(c)
	return sendPage(c, "reservations", own, func(r booking.Reservation) reservation { return newReservation(lang, r) })
}

// ownReservation returns the reservation of the path, if it is the caller's.
func (a *API) ownReservation(c *fiber.Ctx) (booking.Reservation, error) {
	s, err := respond.Session(c)
	if err != nil {
		return booking.Reservation{}, err
	}
	return a.Bookings.Find(c.UserContext(), s.UserID, param(c, "id"))
}

// findReservation answers GET /api/reservations/{id}.
func (a *API) findReservation(c *fiber.Ctx) error {
	r, err := a.ownReservation(c)
	if err != nil {
		return err
	}
	speak(c)
	return c.JSON(newReservation(language(c), r))
}

type cancellation struct {
	State  booking.State `json:"state"`
	Refund int64         `json:"refund"` // what comes back to the wallet, in won
	// Until when all comes back because the reservation was confirmed a short while ago, although the tiers of its terms
	// say less. Missing where there is no such time, and once it is cancelled.
	FreeUntil *time.Time `json:"freeUntil,omitempty"`
}

// quoteCancellation answers GET /api/reservations/{id}/cancellation: what cancelling now would lead to.
func (a *API) quoteCancellation(c *fiber.Ctx) error {
	r, err := a.ownReservation(c)
	if err != nil {
		return err
	}
	quote, err := a.Bookings.Quote(c.UserContext(), r)
	if err != nil {
		return err
	}
	answer := cancellation{State: quote.State, Refund: quote.Refund}
	if !quote.FreeUntil.IsZero() {
		answer.FreeUntil = &quote.FreeUntil
	}
	return c.JSON(answer)
}

// cancelReservation answers DELETE /api/reservations/{id}. A program that has shown its user what comes back says
// so in the query: if it is less by now, nothing is cancelled.
func (a *API) cancelReservation(c *fiber.Ctx) error {
	s, err := respond.Session(c)
	if err != nil {
		return err
	}
	by := reserve.Canceller{UserID: s.UserID}
	if text := c.Query("refund"); text != "" {
		if by.Quoted, err = strconv.ParseInt(text, 10, 64); err != nil || by.Quoted < 0 {
			return invalid("refund", "wrong_type")
		}
	}
	r, err := a.Bookings.Cancel(c.UserContext(), param(c, "id"), by)
	if err != nil {
		return err
	}
	return c.JSON(cancellation{State: r.State, Refund: r.RefundAmount})
}

// extend answers POST /api/reservations/{id}/extension.
func (a *API) extend(c *fiber.Ctx) error {
	s, err := respond.Session(c)
	if err != nil {
		return err
	}
	r, err := a.Bookings.Extend(c.UserContext(), s.UserID, param(c, "id"))
	if err != nil {
		return err
	}
	speak(c)
	return c.JSON(newReservation(language(c), r))
}
