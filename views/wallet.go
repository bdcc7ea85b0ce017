package views

import "time"

// EntryKind is why money moved.
type EntryKind string

// Kinds of ledger entries.
const (
	EntryCharge     EntryKind = "charge"     // topped up
	EntryWithdrawal EntryKind = "withdrawal" // taken out
	EntryDeposit    EntryKind = "deposit"    // a deposit was paid
	EntryPrepay     EntryKind = "prepay"     // a menu was paid in advance
	EntryRefund     EntryKind = "refund"     // money came back from a reservation
	EntryChange     EntryKind = "change"     // a reservation was changed: money was paid or came back
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
}

// ChargeForm is the form that tops the wallet up. Component: components.ChargeForm(views.ChargeForm).
type ChargeForm struct {
	Lang           string
	Presets        []int64 // offered as one press each
	Amount         string  // as typed
	Min, Max       int64
	IdempotencyKey string
	Next           string // where to go afterwards, empty for the wallet
	Errors         FieldErrors
}

// WithdrawalForm is the form that takes money out of the wallet. Its error about the amount stands under FieldWithdrawal.
// Component: components.WithdrawalForm(views.WithdrawalForm).
type WithdrawalForm struct {
	Lang           string
	Amount         string // as typed
	Balance        int64  // the most that can be taken out; with 0 there is no form
	IdempotencyKey string
	Errors         FieldErrors
}
