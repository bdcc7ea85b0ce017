package diner

import (
	"crypto/rand"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// wallet answers GET /wallet.
func (s *Pages) wallet(c *fiber.Ctx) error {
	page, err := s.walletPage(c)
	if err != nil {
		return err
	}
	return respond.Render(c, fiber.StatusOK, pages.Wallet(page))
}

// walletPage is the wallet with empty forms. Returns fault.Unavailable when the balance is not known.
func (s *Pages) walletPage(c *fiber.Ctx) (views.Wallet, error) {
	f := s.Layouts.WithBalance(c)
	entries, err := s.ledger(c, f.Lang)
	if err != nil {
		return views.Wallet{}, err
	}
	if !f.BalanceKnown {
		return views.Wallet{}, respond.Unavailable
	}
	return views.Wallet{Layout: f, Charge: chargeForm(f.Lang, ""), Entries: entries, Withdrawal: views.WithdrawalForm{
		Lang: f.Lang, Balance: f.Balance, IdempotencyKey: rand.Text()}}, nil
}

// walletOrder is what both forms of the wallet send.
type walletOrder struct {
	userID string
	amount int64 // won
	key    string
}

func readWalletOrder(c *fiber.Ctx) (walletOrder, error) {
	session, err := respond.Session(c)
	if err != nil {
		return walletOrder{}, err
	}
	key, err := respond.FormKey(c)
	return walletOrder{session.UserID, postedAmount(c), key}, err
}

// postedAmount is the form's amount of won. What is no number is no amount that a wallet takes or gives, either.
func postedAmount(c *fiber.Ctx) int64 {
	amount, err := strconv.ParseInt(strings.TrimSpace(respond.FormValue(c, views.FieldAmount)), 10, 64)
	if err != nil {
		return 0
	}
	return amount
}

// walletAgain answers an order that was refused with the wallet; fill puts into the page what was typed and what is wrong.
func (s *Pages) walletAgain(c *fiber.Ctx, refused error, fill func(*views.Wallet)) error {
	page, err := s.walletPage(c)
	if err != nil {
		return err
	}
	page.Path = views.WalletURL()
	fill(&page)
	return respond.Render(c, respond.ProblemOf(refused).Status, pages.Wallet(page))
}
