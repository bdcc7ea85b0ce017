package web

import (
	"errors"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/waiting"
	"lunchgo/app/wallet"
	"lunchgo/app/web/fault"
	"lunchgo/app/web/flash"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// payment answers GET /reservations/:id/pay; what is not to be paid any more is shown as it is.
func (s *site) payment(c *fiber.Ctx) error {
	res, err := s.own(c)
	if err != nil {
		return err
	}
	if !res.Held(s.now()) {
		return redirect(c, views.ReservationURL(res.ID))
	}
	page, err := s.paymentPage(c, res)
	if err != nil {
		return err
	}
	return render(c, fiber.StatusOK, pages.Payment(page))
}

// pay answers POST /reservations/:id/pay.
func (s *site) pay(c *fiber.Ctx) error {
	res, err := s.own(c)
	if err != nil {
		return err
	}
	key, err := postedKey(c)
	if err != nil {
		return err
	}
	kind := booking.PaymentKind(posted(c, views.FieldKind))
	if kind != booking.Deposit && kind != booking.Prepay {
		return s.payAgain(c, res, refusal{fiber.StatusUnprocessableEntity, views.FieldKind, "unknown"})
	}
	order := booking.PaymentOrder{ReservationID: res.ID, UserID: res.UserID, Kind: kind, IdempotencyKey: key}
	if won, err := strconv.ParseInt(posted(c, views.ToldField(string(kind))), 10, 64); err == nil {
		order.Told = &won
	}
	_, err = s.Bookings.Pay(c.UserContext(), order)
	for _, known := range payRefusals {
		if errors.Is(err, known.err) {
			return s.payAgain(c, res, known.refusal)
		}
	}
	var amount *booking.AmountChangedError
	switch {
	case errors.As(err, &amount):
		return s.payAgain(c, res, refusal{fiber.StatusConflict, views.FieldForm, waiting.CodeAmountChanged})
	case err == nil:
		flash.Set(c, views.FlashSuccess, "flash.paid")
	case errors.Is(err, booking.ErrReturned):
		flash.Set(c, views.FlashError, "error.payment_returned")
	case !errors.Is(err, booking.ErrAlreadyPaid): // else from another window
		return err
	}
	return redirect(c, views.ReservationURL(res.ID))
}

// payRefusals are the errors after which another try on the same form may do.
var payRefusals = []struct {
	err error
	refusal
}{
	{wallet.ErrBalanceTooLow, refusal{fiber.StatusPaymentRequired, views.FieldForm, "balance_too_low"}},
	{booking.ErrNothingToPrepay, refusal{fiber.StatusConflict, views.FieldKind, "nothing_to_prepay"}},
	{booking.ErrKeyReused, refusal{fiber.StatusUnprocessableEntity, views.FieldForm, "key_reused"}},
}

// refusal is why a form comes back.
type refusal struct {
	status int
	field  string
	reason string
}

func (r refusal) errors(lang string) views.FieldErrors {
	return errorsOf(lang, []fault.Field{{Name: r.field, Reason: r.reason}})
}

func (s *site) payAgain(c *fiber.Ctx, res booking.Reservation, why refusal) error {
	page, err := s.paymentPage(c, res)
	if err != nil {
		return err
	}
	page.Path = views.PayURL(res.ID)
	page.Kind = posted(c, views.FieldKind)
	page.Errors = why.errors(page.Lang)
	return render(c, why.status, pages.Payment(page))
}
