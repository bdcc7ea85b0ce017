package diner

import (
	"errors"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/payments"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// payment answers GET /reservations/:id/pay; what is not to be paid any more is shown as it is.
func (s *Pages) payment(c *fiber.Ctx, res booking.Reservation) error {
	if !res.IsHeld(s.now()) {
		return respond.Redirect(c, views.ReservationURL(res.ID))
	}
	page, err := s.paymentPage(c, res)
	return respond.RenderFound(c, page, err, pages.Payment)
}

// pay answers POST /reservations/:id/pay. The wallet pays what it can pay alone; else the provider takes the rest.
func (s *Pages) pay(c *fiber.Ctx, res booking.Reservation) error {
	key, err := respond.FormKey(c)
	if err != nil {
		return err
	}
	kind := booking.PaymentKind(respond.FormValue(c, views.FieldKind))
	if kind != booking.Deposit && kind != booking.Prepay {
		return s.payAgain(c, res, formFault{fiber.StatusUnprocessableEntity, views.FieldKind, "unknown"})
	}
	order := booking.PaymentOrder{ReservationID: res.ID, UserID: res.UserID, Kind: kind, IdempotencyKey: key}
	if won, err := strconv.ParseInt(respond.FormValue(c, views.QuotedField(string(kind))), 10, 64); err == nil {
		order.Quoted = &won
	}
	begun, err := s.Checkout.Begin(c.UserContext(), respond.Lang(c), res, order)
	switch {
	case err == nil:
		return respond.Redirect(c, views.PaymentURL(begun.ID))
	case errors.Is(err, payments.ErrNone), errors.Is(err, payments.ErrWalletPays),
		errors.Is(err, booking.ErrAlreadyPaid):
		_, err = s.Bookings.Pay(c.UserContext(), order)
	}
	why := respond.ProblemOf(err)
	switch {
	case err == nil, errors.Is(err, booking.ErrAlreadyPaid): // the latter from another window
	case why.Field != "": // another try on the same form may do
		return s.payAgain(c, res, formFault{why.Status, why.Field, why.Code})
	case errors.Is(err, booking.ErrReturned):
		respond.SetFlash(c, views.FlashError, "error."+why.Code)
	default:
		return err
	}
	return respond.Redirect(c, views.ReservationURL(res.ID))
}

// formFault is why a form comes back.
type formFault struct {
	status int
	field  string
	reason string
}

func (r formFault) errors(lang string) views.FieldErrors {
	return errorsOf(lang, []respond.Field{{Name: r.field, Reason: r.reason}})
}

func (s *Pages) payAgain(c *fiber.Ctx, res booking.Reservation, why formFault) error {
	page, err := s.paymentPage(c, res)
	if err != nil {
		return err
	}
	page.Path = views.PayURL(res.ID)
	page.Kind = respond.FormValue(c, views.FieldKind)
	page.Errors = why.errors(page.Lang)
	return respond.Render(c, why.status, pages.Payment(page))
}
