package audits

import (
	"context"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"

	"lunchgo/app/audit"
	"lunchgo/db/dbtest"
)

// What the tests of package audits_test reach of the inside: they use db/testkit, which imports db.
var ReadChecks = readChecks

type Check = check

func (c check) Name() string { return c.name }
func (c check) Kind() string { return c.kind }

// LimitSlices has slices of audits end after a time.
func (s *Store) LimitSlices(limit time.Duration) { s.sliceLimit = limit }

// LargestSlice is how large the first slice of an audit is.
func LargestSlice() int { return stages[0].size }

func (s *Store) InSnapshot(ctx context.Context, readOnly bool, work func(tx *sqlx.Tx) error) error {
	return s.inSnapshot(ctx, readOnly, work)
}

// RowsRead is how many rows an audit reads of everything, or of what was touched in the last hour.
func (s *Store) RowsRead(ctx context.Context, recent bool) (n int, err error) {
	err = s.inSnapshot(ctx, false, func(tx *sqlx.Tx) (err error) {
		var within scope
		if recent {
			if within, err = readScope(ctx, tx, selectTouched, time.Now().Add(-time.Hour)); err != nil {
				return err
			}
		}
		if _, err := runChecks(ctx, tx, within, nil); err != nil {
			return err
		}
		return tx.GetContext(ctx, &n,
			`SELECT sum(seq_tup_read + COALESCE(idx_tup_fetch, 0)) FROM pg_stat_xact_user_tables`)
	})
	return n, err
}

// Tampered changes the tables past everything that guards them, runs a check on what that left, and takes it back. It
// returns what the check found in everything, and how much in what was touched in the last hour and in slices.
func Tampered(t *testing.T, tx *sqlx.Tx, check check, query, without string) (all audit.Result, recent, slices int) {
	t.Helper()
	for _, step := range []string{`SAVEPOINT untouched`, without, `SET LOCAL session_replication_role = replica`} {
		if _, err := tx.ExecContext(t.Context(), step); err != nil {
			t.Fatalf("%s: %v", step, err)
		}
	}
	changed, err := tx.ExecContext(t.Context(), query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	if n, err := changed.RowsAffected(); err != nil || n == 0 {
		t.Fatalf("%s: %d rows, %v", query, n, err)
	}
	all = found(t, tx, check, nil)
	touched, err := readScope(t.Context(), tx, selectTouched, time.Now().Add(-time.Hour))
	dbtest.Must(t, err)
	recent = found(t, tx, check, touched).Found
	for r := (round{After: stages[0].first}); r.Stage < len(stages); {
		next, err := r.next(t.Context(), tx)
		dbtest.Must(t, err)
		slices += found(t, tx, check, next).Found
	}
	if _, err := tx.ExecContext(t.Context(), `ROLLBACK TO untouched`); err != nil {
		t.Fatal(err)
	}
	return all, recent, slices
}

// found runs a check within a scope, if that has ids for it.
func found(t *testing.T, tx *sqlx.Tx, check check, within scope) (result audit.Result) {
	t.Helper()
	if _, has := within[check.kind]; !has && within != nil {
		return result
	}
	result, err := check.run(t.Context(), tx, within)
	dbtest.Must(t, err)
	return result
}
