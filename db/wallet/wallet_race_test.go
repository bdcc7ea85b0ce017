package wallet_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"lunchgo/app/wallet"
	"lunchgo/db/dbtest"
	"lunchgo/db/pg"
	"lunchgo/db/testkit"
	dbwallet "lunchgo/db/wallet"
)

// processes opens the fixture's wallets as so many processes of the product do.
func processes(t testing.TB, h *testkit.Harness, n int) []*dbwallet.Store {
	t.Helper()
	var stores []*dbwallet.Store
	for range n {
		stores = append(stores, dbwallet.NewStore(h.Instance(t)))
	}
	return stores
}

// answers are what the callers of the same charge got, each with how often.
type answers map[wallet.Entry]int

// atOnce calls charge n times at the same moment, at one process after the other.
func atOnce(t *testing.T, stores []*dbwallet.Store, n int, charge func(*dbwallet.Store, int) (wallet.Entry,
	error)) answers {
	t.Helper()
	var mu sync.Mutex
	var wg sync.WaitGroup
	got := answers{}
	start := make(chan struct{})
	for i := range n {
		wg.Go(func() {
			<-start
			entry, err := charge(stores[i%len(stores)], i)
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			got[entry]++
		})
	}
	close(start)
	wg.Wait()
	return got
}

func topUp(t testing.TB, h *testkit.Harness) wallet.Charge {
	t.Helper()
	return wallet.Charge{UserID: h.Diners(t, 1, 0)[0], Amount: 30_000, IdempotencyKey: "top-up"}
}

func TestCharge_OnceForAnyRepeats(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	stores := processes(t, h, 2)
	for _, n := range []int{10, 100, 1_000} {
		charge := topUp(t, h)
		got := atOnce(t, stores, n, func(s *dbwallet.Store, _ int) (wallet.Entry, error) {
			entry, _, err := s.Charge(t.Context(), charge)
			return entry, err
		})
		account, err := h.Wallets.Find(t.Context(), charge.UserID)
		if want := (wallet.Account{UserID: charge.UserID, Balance: 30_000, Version: 1}); err != nil ||
			account != want || len(got) != 1 {
			t.Errorf("%d times: %+v and %d answers (%v), want %+v and 1", n, account, len(got), err, want)
		}
	}
}

// chargeAlone makes a charge outside the batches, so that nothing but the database keeps two of them apart.
func chargeAlone(s *dbwallet.Store, charge wallet.Charge) (wallet.Entry, error) {
	out, err := s.Move(charge.UserID, []wallet.Move{
		{Kind: wallet.KindCharge, Amount: charge.Amount, Key: dbwallet.ChargeKey(charge.IdempotencyKey)},
	})
	if err != nil {
		return wallet.Entry{}, err
	}
	return out[0].Entry, out[0].Err
}

// The account's version alone separates repeats.
func TestCharge_VersionAloneSeparatesRepeats(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	dropLedgerChecks(t, h)
	h.Weaken(dbwallet.UpdateAccount, dbtest.Meeting(8))
	charge := topUp(t, h)
	got := atOnce(t, processes(t, h, 2), 40, func(s *dbwallet.Store, _ int) (wallet.Entry, error) {
		return chargeAlone(s, charge)
	})
	if account, err := h.Wallets.Find(t.Context(), charge.UserID); err != nil || len(got) != 1 ||
		account.Balance != 30_000 {
		t.Errorf("%d answers, %+v, %v", len(got), account, err)
	}
}

// dropLedgerChecks leaves the version as all that keeps the books.
func dropLedgerChecks(t testing.TB, h *testkit.Harness) {
	t.Helper()
	h.MustExec(t, `
		DROP TRIGGER ledger_entries_continue ON ledger_entries;
		DROP TRIGGER accounts_equal_ledger ON accounts;
		DROP TRIGGER accounts_equal_ledger_new ON accounts;
		ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entries_user_key, DROP CONSTRAINT ledger_entries_user_version`)
}

// TestCharge_WithoutVersion looks whether the key is there and inserts if not, with nothing that ties the two.
func TestCharge_WithoutVersion(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	dropLedgerChecks(t, h)
	meet := dbtest.Meeting(2)
	h.Weaken(dbwallet.UpdateAccount, func(query string) string {
		return meet(dbtest.Replacing("WHERE a.version = $2", "WHERE $2::bigint IS NOT NULL")(query))
	})
	charge := topUp(t, h)
	got := atOnce(t, processes(t, h, 2), 10, func(s *dbwallet.Store, _ int) (wallet.Entry, error) {
		return chargeAlone(s, charge)
	})
	if len(got) == 1 {
		t.Error("10 charges made one entry without the version: the tests above prove nothing")
	}
}

func TestWallet_ContendedNeverFails(t *testing.T) {
	t.Parallel()
	const hot = 200
	h := testkit.Setup(t)
	userID := h.Diners(t, 1, 0)[0]
	alone := h.Diners(t, 1, 0)[0]
	got := atOnce(t, processes(t, h, 4), hot, func(s *dbwallet.Store, i int) (wallet.Entry, error) {
		charge := wallet.Charge{UserID: userID, Amount: int64(1_000 + i), IdempotencyKey: fmt.Sprint("key-", i)}
		if i%4 == 0 {
			charge.UserID = alone
			return chargeAlone(s, charge) // every one against all others
		}
		entry, _, err := s.Charge(t.Context(), charge)
		return entry, err
	})
	if len(got) != hot {
		t.Errorf("%d answers, want %d", len(got), hot)
	}
	if n := h.Count(t, `SELECT sum(version) FROM accounts`); n != hot {
		t.Errorf("%d entries, want %d", n, hot)
	}
	h.CheckBooks(t)
}

// interferer lets others move the wallet between reading and writing it.
type interferer struct {
	pg.Reader
	meddle func()
	writes int
}

func (m *interferer) List(ctx context.Context, dest any, query string, args ...any) error {
	m.writes++
	m.meddle()
	return m.Reader.List(ctx, dest, query, args...)
}

func TestWallet_LocksWhenContended(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	userID := h.Diners(t, 1, 1_000)[0]
	others := 0
	m := &interferer{Reader: h.Pool, meddle: func() {
		others++
		charge := wallet.Charge{UserID: userID, Amount: 1_000, IdempotencyKey: fmt.Sprint(others)}
		if _, _, err := h.Wallets.Charge(t.Context(), charge); err != nil {
			t.Error(err)
		}
	}}
	moves := []wallet.Move{{Kind: wallet.KindWithdrawal, Amount: -500, Key: "mine"}}
	if _, err := dbwallet.NewLedger(m, h.Pool).MoveUnlocked(t.Context(), userID, moves); !errors.Is(err,
		dbwallet.ErrMovedMeanwhile) ||
		m.writes != dbwallet.MoveAttempts {
		t.Fatalf("%v after %d attempts, want %v after %d", err, m.writes, dbwallet.ErrMovedMeanwhile, dbwallet.MoveAttempts)
	}
	waiting := make(chan error, 1)
	err := h.InTx(t.Context(), func(ctx context.Context, tx *pg.Tx) error {
		m.Reader, m.meddle = tx, func() { // they come, and have to wait
			go func() {
				_, _, err := h.Wallets.Charge(t.Context(),
					wallet.Charge{UserID: userID, Amount: 1_000, IdempotencyKey: "late"})
				waiting <- err
			}()
			dbtest.AwaitLocks(t, h.SQL(), 1)
		}
		outcomes, err := dbwallet.NewLedger(m, h.Pool).MoveLocked(ctx, userID, moves)
		if err == nil && outcomes[0].Entry.BalanceAfter != 1_000+dbwallet.MoveAttempts*1_000-500 {
			t.Errorf("%+v", outcomes[0])
		}
		return err
	})
	if err := errors.Join(err, <-waiting); err != nil {
		t.Error(err)
	}
	if account, err := h.Wallets.Find(t.Context(), userID); err != nil ||
		account.Balance != 1_500+dbwallet.MoveAttempts*1_000 ||
		account.Version != 3+dbwallet.MoveAttempts {
		t.Errorf("%+v, %v", account, err)
	}
	h.CheckBooks(t)
}
