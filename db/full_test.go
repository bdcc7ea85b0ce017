package db

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/lib/pq"

	"lunchgo/db/dbtest"
)

// limited returns the address of a database for somebody who gets so many connections.
func limited(t *testing.T, conns int) string {
	t.Helper()
	u, err := url.Parse(dbtest.PostgresURL(t))
	dbtest.Must(t, err)
	admin := openTest(t, Config{URL: u.String()})
	name := "limited_" + strings.ToLower(rand.Text()[:12])
	role := pq.QuoteIdentifier(name)
	admin.pool.MustExec(fmt.Sprintf(`CREATE ROLE %s LOGIN PASSWORD 'none' CONNECTION LIMIT %d`, role, conns))
	t.Cleanup(func() { _, _ = admin.pool.Exec(`DROP ROLE ` + role) })
	u.User = url.UserPassword(name, "none")
	return u.String()
}

// manyCalls makes calls of both kinds on a pool, many at once, and returns how many failed. The first kind takes some
// milliseconds.
func manyCalls(ctx context.Context, db *DB, long int) (failed int) {
	var mu sync.Mutex
	var all sync.WaitGroup
	for range 40 {
		all.Go(func() {
			for range 5 {
				err := db.exec(ctx, `SELECT pg_sleep($1::integer / 1000.0)`, long)
				if err == nil {
					err = db.inTx(ctx, selectOne)
				}
				if err != nil {
					mu.Lock()
					failed++
					mu.Unlock()
				}
			}
		})
	}
	all.Wait()
	return failed
}

// Three instances that together may open more connections than the server has share what there is: hardly a
// call is refused, where the control has many.
func TestPool_OfAServerThatIsFull(t *testing.T) {
	t.Parallel()
	address := limited(t, 12)
	said := make(chan int, 1_000)
	var pools []*DB
	for range 3 { // each has one connection before any of them asks for more: one without would not start
		pools = append(pools, openTest(t, Config{URL: address, MaxConns: 8, ServerFull: func(n int) { said <- n }}))
	}
	var all sync.WaitGroup
	for _, db := range pools {
		all.Go(func() {
			if n := manyCalls(t.Context(), db, 2); n > 2 { // of 200; a busy machine may let all attempts of one be refused
				t.Errorf("%d calls failed", n)
			}
		})
	}
	all.Wait()
	if n := len(said); n == 0 || n > 12 {
		t.Errorf("it is said %d times that the server is full", n)
	}
}

// The control: pools that go on asking for more are refused, although connections come free.
func TestPool_ThatAsksForMore(t *testing.T) {
	t.Parallel()
	db := openTest(t, Config{URL: limited(t, 4), MaxConns: 40})
	db.connector.full = nil
	if manyCalls(t.Context(), db, 100) == 0 {
		t.Error("nobody is refused: the pool does not have to shrink")
	}
}
