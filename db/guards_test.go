package db

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"lunchgo/db/dbtest"
)

// A rewrite gives a guard another statement. It runs just before the statement does, so it may also let others in.
type rewrite func(query string) string

// weakenGuard rewrites the statement of a guard from now on, in place of how it was rewritten before.
func (db *DB) weakenGuard(g guard, edit rewrite) {
	others := db.weaken.Load()
	weaken := weakening(func(at guard, query string) string {
		switch {
		case at == g:
			return edit(query)
		case others != nil:
			return (*others)(at, query)
		}
		return query
	})
	db.weaken.Store(&weaken)
}

// replacing puts another text in the place of a part of a statement. It panics when the statement has no such part: a
// control would take no guard away.
func replacing(part, with string) rewrite {
	return func(query string) string {
		if !strings.Contains(query, part) {
			panic(fmt.Sprintf("no %q in %s", part, query))
		}
		return strings.Replace(query, part, with, 1)
	}
}

// instead runs another statement with the same arguments.
func instead(query string) rewrite { return func(string) string { return query } }

// meeting holds those who come to a statement until n are there: all have read by then, and none has written. Those who
// come later, and those who wait in vain for long, go on.
func meeting(n int64) rewrite {
	var here atomic.Int64
	full := make(chan struct{})
	return func(query string) string {
		if here.Add(1) == n {
			close(full)
		}
		select {
		case <-full:
		case <-time.After(10 * time.Second):
		}
		return query
	}
}

// intact leaves a guard as it is.
func intact(query string) string { return query }

// waitingForLock is how many sessions wait for a lock in the database.
func (db *DB) waitingForLock(t testing.TB) (n int) {
	t.Helper()
	dbtest.Must(t, db.get(t.Context(), &n,
		`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`))
	return n
}

// awaitLocks waits until n sessions wait for locks.
func (db *DB) awaitLocks(t testing.TB, n int) {
	t.Helper()
	dbtest.Eventually(t, fmt.Sprintf("%d sessions wait for locks", n), func() bool { return db.waitingForLock(t) >= n })
}

// awaitLockOr waits until a session waits for a lock, or what should wait for it is over.
func (db *DB) awaitLockOr(t testing.TB, over func() bool) {
	t.Helper()
	dbtest.Eventually(t, "a session waits for a lock", func() bool { return over() || db.waitingForLock(t) > 0 })
}

// closed says whether a channel is closed.
func closed(c <-chan struct{}) func() bool {
	return func() bool {
		select {
		case <-c:
			return true
		default:
			return false
		}
	}
}
