package web

import (
	"errors"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/wallet"
	"lunchgo/app/web/auth"
	"lunchgo/app/web/fault"
	"lunchgo/app/web/flash"
	"lunchgo/app/web/frame"
	"lunchgo/views"
	"lunchgo/views/i18n"
	"lunchgo/views/pages"
)

// withdraw answers POST /wallet/withdrawals.
func (s *site) withdraw(c *fiber.Ctx) error {
	session, err := auth.Session(c)
	if err != nil {
		return err
	}
	key, err := postedKey(c)
	if err != nil {
		return err
	}
	order := wallet.Withdrawal{UserID: session.UserID, Amount: postedAmount(c), IdempotencyKey: key}
	if err = order.Check(); err == nil {
		_, _, err = s.Wallets.Withdraw(c.UserContext(), order)
	}
	if err != nil {
		return s.withdrawAgain(c, err)
	}
	flash.Set(c, views.FlashSuccess, "flash.withdrawn", order.Amount)
	return redirect(c, views.WalletURL())
}

// withdrawAgain answers a withdrawal that was refused with the wallet, and the form as it was filled in.
func (s *site) withdrawAgain(c *fiber.Ctx, err error) error {
	lang, status := frame.Lang(c), fault.Of(err).Status
	errs := views.FieldErrors{}
	switch {
	case errors.Is(err, wallet.ErrInvalidWithdrawal):
		errs[views.FieldWithdrawal] = i18n.T(lang, "fault.withdrawal")
	case errors.Is(err, wallet.ErrBalanceTooLow):
		errs[views.FieldWithdrawal] = i18n.T(lang, "fault.beyond_balance")
	case errors.Is(err, wallet.ErrKeyReused):
		errs[views.FieldForm] = i18n.T(lang, "fault.key_reused")
	default:
		return err
	}
	page, err := s.walletPage(c)
	if err != nil {
		return err
	}
	page.Path = views.WalletURL()
	page.Withdrawal.Amount = posted(c, views.FieldAmount)
	page.Withdrawal.Errors = errs
	return render(c, status, pages.Wallet(page))
}
