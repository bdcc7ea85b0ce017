package diner

import (
	"errors"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/wallet"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

// charge answers POST /wallet/charges.
func (s *Pages) charge(c *fiber.Ctx) error {
	form, err := readWalletOrder(c)
	if err != nil {
		return err
	}
	order := wallet.Charge{UserID: form.userID, Amount: form.amount, IdempotencyKey: form.key}
	if _, _, err := s.Wallets.Charge(c.UserContext(), order); err != nil {
		return s.chargeAgain(c, err)
	}
	respond.SetFlash(c, views.FlashSuccess, "flash.charged", order.Amount)
	if to := respond.NextPath(respond.FormValue(c, views.FieldNext)); to != "" {
		return respond.Redirect(c, to)
	}
	return respond.Redirect(c, views.WalletURL())
}

// chargeAgain answers a charge that was refused with the wallet, and the form as it was filled in.
func (s *Pages) chargeAgain(c *fiber.Ctx, err error) error {
	lang := respond.Lang(c)
	errs := views.FieldErrors{}
	switch {
	case errors.Is(err, wallet.ErrInvalidAmount):
		errs[views.FieldAmount] = i18n.T(lang, "fault.amount",
			"Min", i18n.Won(lang, wallet.MinCharge), "Max", i18n.Won(lang, wallet.MaxCharge))
	case errors.Is(err, wallet.ErrBalanceLimit):
		errs[views.FieldAmount] = i18n.T(lang, "fault.balance_limit")
	case errors.Is(err, wallet.ErrKeyReused):
		errs[views.FieldForm] = i18n.T(lang, "fault.idempotency_key_reused")
	default:
		return err
	}
	return s.walletAgain(c, err, func(page *views.Wallet) {
		page.Charge.Amount = respond.FormValue(c, views.FieldAmount)
		page.Charge.Next = respond.NextPath(respond.FormValue(c, views.FieldNext))
		page.Charge.Errors = errs
	})
}
