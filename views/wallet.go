package views

import "lunchgo/app/wallet"

// LedgerEntry is a movement of money.
type LedgerEntry struct {
	wallet.Entry
	Restaurant string // name, empty for what is for no reservation
}

// Wallet is the wallet's page. Component: pages.Wallet(views.Wallet).
type Wallet struct {
	Layout     // Balance is the balance
	Charge     ChargeForm
	Withdrawal WithdrawalForm
	Entries    []LedgerEntry // latest first
	Pager      Pager
}

// ChargeForm is the form that tops the wallet up. Component: components.ChargeForm(views.ChargeForm).
type ChargeForm struct {
	Lang           string
	Presets        []int64 // one button each
	Amount         string  // as typed
	Min, Max       int64
	IdempotencyKey string
	Next           string // where to go afterwards, empty for the wallet
	Closed         bool   // no wallet is topped up here: the page says so in place of the form
	Errors         FieldErrors
}

// WithdrawalForm is the form that takes money out of the wallet. The key of an error about the amount is
// FieldWithdrawal.
// Component: components.WithdrawalForm(views.WithdrawalForm).
type WithdrawalForm struct {
	Lang           string
	Amount         string // as typed
	Balance        int64  // the most that the diner can withdraw; with 0 there is no form
	IdempotencyKey string
	Errors         FieldErrors
}
