// Package wallet is the domain of money: a diner's account, the ledger that is its truth, and orders that succeed
// exactly once. Money is integer won. It imports only the standard library and how lists are cut.
package wallet

import (
	"context"
	"errors"
	"time"

	"lunchgo/app/keyset"
	"lunchgo/app/refusal"
)

// Bounds of an order and of a balance, in won. Whatever is in a wallet can be taken out again.
const (
	MinCharge     = 1_000
	MaxCharge     = 2_000_000
	MaxBalance    = 100_000_000
	MinWithdrawal = 1
	MaxWithdrawal = MaxBalance
)

// What can go wrong with a wallet.
var (
	ErrInvalidAmount     = errors.New("wallet: amount out of range")
	ErrInvalidWithdrawal = errors.New("wallet: amount of a withdrawal out of range")
	ErrBalanceTooLow     = refusal.BalanceTooLow.Because("wallet: balance too low")
	ErrBalanceLimit      = refusal.Declare(refusal.Refusal{Kind: refusal.Conflict, Code: "balance_limit", Field: "amount",
		Text: "wallet: balance would pass its limit"})
	ErrDemoOnly  = refusal.New(refusal.NotAllowed, "demo_only", "wallet: charged with play money only in a demo")
	ErrKeyReused = refusal.KeyReused.Because("wallet: idempotency key used with another amount")
)

// Account is a diner's purse. Balance is always the sum of its ledger entries, and never negative.
type Account struct {
	UserID  string
	Balance int64 // won
	Version int64 // number of entries
}

// Kind says why an entry was written.
type Kind string

// The kinds of ledger entries.
const (
	KindCharge     Kind = "charge"
	KindWithdrawal Kind = "withdrawal"
	KindDeposit    Kind = "deposit"
	KindPrepay     Kind = "prepay"
	KindRefund     Kind = "refund"
	KindChange     Kind = "change"      // of a reservation, either way
	KindCard       Kind = "card"        // what a provider brings for a reservation
	KindGivenBack  Kind = "given_back"  // by staff, for a reservation
	KindCardRefund Kind = "card_refund" // what goes back there; above zero, what the provider would not take back
)

// Entry is a line of the ledger; written once, never changed.
type Entry struct {
	ID            int64     `json:"id"`
	Version       int64     `json:"version"` // its number in the wallet, from 1
	Amount        int64     `json:"amount"`  // negative when money leaves, in won
	Kind          Kind      `json:"kind"`
	ReservationID string    `json:"reservationId,omitempty"` // not for charges and withdrawals
	BalanceAfter  int64     `json:"balanceAfter"`            // balance after it, in won
	CreatedAt     time.Time `json:"createdAt"`               // when it was written
}

// Charge is an order to put money into a wallet.
type Charge struct {
	UserID         string
	Amount         int64
	IdempotencyKey string
}

// Check returns ErrInvalidAmount unless the amount lies within MinCharge and MaxCharge.
func (c Charge) Check() error {
	if c.Amount < MinCharge || c.Amount > MaxCharge {
		return ErrInvalidAmount
	}
	return nil
}

// Withdrawal is an order to take money out of a wallet.
type Withdrawal struct {
	UserID         string
	Amount         int64 // won, above zero
	IdempotencyKey string
}

// Check returns ErrInvalidWithdrawal unless the amount lies within MinWithdrawal and MaxWithdrawal.
func (w Withdrawal) Check() error {
	if w.Amount < MinWithdrawal || w.Amount > MaxWithdrawal {
		return ErrInvalidWithdrawal
	}
	return nil
}

// Store keeps accounts and their ledgers.
type Store interface {
	// Find returns the account of a diner; an empty one if there were no entries yet.
	Find(ctx context.Context, userID string) (Account, error)
	// ListEntries returns a page of the entries, the newest first.
	ListEntries(ctx context.Context, userID string, page keyset.Request) (keyset.Page[Entry], error)
	// Charge puts money in exactly once for a key. Every repeat returns the same: the entry and the account as the
	// entry left it. Returns the errors of Charge.Check, ErrKeyReused for the same key with another amount,
	// ErrBalanceLimit.
	Charge(ctx context.Context, charge Charge) (Entry, Account, error)
	// Withdraw takes money out exactly once for a key, as Charge does. Returns the errors of Withdrawal.Check,
	// ErrKeyReused, ErrBalanceTooLow.
	Withdraw(ctx context.Context, withdrawal Withdrawal) (Entry, Account, error)
}
