package diner

import (
	"cmp"
	"encoding/json"
	"net/url"
	"strings"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/payments"
	"lunchgo/app/refusal"
	"lunchgo/app/waiting"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// paymentWindow answers GET /payments/:payment, the way to the provider's page. The browser goes there from a page,
// since a form that is redirected to another site is one that the content security policy keeps from being sent.
func (s *Pages) paymentWindow(c *fiber.Ctx, session identity.Session) error {
	p, err := s.Checkout.Find(c.UserContext(), session.UserID, c.Params("payment"))
	switch {
	case err != nil:
		return err
	case p.State != payments.Started || p.CheckoutURL == "":
		return respond.Redirect(c, views.PaymentReturnURL(p.ID))
	}
	res, err := s.Bookings.Find(c.UserContext(), p.UserID, p.ReservationID)
	if err != nil {
		return err
	}
	paid, err := s.paidBy(c, p, res)
	if err != nil {
		return err
	}
	page := views.PaymentWindow{PaidBy: paid, CheckoutURL: p.CheckoutURL}
	window, ours, err := s.Checkout.Window(c.UserContext(), paid.Lang, p, res)
	switch {
	case err != nil:
		return err
	case !ours:
		c.Set("Refresh", "0;url="+p.CheckoutURL)
		return respond.Render(c, fiber.StatusOK, pages.PaymentWindow(page))
	}
	data, err := json.Marshal(window.Data)
	if err != nil {
		return err
	}
	page.Script, page.Data = window.Script, string(data)
	respond.Admit(c, window.Hosts)
	return respond.Render(c, fiber.StatusOK, pages.PaymentWindow(page))
}

// settled settles a payment with what the browser has brought, whoever is signed in there, since a browser may come back
// without its session, and then shows it to its diner only. What strangers can have asked is bounded by payment.
func (s *Pages) settled(c *fiber.Ctx) (payments.Payment, booking.Reservation, error) {
	query, err := url.ParseQuery(string(c.Request().URI().QueryString()))
	if err != nil {
		return payments.Payment{}, booking.Reservation{}, respond.BadRequest
	}
	p, err := s.Checkout.Look(c.UserContext(), strings.Clone(c.Params("payment")), query)
	if err != nil {
		return payments.Payment{}, booking.Reservation{}, err
	}
	session, err := respond.Session(c)
	if err == nil && session.UserID != p.UserID {
		err = respond.NotFound
	}
	if err != nil {
		return payments.Payment{}, booking.Reservation{}, err
	}
	res, err := s.Bookings.Find(c.UserContext(), p.UserID, p.ReservationID)
	return p, res, err
}

// paymentReturned answers GET /payments/:payment/return.
func (s *Pages) paymentReturned(c *fiber.Ctx) error {
	p, res, err := s.settled(c)
	switch {
	case err != nil:
		return err
	case p.Kind == booking.ForChange:
		return s.changeReturned(c, p, res)
	case p.State.TakesMoney() || p.State == payments.Refunded:
		return respond.Redirect(c, views.ReservationURL(res.ID))
	case res.State.IsConfirmed(): // another payment has won
		return respond.RedirectSaying(c, views.ReservationURL(res.ID), views.FlashInfo, "flash.payment_let_go")
	}
	paid, err := s.paidBy(c, p, res)
	if err != nil {
		return err
	}
	return respond.Render(c, fiber.StatusOK, pages.PaymentReturn(views.PaymentReturn{PaidBy: paid,
		Outcome: outcomeOf(p, res), Again: again(c), Held: res.IsHeld(s.now()), Now: s.now(),
		HoldExpiresAt: res.HoldExpiresAt.In(paid.Restaurant.Location)}))
}

// changeReturned answers for a payment of a change. While the change waits in its line, the diner is shown that.
func (s *Pages) changeReturned(c *fiber.Ctx, p payments.Payment, res booking.Reservation) error {
	switch p.State {
	case payments.Capturing, payments.Paid:
		return toChanged(c, res.ID)
	case payments.Cancelled:
		if p.Code == booking.ErrAlreadyPaid.Code {
			return respond.RedirectSaying(c, views.ReservationURL(res.ID), views.FlashInfo, "flash.payment_let_go")
		}
	case payments.Refunding, payments.Refunded, payments.PartlyRefunded:
		return respond.Redirect(c, views.ReservationURL(res.ID))
	case payments.Authorised:
		watch, err := s.Bookings.ChangePaid(c.UserContext(), p.Order())
		if err != nil { // the payment waits, or the job lets go of it
			return s.changeUnpaid(c, p, res)
		}
		defer watch.Close()
		return s.settle(c, watch, func(waiting.Result) error { return toChanged(c, res.ID) },
			func(respond.Problem) error {
				if p, err = s.Checkout.Settle(c.UserContext(), p.ID); err != nil {
					return err
				}
				return s.changeUnpaid(c, p, res)
			})
	}
	return s.changeUnpaid(c, p, res)
}

// changeUnpaid says what became of a payment whose change is not made.
func (s *Pages) changeUnpaid(c *fiber.Ctx, p payments.Payment, res booking.Reservation) error {
	paid, err := s.paidBy(c, p, res)
	if err != nil {
		return err
	}
	page := views.PaymentReturn{PaidBy: paid, Outcome: outcomeOf(p, res), Again: again(c), Now: s.now(),
		Changeable: res.State.IsConfirmed()}
	if refused := refusal.ByCode(p.Code); page.Outcome == views.PaymentUnchanged && refused != nil {
		page.Why = "flash." + cmp.Or(refused.Unchanged, "unchanged")
	}
	return respond.Render(c, fiber.StatusOK, pages.PaymentReturn(page))
}

// paymentLeft answers GET /payments/:payment/leave. A diner who has paid after all sees that.
func (s *Pages) paymentLeft(c *fiber.Ctx) error {
	p, res, err := s.settled(c)
	if err != nil {
		return err
	}
	isLeft := p.State == payments.Started || p.State == payments.Cancelled && p.Code == payments.CodeLeft
	if isLeft && p.Kind == booking.ForChange {
		return respond.RedirectSaying(c, views.ReservationURL(res.ID), views.FlashInfo, "flash.payment_left")
	}
	if !isLeft || !res.IsHeld(s.now()) {
		return respond.Redirect(c, views.PaymentReturnURL(p.ID))
	}
	return respond.RedirectSaying(c, views.PayURL(res.ID), views.FlashInfo, "flash.payment_left")
}

// again says when and where a page looks again whose payment is not decided. What the provider has added to the query is
// kept.
func again(c *fiber.Ctx) views.PaymentAgain {
	query, err := url.ParseQuery(string(c.Request().URI().QueryString()))
	if err != nil {
		query = url.Values{}
	}
	return views.LookAgain(strings.Clone(c.Params("payment")), query)
}

// outcomeOf says what became of a payment that is not paid.
func outcomeOf(p payments.Payment, res booking.Reservation) views.PaymentOutcome {
	switch {
	case p.State == payments.Started || p.State == payments.Authorised:
		return views.PaymentChecking
	case p.State == payments.Refused && res.State == booking.Refunded:
		return views.PaymentFailed
	case p.State == payments.Refused:
		return views.PaymentRefused
	}
	switch p.Code {
	case booking.ErrHoldExpired.Code, payments.CodeExpired:
		return views.PaymentLate
	case payments.CodeLeft:
		return views.PaymentLeft
	case booking.ErrWrongState.Code:
		return views.PaymentCancelled
	}
	if p.Kind == booking.ForChange {
		return views.PaymentUnchanged
	}
	switch p.Code {
	case payments.CodeMismatch, booking.ErrAmountChanged.Code, refusal.BalanceTooLow.Code:
		return views.PaymentChanged
	}
	return views.PaymentLeft
}

// paidBy is what every page about a payment shows.
func (s *Pages) paidBy(c *fiber.Ctx, p payments.Payment, res booking.Reservation) (views.PaidBy, error) {
	f := s.layout(c)
	if p.Change != nil {
		res = p.Change.Of(res)
	}
	b, err := s.booked(c.UserContext(), res)
	return views.PaidBy{Layout: f, Booked: b.shown(res), PaymentID: p.ID, Amount: p.Amount,
		ForChange: p.Kind == booking.ForChange}, err
}
