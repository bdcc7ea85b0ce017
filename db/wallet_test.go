package db

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"lunchgo/app/identity"
	"lunchgo/app/wallet"
)

// chargeAtOnce sends a charge n times at the same moment. Returns the ids of the entries that the callers were told.
func chargeAtOnce(t *testing.T, f *fixture, charge wallet.Charge, n int) map[int64]bool {
	t.Helper()
	var mu sync.Mutex
	var wg sync.WaitGroup
	ids := map[int64]bool{}
	start := make(chan struct{})
	for range n {
		wg.Go(func() {
			<-start
			entry, _, err := f.wallets.Charge(t.Context(), charge)
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			ids[entry.ID] = true
		})
	}
	close(start)
	wg.Wait()
	return ids
}

func TestChargeSucceedsOnceForAnyNumberOfRepeats(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("a thousand repeats take seconds")
	}
	f := setup(t)
	for _, n := range []int{10, 100, 1_000} {
		charge := wallet.Charge{UserID: f.diners(t, 1, 0)[0], Amount: 30_000, IdempotencyKey: "top-up"}
		ids := chargeAtOnce(t, f, charge, n)
		account, err := f.wallets.Find(t.Context(), charge.UserID)
		if want := (wallet.Account{UserID: charge.UserID, Balance: 30_000, Version: 1}); err != nil || account != want || len(ids) != 1 {
			t.Errorf("%d times: %+v and %d entries (%v), want %+v and 1", n, account, len(ids), err, want)
		}
	}
}

func TestWithoutTheKeyAChargeSucceedsOften(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("the race with the guard off goes with the one with it on")
	}
	f := setup(t)
	f.guards.findEntry = strings.Replace(findEntry, "idempotency_key = $2", "idempotency_key = $2 AND false", 1)
	f.mustExec(t, `ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entries_user_key`)
	charge := wallet.Charge{UserID: f.diners(t, 1, 0)[0], Amount: 30_000, IdempotencyKey: "top-up"}
	if ids := chargeAtOnce(t, f, charge, 100); len(ids) == 1 {
		t.Error("100 charges made one entry without the key: the test above proves nothing")
	}
}

func TestChargesUnderDifferentKeysNeverFail(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("hundreds of charges take seconds")
	}
	f := setup(t)
	userID := f.diners(t, 1, 0)[0]
	var wg sync.WaitGroup
	for i := range 200 {
		wg.Go(func() {
			charge := wallet.Charge{UserID: userID, Amount: int64(1_000 + i), IdempotencyKey: fmt.Sprint("key-", i)}
			if _, _, err := f.wallets.Charge(t.Context(), charge); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	account, err := f.wallets.Find(t.Context(), userID)
	if want := int64(200*1_000 + 199*200/2); err != nil || account.Balance != want || account.Version != 200 {
		t.Errorf("%+v (%v), want %d won in 200 entries", account, err, want)
	}
	checkBooks(t, f)
}

// checkBooks fails unless every balance is the sum of its ledger, every version the number of its entries, and every
// entry's balance the one before it and its amount.
func checkBooks(t testing.TB, f *fixture) {
	t.Helper()
	wrong := f.count(t, `
		SELECT count(*)
		FROM accounts a
		CROSS JOIN LATERAL (
			SELECT COALESCE(sum(amount), 0) AS balance, count(*) AS version
			FROM ledger_entries
			WHERE user_id = a.user_id
		) ledger
		WHERE a.balance <> ledger.balance OR a.version <> ledger.version`)
	if wrong != 0 {
		t.Errorf("%d balances are not the sum of their ledger", wrong)
	}
	wrong = f.count(t, `
		SELECT count(*)
		FROM (
			SELECT balance_after, sum(amount) OVER (PARTITION BY user_id ORDER BY id) AS running
			FROM ledger_entries
		) e
		WHERE balance_after <> running`)
	if wrong != 0 {
		t.Errorf("%d entries tell a wrong balance", wrong)
	}
}

func TestChargeRefuses(t *testing.T) {
	t.Parallel()
	f := setup(t)
	userID := f.diners(t, 1, wallet.MaxBalance-5_000)[0]
	first := wallet.Charge{UserID: userID, Amount: 1_000, IdempotencyKey: "first"}
	if _, _, err := f.wallets.Charge(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		name   string
		charge wallet.Charge
		want   error
	}{
		{"the key with another amount", wallet.Charge{UserID: userID, Amount: 2_000, IdempotencyKey: "first"}, wallet.ErrKeyReused},
		{"more than a wallet holds", wallet.Charge{UserID: userID, Amount: 5_000, IdempotencyKey: "more"}, wallet.ErrBalanceLimit},
		{"nobody's wallet", wallet.Charge{UserID: "nobody", Amount: 1_000, IdempotencyKey: "x"}, identity.ErrInvalidSession},
	}
	for _, c := range cases {
		if _, _, err := f.wallets.Charge(t.Context(), c.charge); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
	account, err := f.wallets.Find(t.Context(), userID)
	if err != nil || account.Balance != wallet.MaxBalance-4_000 || account.Version != 2 {
		t.Errorf("it changed something: %+v, %v", account, err)
	}
}

func TestWalletOfADinerWithoutEntriesIsEmpty(t *testing.T) {
	t.Parallel()
	f := setup(t)
	userID := f.diners(t, 1, 0)[0]
	account, err := f.wallets.Find(t.Context(), userID)
	if err != nil || account != (wallet.Account{UserID: userID}) {
		t.Errorf("%+v, %v", account, err)
	}
	if entries, err := f.wallets.ListEntries(t.Context(), userID, 10); err != nil || len(entries) != 0 {
		t.Errorf("%+v, %v", entries, err)
	}
}

func TestListEntriesIsNewestFirst(t *testing.T) {
	t.Parallel()
	f := setup(t)
	userID := f.diners(t, 1, 0)[0]
	for i := range 3 {
		charge := wallet.Charge{UserID: userID, Amount: int64(1_000 * (i + 1)), IdempotencyKey: fmt.Sprint(i)}
		if _, _, err := f.wallets.Charge(t.Context(), charge); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := f.wallets.ListEntries(t.Context(), userID, 2)
	if err != nil || len(entries) != 2 || entries[0].Amount != 3_000 || entries[0].BalanceAfter != 6_000 || entries[1].Amount != 2_000 {
		t.Errorf("%+v, %v", entries, err)
	}
}

func TestLedgerAndAuditLogAreAppendOnly(t *testing.T) {
	t.Parallel()
	f := setup(t)
	staff := f.diners(t, 1, 1_000)[0]
	if err := f.slots.SetClosed(t.Context(), f.turn(f.slot("19:00"), 10, 0), true, staff); err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{"ledger_entries", "audit_log"} {
		for _, change := range []string{"UPDATE %s SET id = DEFAULT", "DELETE FROM %s", "TRUNCATE %s"} {
			query := fmt.Sprintf(change, table)
			_, err := f.pool.ExecContext(t.Context(), query)
			if err == nil || !strings.Contains(err.Error(), "append-only") {
				t.Errorf("%s: %v, want a refusal", query, err)
			}
		}
		if n := f.count(t, "SELECT count(*) FROM "+table); n != 1 {
			t.Errorf("%s has %d rows, want 1", table, n)
		}
	}
}
