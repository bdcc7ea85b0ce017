package web

import (
	"crypto/rand"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/web/fault"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// wallet answers GET /wallet.
func (s *site) wallet(c *fiber.Ctx) error {
	page, err := s.walletPage(c)
	if err != nil {
		return err
	}
	return render(c, fiber.StatusOK, pages.Wallet(page))
}

// walletPage is the wallet with empty forms. Returns fault.Unavailable when the balance is not known.
func (s *site) walletPage(c *fiber.Ctx) (views.Wallet, error) {
	f := s.frames.Of(c)
	entries, err := s.ledger(c, f.Lang)
	if err != nil {
		return views.Wallet{}, err
	}
	if !f.BalanceKnown {
		return views.Wallet{}, fault.Unavailable
	}
	return views.Wallet{Frame: f, Charge: chargeForm(f.Lang, ""), Entries: entries, Withdrawal: views.WithdrawalForm{
		Lang: f.Lang, Balance: f.Balance, IdempotencyKey: rand.Text()}}, nil
}
