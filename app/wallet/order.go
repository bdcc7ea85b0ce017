package wallet

import "context"

// Order is an amount that a person moves into their wallet or out of it.
type Order struct {
	UserID         string
	Amount         int64 // won
	IdempotencyKey string
}

// Mover carries an order out, exactly once for a key. It returns the entry, and the account as the entry left it.
type Mover func(ctx context.Context, order Order) (Entry, Account, error)

// Charging puts money into wallets; see Store.Charge.
func Charging(store Store) Mover {
	return func(ctx context.Context, order Order) (Entry, Account, error) {
		return store.Charge(ctx, Charge(order))
	}
}

// Withdrawing takes money out of wallets; see Store.Withdraw.
func Withdrawing(store Store) Mover {
	return func(ctx context.Context, order Order) (Entry, Account, error) {
		return store.Withdraw(ctx, Withdrawal(order))
	}
}
