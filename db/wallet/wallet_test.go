package wallet_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"lunchgo/app/identity"
	"lunchgo/app/keyset"
	"lunchgo/app/reserve"
	"lunchgo/app/wallet"
	"lunchgo/db/dbtest"
	"lunchgo/db/testkit"
)

// A charge is refused under a used key, above the limit, and for an unknown user.
func TestCharge_Refuses(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	userID := h.Diners(t, 1, wallet.MaxBalance-5_000)[0]
	first := wallet.Charge{UserID: userID, Amount: 1_000, IdempotencyKey: "first"}
	if _, _, err := h.Wallets.Charge(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		name   string
		charge wallet.Charge
		want   error
	}{
		{"the key with another amount", wallet.Charge{UserID: userID, Amount: 2_000, IdempotencyKey: "first"}, wallet.ErrKeyReused},
		{"more than a wallet holds", wallet.Charge{UserID: userID, Amount: 5_000, IdempotencyKey: "more"}, wallet.ErrBalanceLimit},
		{"too little", wallet.Charge{UserID: userID, Amount: wallet.MinCharge - 1, IdempotencyKey: "little"}, wallet.ErrInvalidAmount},
		{"too much at once", wallet.Charge{UserID: userID, Amount: wallet.MaxCharge + 1, IdempotencyKey: "much"}, wallet.ErrInvalidAmount},
		{"less than nothing", wallet.Charge{UserID: userID, Amount: -5_000, IdempotencyKey: "negative"}, wallet.ErrInvalidAmount},
		{"nobody's wallet", wallet.Charge{UserID: "nobody", Amount: 1_000, IdempotencyKey: "x"}, identity.ErrInvalidSession},
	}
	for _, c := range cases {
		if _, _, err := h.Wallets.Charge(t.Context(), c.charge); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
	account, err := h.Wallets.Find(t.Context(), userID)
	if err != nil || account.Balance != wallet.MaxBalance-4_000 || account.Version != 2 {
		t.Errorf("it changed something: %+v, %v", account, err)
	}
}

func TestWithdraw_Once(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	userID := h.Diners(t, 1, 30_000)[0]
	order := wallet.Withdrawal{UserID: userID, Amount: 10_000, IdempotencyKey: "out"}
	first, account, err := h.Wallets.Withdraw(t.Context(), order)
	if err != nil || first.Amount != -10_000 || first.Kind != wallet.KindWithdrawal || account.Balance != 20_000 ||
		account.Version != 2 {
		t.Fatalf("%+v, %+v, %v", first, account, err)
	}
	// The keys of charges are others, and a repeat is answered as the first was, whatever happened since.
	charge := wallet.Charge{UserID: userID, Amount: 5_000, IdempotencyKey: "out"}
	if _, _, err := h.Wallets.Charge(t.Context(), charge); err != nil {
		t.Error(err)
	}
	again, then, err := h.Wallets.Withdraw(t.Context(), order)
	if err != nil || again != first || then != account {
		t.Errorf("again: %+v, %+v, %v, want %+v, %+v", again, then, err, first, account)
	}
	for _, c := range []struct {
		order wallet.Withdrawal
		want  error
	}{
		{wallet.Withdrawal{UserID: userID, Amount: 9_000, IdempotencyKey: "out"}, wallet.ErrKeyReused},
		{wallet.Withdrawal{UserID: userID, Amount: 25_001, IdempotencyKey: "more"}, wallet.ErrBalanceTooLow},
		{wallet.Withdrawal{UserID: "nobody", Amount: 1, IdempotencyKey: "x"}, wallet.ErrBalanceTooLow},
	} {
		if _, _, err := h.Wallets.Withdraw(t.Context(), c.order); !errors.Is(err, c.want) {
			t.Errorf("%+v: %v, want %v", c.order, err, c.want)
		}
	}
	rest := wallet.Withdrawal{UserID: userID, Amount: 25_000, IdempotencyKey: "rest"}
	if _, empty, err := h.Wallets.Withdraw(t.Context(), rest); err != nil || empty.Balance != 0 || empty.Version != 4 {
		t.Errorf("the rest: %+v, %v", empty, err)
	}
	h.CheckBooks(t)
}

func TestWallet_EmptyWithoutEntries(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	userID := h.Diners(t, 1, 0)[0]
	account, err := h.Wallets.Find(t.Context(), userID)
	if err != nil || account != (wallet.Account{UserID: userID}) {
		t.Errorf("%+v, %v", account, err)
	}
	if entries, err := h.Wallets.ListEntries(t.Context(), userID, keyset.Request{}); err != nil ||
		len(entries.Items) != 0 {
		t.Errorf("%+v, %v", entries, err)
	}
}

func TestListEntries_NewestFirst(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	userID := h.Diners(t, 1, 0)[0]
	for i := range 3 {
		charge := wallet.Charge{UserID: userID, Amount: int64(1_000 * (i + 1)), IdempotencyKey: fmt.Sprint(i)}
		if _, _, err := h.Wallets.Charge(t.Context(), charge); err != nil {
			t.Fatal(err)
		}
	}
	page, err := h.Wallets.ListEntries(t.Context(), userID, keyset.Request{Limit: 2})
	entries := page.Items
	if err != nil || len(entries) != 2 || entries[0].Amount != 3_000 || entries[0].BalanceAfter != 6_000 ||
		entries[1].Amount != 2_000 {
		t.Errorf("%+v, %v", entries, err)
	}
}

// The ledger and the audit log are append-only.
func TestSchema_AppendOnly(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	staff := h.Diners(t, 1, 1_000)[0]
	closed := true
	_, err := h.Steer(t, h.Slot("19:00"), reserve.SlotChange{Closed: &closed}, staff)
	dbtest.Must(t, err)
	for _, table := range []string{"ledger_entries", "audit_log"} {
		for _, change := range []string{"UPDATE %s SET id = DEFAULT", "DELETE FROM %s", "TRUNCATE %s"} {
			query := fmt.Sprintf(change, table)
			_, err := h.SQL().ExecContext(t.Context(), query)
			if err == nil || !strings.Contains(err.Error(), "append-only") {
				t.Errorf("%s: %v, want a refusal", query, err)
			}
		}
		if n := h.Count(t, "SELECT count(*) FROM "+table); n != 1 {
			t.Errorf("%s has %d rows, want 1", table, n)
		}
	}
}
