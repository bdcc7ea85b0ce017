package diner

import (
	"errors"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/wallet"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

// withdraw answers POST /wallet/withdrawals.
func (s *Pages) withdraw(c *fiber.Ctx) error {
	form, err := readWalletOrder(c)
	if err != nil {
		return err
	}
	order := wallet.Withdrawal{UserID: form.userID, Amount: form.amount, IdempotencyKey: form.key}
	if _, _, err := s.Wallets.Withdraw(c.UserContext(), order); err != nil {
		return s.withdrawAgain(c, err)
	}
	respond.SetFlash(c, views.FlashSuccess, "flash.withdrawn", order.Amount)
	return respond.Redirect(c, views.WalletURL())
}

// withdrawAgain answers a withdrawal that was refused with the wallet, and the form as it was filled in.
func (s *Pages) withdrawAgain(c *fiber.Ctx, err error) error {
	lang := respond.Lang(c)
	errs := views.FieldErrors{}
	switch {
	case errors.Is(err, wallet.ErrInvalidWithdrawal):
		errs[views.FieldWithdrawal] = i18n.T(lang, "fault.withdrawal")
	case errors.Is(err, wallet.ErrBalanceTooLow):
		errs[views.FieldWithdrawal] = i18n.T(lang, "fault.beyond_balance")
	case errors.Is(err, wallet.ErrKeyReused):
		errs[views.FieldForm] = i18n.T(lang, "fault.idempotency_key_reused")
	default:
		return err
	}
	return s.walletAgain(c, err, func(page *views.Wallet) {
		page.Withdrawal.Amount = respond.FormValue(c, views.FieldAmount)
		page.Withdrawal.Errors = errs
	})
}
