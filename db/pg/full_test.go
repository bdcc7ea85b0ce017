package pg

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

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
	admin.sql.MustExec(fmt.Sprintf(`CREATE ROLE %s LOGIN PASSWORD 'none' CONNECTION LIMIT %d`, role, conns))
	t.Cleanup(func() { _, _ = admin.sql.Exec(`DROP ROLE ` + role) })
	u.User = url.UserPassword(name, "none")
	return u.String()
}

// manyCalls makes calls of both kinds on a pool, many at once, and returns how many failed. The first kind takes some
// milliseconds.
func manyCalls(ctx context.Context, db *Pool, long int) (failed int) {
	var mu sync.Mutex
	var all sync.WaitGroup
	for range 40 {
		all.Go(func() {
			for range 5 {
				err := db.Exec(ctx, `SELECT pg_sleep($1::integer / 1000.0)`, long)
				if err == nil {
					err = db.InTx(ctx, selectOne)
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

// Three instances that together may open more connections than the server has share what there is: no call is refused,
// and what a pool asks for in vain is bounded, where the control asks for more again and again.
func TestPool_OfAServerThatIsFull(t *testing.T) {
	t.Parallel()
	address := limited(t, 12)
	said := make(chan int, 1_000)
	var pools []*Pool
	for range 3 { // each has one connection before any of them asks for more: one without would not start
		pools = append(pools, openTest(t, Config{URL: address, MaxConns: 8, ServerFull: func(n int) { said <- n }}))
	}
	begun := time.Now()
	var refused atomic.Int64
	var all sync.WaitGroup
	for _, db := range pools {
		countRefused(db, &refused, db.shrink)
		all.Go(func() {
			if n := manyCalls(t.Context(), db, 2); n > 0 {
				t.Errorf("%d calls failed", n)
			}
		})
	}
	all.Wait()
	// A pool says so once in a rest, and has room for seven more each time than the one that it began with.
	most := len(pools) * int(1+time.Since(begun)/fullRest)
	if n := len(said); n == 0 || n > most || int(refused.Load()) > 2*7*n {
		t.Errorf("it is said %d times that the server is full, which refused %d connections", n, refused.Load())
	}
}

// The control: a pool that goes on asking for more is refused all the time, although connections come free.
func TestPool_ThatAsksForMore(t *testing.T) {
	t.Parallel()
	db := openTest(t, Config{URL: limited(t, 4), MaxConns: 40})
	var refused atomic.Int64
	countRefused(db, &refused, func() {})
	manyCalls(t.Context(), db, 100)
	if n := refused.Load(); n <= 2*40 {
		t.Errorf("%d connections are refused: the pool does not have to shrink", n)
	}
}

// countRefused counts the connections that the server refuses a pool, and does then what is said.
func countRefused(db *Pool, refused *atomic.Int64, then func()) {
	db.connector.full = func() {
		refused.Add(1)
		then()
	}
}
