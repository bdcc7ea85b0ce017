package views

import "time"

// EntryKind is the reason for a movement of money.
type EntryKind string

// Kinds of ledger entries.
const (
	EntryCharge     EntryKind = "charge"     // topped up
	EntryWithdrawal EntryKind = "withdrawal" // taken out
	EntryDeposit    EntryKind = "deposit"    // of a deposit
	EntryPrepay     EntryKind = "prepay"     // of a menu paid in advance
	EntryRefund     EntryKind = "refund"     // money came back from a reservation
	EntryChange     EntryKind = "change"     // of a change to a reservation, paid or refunded
	// what a payment provider brought for a reservation, and what goes back there
	EntryCard       EntryKind = "card"
	EntryCardRefund EntryKind = "card_refund"
	EntryGivenBack  EntryKind = "given_back" // by staff, of a reservation
	EntryOther      EntryKind = "other"
)

// LedgerEntry is a movement of money.
type LedgerEntry struct {
	At            time.Time
	Kind          EntryKind
	Amount        int64 // signed
	Balance       int64 // afterwards
	ReservationID string
	Restaurant    string // name, empty for what is for no reservation
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
