package diner

import (
	"crypto/rand"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/payments"
	"lunchgo/app/wallet"
	"lunchgo/app/web/respond"
	"lunchgo/views"
)

// presets are the amounts that a wallet is topped up by with one press, in won.
var presets = []int64{30_000, 50_000, 100_000}

// chargeForm tops a wallet up and goes to next afterwards; empty for the wallet.
func (s *Pages) chargeForm(lang, next string) views.ChargeForm {
	return views.ChargeForm{Lang: lang, Presets: presets, Min: wallet.MinCharge, Max: wallet.MaxCharge,
		IdempotencyKey: rand.Text(), Next: next, Closed: !s.PlayMoney}
}

// paymentPage shows what is to be paid out of which balance. Returns respond.Unavailable when the balance is not known.
func (s *Pages) paymentPage(c *fiber.Ctx, res booking.Reservation) (views.Payment, error) {
	f := s.layout(c)
	if !f.BalanceKnown {
		return views.Payment{}, respond.Unavailable
	}
	b, err := s.booked(c.UserContext(), res)
	if err != nil {
		return views.Payment{}, err
	}
	underWay, err := s.Checkout.UnderWay(c.UserContext(), res)
	if err != nil {
		return views.Payment{}, err
	}
	more := 0
	if res.CheckExtension(f.Unconfirmed == "", s.now()) == nil {
		more = res.Policy.ExtensionMinutes
	}
	page := views.Payment{
		Cards:          s.Checkout.IsOpen(),
		PaymentID:      underWay,
		Policy:         res.Policy,
		MoreMinutes:    more,
		Extended:       res.Extended,
		Layout:         f,
		Booked:         b.shown(res),
		Items:          b.items,
		Deposit:        res.DepositToPay(),
		MenuTotal:      res.MenuAmount,
		Prepay:         res.PrepayToPay(),
		Discount:       res.Discount,
		Kind:           views.KindDeposit,
		HoldExpiresAt:  res.HoldExpiresAt.In(b.restaurant.Location),
		Now:            s.now(),
		IdempotencyKey: rand.Text(),
		Charge:         s.chargeForm(f.Lang, views.PayURL(res.ID)),
	}
	if page.Cards {
		page.DepositByCard = payments.ByCard(page.Deposit, page.Balance)
		page.PrepayByCard = payments.ByCard(page.Prepay, page.Balance)
	}
	return page, nil
}
