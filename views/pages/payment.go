package pages

import (
	"strconv"

	"lunchgo/app/booking"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

// paymentOption is one way to pay.
type paymentOption struct {
	kind   string
	title  string
	text   string
	amount int64
	byCard int64 // of amount
}

// paymentOptions are the ways to pay: the deposit, and the whole menu where one was chosen.
func paymentOptions(p views.Payment) []paymentOption {
	options := []paymentOption{
		{views.KindDeposit, p.T("payment.deposit"), p.T("payment.deposit_text"), p.Deposit, p.DepositByCard},
	}
	if p.Deposit == 0 && p.Discount.Use != booking.OffDeposit {
		options[0].title, options[0].text = p.T("payment.free"), p.T("payment.free_text")
	}
	if p.MenuTotal > 0 {
		options = append(options, paymentOption{
			views.KindPrepay, p.T("payment.prepay"), p.T("payment.prepay_text"), p.Prepay, p.PrepayByCard,
		})
	}
	return options
}

// payText is what the button says for a way to pay: the amount, or that it only confirms.
func payText(p views.Payment, option paymentOption) string {
	if option.amount == 0 {
		return p.T("payment.confirm")
	}
	return p.T("payment.submit", "Amount", i18n.Won(p.Lang, option.amount))
}

// payHow says where the money of a way to pay comes from; empty where nothing is paid.
func payHow(p views.Payment, option paymentOption) string {
	card, fromWallet := i18n.Won(p.Lang, option.byCard), i18n.Won(p.Lang, option.amount-option.byCard)
	switch {
	case option.amount == 0:
		return ""
	case option.byCard == 0:
		return p.T("payment.by_wallet", "Amount", fromWallet)
	case option.byCard == option.amount:
		return p.T("payment.by_card", "Amount", card)
	}
	return p.T("payment.by_both", "Amount", fromWallet, "Card", card)
}

// paysNothing returns whether there is nothing to pay either way, and so nothing that could come back.
func paysNothing(p views.Payment) bool { return p.Deposit == 0 && p.Prepay == 0 }

// discountText says what a coupon takes off.
func discountText(p views.Payment) string {
	amount := i18n.Won(p.Lang, p.Discount.Amount)
	if p.Discount.Use == booking.OffMenu {
		return p.T("payment.menu_coupon", "Amount", amount)
	}
	return p.T("payment.deposit_coupon", "Amount", amount)
}

func chosenKind(p views.Payment) string {
	if p.Kind == views.KindPrepay && p.MenuTotal > 0 {
		return views.KindPrepay
	}
	return views.KindDeposit
}

// isShort returns whether the chosen way to pay costs more than is in the wallet: then topping up comes before paying.
func isShort(p views.Payment) bool {
	if chosenKind(p) == views.KindPrepay {
		return p.Shortage(p.Prepay) > 0
	}
	return p.Shortage(p.Deposit) > 0
}

// shortage is what the wallet lacks for the chosen way to pay, or for the other one if the chosen one is affordable.
func shortage(p views.Payment) int64 {
	amounts := []int64{p.Deposit, p.Prepay}
	if chosenKind(p) == views.KindPrepay {
		amounts[0], amounts[1] = amounts[1], amounts[0]
	}
	if lack := p.Shortage(amounts[0]); lack > 0 {
		return lack
	}
	return p.Shortage(amounts[1])
}

// chargeStep is the multiple to which an amount to top up is rounded, in won.
const chargeStep = 1_000

// chargeFor is the top-up form with the missing amount filled in.
func chargeFor(p views.Payment) views.ChargeForm {
	form := p.Charge
	if form.Amount == "" {
		needed := max(shortage(p), form.Min)
		form.Amount = strconv.FormatInt((needed+chargeStep-1)/chargeStep*chargeStep, 10)
	}
	return form
}
