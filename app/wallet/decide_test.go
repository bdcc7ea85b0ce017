package wallet

import (
	"errors"
	"testing"
)

func TestDecide(t *testing.T) {
	t.Parallel()
	charge := func(amount int64, key string) Move { return Move{Kind: KindCharge, Amount: amount, Key: key} }
	withdraw := func(amount int64, key string) Move { return Move{Kind: KindWithdrawal, Amount: -amount, Key: key} }
	known := map[string]Entry{"old": {ID: 7, Version: 1, Amount: 500, Kind: KindCharge, BalanceAfter: 500}}
	type result struct {
		version, balance int64 // of the entry
		made             bool
		err              error
	}
	for name, c := range map[string]struct {
		balance int64
		moves   []Move
		want    []result
	}{
		"in order": {500, []Move{charge(1_000, "a"), withdraw(1_500, "b"), charge(1_000, "c")},
			[]result{{2, 1_500, true, nil}, {3, 0, true, nil}, {4, 1_000, true, nil}}},
		"a repeat of an entry": {500, []Move{charge(500, "old")}, []result{{1, 500, false, nil}}},
		"repeats among themselves": {500, []Move{charge(1_000, "a"), charge(1_000, "a"), charge(1_000, "a")},
			[]result{{2, 1_500, true, nil}, {2, 1_500, false, nil}, {2, 1_500, false, nil}}},
		"another amount under a known key": {500, []Move{charge(501, "old"), charge(1_000, "a"), charge(2_000, "a")},
			[]result{{err: ErrKeyReused}, {2, 1_500, true, nil}, {err: ErrKeyReused}}},
		"another kind under a known key": {500, []Move{{Kind: KindRefund, Amount: 500, Key: "old"}}, []result{{err: ErrKeyReused}}},
		"another reservation": {500, []Move{{Kind: KindCharge, Amount: 500, Key: "old", ReservationID: "r"}},
			[]result{{err: ErrKeyReused}}},
		"more than there is": {500, []Move{withdraw(501, "a"), withdraw(500, "b"), withdraw(1, "c")},
			[]result{{err: ErrBalanceTooLow}, {2, 0, true, nil}, {err: ErrBalanceTooLow}}},
		"a refused key may come again": {500, []Move{withdraw(1_000, "a"), charge(1_000, "b"), withdraw(1_000, "a")},
			[]result{{err: ErrBalanceTooLow}, {2, 1_500, true, nil}, {3, 500, true, nil}}},
		"more than a wallet holds": {MaxBalance, []Move{charge(1, "a"), {Kind: KindRefund, Amount: 1, Key: "b"}},
			[]result{{err: ErrBalanceLimit}, {2, MaxBalance + 1, true, nil}}},
		"nothing": {500, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			outcomes, after := Decide(Account{UserID: "u", Balance: c.balance, Version: 1}, known, c.moves)
			if len(outcomes) != len(c.want) {
				t.Fatalf("%d outcomes of %d moves", len(outcomes), len(c.want))
			}
			version, balance := int64(1), c.balance
			for i, out := range outcomes {
				if got := (result{out.Entry.Version, out.Entry.BalanceAfter, out.Made,
					nil}); got != (result{c.want[i].version, c.want[i].balance, c.want[i].made, nil}) ||
					!errors.Is(out.Err, c.want[i].err) {
					t.Errorf("move %d: %+v, %v, want %+v", i, got, out.Err, c.want[i])
				}
				if out.Made {
					version, balance = out.Entry.Version, out.Entry.BalanceAfter
				}
			}
			if after != (Account{UserID: "u", Balance: balance, Version: version}) {
				t.Errorf("afterwards %+v, want version %d and %d won", after, version, balance)
			}
		})
	}
}

func TestBoundsOfOrders(t *testing.T) {
	t.Parallel()
	for amount, want := range map[int64]error{-1: ErrInvalidAmount, 0: ErrInvalidAmount,
		MinCharge - 1: ErrInvalidAmount, MinCharge: nil, MaxCharge: nil, MaxCharge + 1: ErrInvalidAmount,
		1_000_000_000_000: ErrInvalidAmount} {
		if err := (Charge{Amount: amount}).Check(); !errors.Is(err, want) {
			t.Errorf("a charge of %d: %v, want %v", amount, err, want)
		}
	}
	for amount, want := range map[int64]error{-1: ErrInvalidWithdrawal, 0: ErrInvalidWithdrawal, 1: nil,
		MaxBalance: nil, MaxBalance + 1: ErrInvalidWithdrawal, 1_000_000_000_000: ErrInvalidWithdrawal} {
		if err := (Withdrawal{Amount: amount}).Check(); !errors.Is(err, want) {
			t.Errorf("a withdrawal of %d: %v, want %v", amount, err, want)
		}
	}
}
