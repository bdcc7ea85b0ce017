package diner

import (
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/wallet"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/i18n"
	"lunchgo/views/pages"
)

// walletForm is one of the two forms that move money in or out of the wallet.
type walletForm struct {
	move    wallet.Mover
	done    string            // key of the message afterwards
	field   string            // beside which the page says what is wrong with the amount
	refused map[string]string // keys of what is wrong with the amount, by the code of the problem
	again   func(page *views.Wallet, typed string, errors views.FieldErrors)
}

// charge answers POST /wallet/charges.
func (s *Pages) charge(c *fiber.Ctx) error {
	return s.moveMoney(c, s.charging(c))
}

func (s *Pages) charging(c *fiber.Ctx) walletForm {
	return walletForm{
		move: wallet.Charging(s.Wallets), done: "flash.charged", field: views.FieldAmount,
		refused: map[string]string{"invalid": "fault.amount", "balance_limit": "fault.balance_limit"},
		again: func(page *views.Wallet, typed string, errors views.FieldErrors) {
			page.Charge.Amount, page.Charge.Errors = typed, errors
			page.Charge.Next = respond.NextPath(respond.FormValue(c, views.FieldNext))
		},
	}
}

// withdraw answers POST /wallet/withdrawals.
func (s *Pages) withdraw(c *fiber.Ctx) error {
	return s.moveMoney(c, s.withdrawing(c))
}

func (s *Pages) withdrawing(*fiber.Ctx) walletForm {
	return walletForm{
		move: wallet.Withdrawing(s.Wallets), done: "flash.withdrawn", field: views.FieldWithdrawal,
		refused: map[string]string{"invalid": "fault.withdrawal", "balance_too_low": "fault.beyond_balance"},
		again: func(page *views.Wallet, typed string, errors views.FieldErrors) {
			page.Withdrawal.Amount, page.Withdrawal.Errors = typed, errors
		},
	}
}

// moveMoney moves the amount that a form asks for, and leads back to the wallet, or to where the form says.
func (s *Pages) moveMoney(c *fiber.Ctx, form walletForm) error {
	session, err := respond.Session(c)
	if err != nil {
		return err
	}
	key, err := respond.FormKey(c)
	if err != nil {
		return err
	}
	order := wallet.Order{UserID: session.UserID, Amount: postedAmount(c), IdempotencyKey: key}
	if _, _, err := form.move(c.UserContext(), order); err != nil {
		return s.walletAgain(c, form, err)
	}
	respond.SetFlash(c, views.FlashSuccess, form.done, order.Amount)
	if to := respond.NextPath(respond.FormValue(c, views.FieldNext)); to != "" {
		return respond.Redirect(c, to)
	}
	return respond.Redirect(c, views.WalletURL())
}

// postedAmount is the form's amount of won. What is no number is no amount that a wallet takes or gives, either.
func postedAmount(c *fiber.Ctx) int64 {
	amount, err := strconv.ParseInt(strings.TrimSpace(respond.FormValue(c, views.FieldAmount)), 10, 64)
	if err != nil {
		return 0
	}
	return amount
}

// walletAgain answers an order that was refused with the wallet and the form as it was filled in.
func (s *Pages) walletAgain(c *fiber.Ctx, form walletForm, err error) error {
	why, lang := respond.ProblemOf(err), respond.Lang(c)
	errors := views.FieldErrors{}
	switch key := form.refused[why.Code]; {
	case key != "":
		errors[form.field] = i18n.T(lang, key, "Min", i18n.Won(lang, wallet.MinCharge),
			"Max", i18n.Won(lang, wallet.MaxCharge))
	case why.Field != "":
		errors[why.Field] = respond.FieldSentence(lang, respond.Field{Reason: why.Code})
	default:
		return err
	}
	page, err := s.walletPage(c)
	if err != nil {
		return err
	}
	page.Path = views.WalletURL()
	form.again(&page, respond.FormValue(c, views.FieldAmount), errors)
	return respond.Render(c, why.Status, pages.Wallet(page))
}
