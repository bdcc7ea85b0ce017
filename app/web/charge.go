package web

import (
	"errors"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/wallet"
	"lunchgo/app/web/flash"
	"lunchgo/app/web/frame"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

// charge answers POST /wallet/charges.
func (s *site) charge(c *fiber.Ctx) error {
	form, err := readWalletOrder(c)
	if err != nil {
		return err
	}
	order := wallet.Charge{UserID: form.userID, Amount: form.amount, IdempotencyKey: form.key}
	if err = order.Check(); err == nil {
		_, _, err = s.Wallets.Charge(c.UserContext(), order)
	}
	if err != nil {
		return s.chargeAgain(c, err)
	}
	flash.Set(c, views.FlashSuccess, "flash.charged", order.Amount)
	if to := next(posted(c, views.FieldNext)); to != "" {
		return redirect(c, to)
	}
	return redirect(c, views.WalletURL())
}

// chargeAgain answers a charge that was refused with the wallet, and the form as it was filled in.
func (s *site) chargeAgain(c *fiber.Ctx, err error) error {
	lang := frame.Lang(c)
	errs := views.FieldErrors{}
	switch {
	case errors.Is(err, wallet.ErrInvalidAmount):
		errs[views.FieldAmount] = i18n.T(lang, "fault.amount",
			"Min", i18n.Won(lang, wallet.MinCharge), "Max", i18n.Won(lang, wallet.MaxCharge))
	case errors.Is(err, wallet.ErrBalanceLimit):
		errs[views.FieldAmount] = i18n.T(lang, "fault.balance_limit")
	case errors.Is(err, wallet.ErrKeyReused):
		errs[views.FieldForm] = i18n.T(lang, "fault.key_reused")
	default:
		return err
	}
	return s.walletAgain(c, err, func(page *views.Wallet) {
		page.Charge.Amount = posted(c, views.FieldAmount)
		page.Charge.Next = next(posted(c, views.FieldNext))
		page.Charge.Errors = errs
	})
}
