package dbtest

import (
	"fmt"
	"testing"

	"github.com/jmoiron/sqlx"
)

// WaitingForLock is how many sessions wait for a lock in a database.
func WaitingForLock(t testing.TB, db *sqlx.DB) (n int) {
	t.Helper()
	Must(t, db.GetContext(t.Context(), &n,
		`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`))
	return n
}

// AwaitLocks waits until n sessions wait for locks.
func AwaitLocks(t testing.TB, db *sqlx.DB, n int) {
	t.Helper()
	Eventually(t, fmt.Sprintf("%d sessions wait for locks", n), func() bool { return WaitingForLock(t, db) >= n })
}

// AwaitLockOr waits until a session waits for a lock, or what should wait for it is over.
func AwaitLockOr(t testing.TB, db *sqlx.DB, over func() bool) {
	t.Helper()
	Eventually(t, "a session waits for a lock", func() bool { return over() || WaitingForLock(t, db) > 0 })
}
