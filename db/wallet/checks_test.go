package wallet_test

import (
	"strings"
	"testing"

	"lunchgo/app/wallet"
	"lunchgo/db/audits"
	"lunchgo/db/dbtest"
	"lunchgo/db/pg"
	"lunchgo/db/testkit"
)

// swindles are what nobody may do to the books. Each passes once the check of its name is gone.
var swindles = []struct {
	name, check, query string
}{
	{"money from nowhere", "accounts_equal_ledger", `UPDATE accounts SET balance = balance + 1 WHERE user_id = $1`},
	{"a version from nowhere", "accounts_equal_ledger", `UPDATE accounts SET version = version + 1 WHERE user_id = $1`},
	{"back to the beginning", "accounts_equal_ledger", `UPDATE accounts SET version = 0, balance = 0 WHERE user_id = $1`},
	{"an account that begins rich", "accounts_equal_ledger_new", `
		WITH u AS (
			INSERT INTO users (id, email, name, password_hash) VALUES ('rich', 'rich@example.org', $1, '') RETURNING id
		)
		INSERT INTO accounts (user_id, balance, version) VALUES ('rich', 5, 1)`},
	{"an entry without its account", "ledger_entries_continue", `
		INSERT INTO ledger_entries (user_id, version, amount, kind, idempotency_key, balance_after)
		VALUES ($1, 2, 1000, 'charge', 'x', 2000)`},
	{"an entry that tells a wrong balance", "ledger_entries_continue", `
		WITH a AS (UPDATE accounts SET balance = 9000, version = 2 WHERE user_id = $1)
		INSERT INTO ledger_entries (user_id, version, amount, kind, idempotency_key, balance_after)
		VALUES ($1, 2, 1000, 'charge', 'x', 9000)`},
	{"a number left out", "ledger_entries_continue", `
		WITH a AS (UPDATE accounts SET balance = 1000, version = 3 WHERE user_id = $1)
		INSERT INTO ledger_entries (user_id, version, amount, kind, idempotency_key, balance_after)
		VALUES ($1, 3, 1000, 'charge', 'x', 1000)`},
	{"an entry changed", "ledger_entries_append_only", `UPDATE ledger_entries SET amount = 2000 WHERE user_id = $1`},
	{"an entry deleted", "ledger_entries_append_only", `DELETE FROM ledger_entries WHERE user_id = $1`},
}

func TestSchema_RefusesUnbalancedLedger(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	for _, c := range swindles {
		t.Run(c.name, func(t *testing.T) {
			userID := h.Diners(t, 1, 1_000)[0]
			swindle := func() error {
				begun, err := h.SQL().BeginTxx(t.Context(), nil)
				dbtest.Must(t, err)
				defer func() { _ = begun.Rollback() }()
				_, err = begun.ExecContext(t.Context(), c.query, userID)
				return err
			}
			table := strings.SplitAfter(c.check, "ledger_entries")[0]
			if !strings.HasPrefix(table, "ledger_entries") {
				table = "accounts"
			}
			if err := swindle(); err == nil || !strings.Contains(err.Error(), "ledger") {
				t.Errorf("%v, want a refusal", err)
			}
			h.MustExec(t, "ALTER TABLE "+table+" DISABLE TRIGGER "+c.check)
			if err := swindle(); err != nil {
				t.Errorf("without %s it is refused too: %v", c.check, err)
			}
			h.MustExec(t, "ALTER TABLE "+table+" ENABLE TRIGGER "+c.check)
		})
	}
	h.CheckBooks(t)
}

// TestMigrate_NumbersOldEntries brings a database with moved wallets up to date.
func TestMigrate_NumbersOldEntries(t *testing.T) {
	t.Parallel()
	address := dbtest.PostgresURL(t)
	h := testkit.New(testkit.OpenAt(t, pg.Config{URL: address}), address)
	provider, err := h.Migrations(h.SQL())
	dbtest.Must(t, err)
	if _, err := provider.UpTo(t.Context(), 4); err != nil {
		t.Fatal(err)
	}
	h.MustExec(t, `
		INSERT INTO users (id, email, name, password_hash) VALUES ('a', 'a@example.org', 'A', ''), ('b', 'b@example.org', 'B', '');
		INSERT INTO accounts (user_id, balance, version) VALUES ('a', 3000, 2), ('b', 5000, 1);
		INSERT INTO ledger_entries (user_id, amount, kind, idempotency_key, balance_after)
		VALUES ('a', 1000, 'charge', '1', 1000), ('b', 5000, 'charge', '1', 5000), ('a', 2000, 'charge', '2', 3000)`)
	dbtest.Must(t, h.Migrate(t.Context()))
	if report, err := audits.NewStore(h.Pool).Audit(t.Context()); err != nil || report.Found() != 0 {
		t.Errorf("%+v, %v", report.Wrong(), err)
	}
	charge := wallet.Charge{UserID: "a", Amount: 1_000, IdempotencyKey: "3"}
	if _, account, err := h.Wallets.Charge(t.Context(), charge); err != nil || account.Version != 3 ||
		account.Balance != 4_000 {
		t.Errorf("%+v, %v", account, err)
	}
	if _, err := h.SQL().ExecContext(t.Context(), `DELETE FROM ledger_entries`); err == nil {
		t.Error("the ledger is not append-only any more")
	}
}
