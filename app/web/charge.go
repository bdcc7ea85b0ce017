package web

import (
	"errors"
	"strconv"
	"strings"

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

// charge answers POST /wallet/charges.
func (s *site) charge(c *fiber.Ctx) error {
	session, err := auth.Session(c)
	if err != nil {
		return err
	}
	key, err := postedKey(c)
	if err != nil {
		return err
	}
	order := wallet.Charge{UserID: session.UserID, Amount: postedAmount(c), IdempotencyKey: key}
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

// postedAmount is the form's amount of won. What is no number is no amount that a wallet takes or gives, either.
func postedAmount(c *fiber.Ctx) int64 {
	amount, err := strconv.ParseInt(strings.TrimSpace(posted(c, views.FieldAmount)), 10, 64)
	if err != nil {
		return 0
	}
	return amount
}

// chargeAgain answers a charge that was refused with the wallet, and the form as it was filled in.
func (s *site) chargeAgain(c *fiber.Ctx, err error) error {
	lang, status := frame.Lang(c), fault.Of(err).Status
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
	page, err := s.walletPage(c)
	if err != nil {
		return err
	}
	page.Path = views.WalletURL()
	page.Charge.Amount = posted(c, views.FieldAmount)
	page.Charge.Next = next(posted(c, views.FieldNext))
	page.Charge.Errors = errs
	return render(c, status, pages.Wallet(page))
}
