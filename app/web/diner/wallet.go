package diner

import (
	"crypto/rand"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// wallet answers GET /wallet.
func (s *Pages) wallet(c *fiber.Ctx) error {
	page, err := s.walletPage(c)
	return respond.RenderFound(c, page, err, pages.Wallet)
}

// walletPage is the wallet with empty forms. Returns respond.Unavailable when the balance is not known.
func (s *Pages) walletPage(c *fiber.Ctx) (views.Wallet, error) {
	f := s.layout(c)
	entries, pager, err := s.ledger(c, f.Lang)
	if err != nil {
		return views.Wallet{}, err
	}
	if !f.BalanceKnown {
		return views.Wallet{}, respond.Unavailable
	}
	return views.Wallet{Layout: f, Charge: s.chargeForm(f.Lang, ""), Entries: entries, Pager: pager,
		Withdrawal: views.WithdrawalForm{
			Lang: f.Lang, Balance: f.Balance, IdempotencyKey: rand.Text()}}, nil
}
