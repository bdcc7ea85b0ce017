package e2e_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"lunchgo/app/seed"
	"lunchgo/db/dbtest"
)

// What a measurement of a pool's size loads it with: readers at once, and how many pages they read in all.
const (
	poolReaders = 32
	poolPages   = 480
)

// poolTrial is what one size of the pool came to, a figure a turn.
type poolTrial struct{ p50, p99, pages, server, postgres, rush []float64 }

// TestSoak_PoolSize reads pages that ask the database, more at once than the pool has connections, and rushes, with
// pools of several sizes in turn. It shows the times of pages, the processor time of a page, and the time of a rush.
func TestSoak_PoolSize(t *testing.T) {
	skipUnlessSoak(t)
	sizes := []int{4, 8, 12, 16, 24, 48}
	trials := map[int]*poolTrial{}
	installed := map[int]*product{}
	for _, size := range sizes {
		trials[size] = &poolTrial{}
		installed[size] = newProduct(t, fmt.Sprintf("DATABASE_CONNS=%d", size))
		installed[size].readPages(poolReaders, poolPages/4) // whatever is done only once
	}
	for range rushTurns {
		for _, size := range sizes {
			trials[size].add(installed[size])
		}
	}
	base := medianOf(trials[12].p50)
	for _, size := range sizes {
		r := trials[size]
		t.Logf(
			"%2d connections: page p50 %3.0f ms (ratio to 12: %.2f), p99 %4.0f ms, %4.0f pages a second; processor time of a page: server %.2f ms, "+
				"PostgreSQL %.2f ms; rush %.2f s", size, medianOf(r.p50), medianOf(r.p50)/base, medianOf(r.p99),
			medianOf(r.pages), medianOf(r.server), medianOf(r.postgres), medianOf(r.rush))
	}
}

// add measures one more turn.
func (r *poolTrial) add(p *product) {
	before, begun := p.usedUpTo(), time.Now()
	took, statuses := p.readPages(poolReaders, poolPages)
	pages := float64(len(took)) / time.Since(begun).Seconds()
	after := p.usedUpTo()
	if statuses[http.StatusOK] != poolPages {
		p.t.Errorf("%v: the answers were %v", p.settings, statuses)
	}
	slices.Sort(took)
	r.p50, r.p99 = append(r.p50, ms(took[len(took)/2])), append(r.p99, ms(took[len(took)*99/100]))
	r.pages = append(r.pages, pages)
	r.server = append(r.server, (after.server-before.server)/poolPages)
	r.postgres = append(r.postgres, (after.postgres-before.postgres)/poolPages)
	r.rush = append(r.rush, p.rushAt(p.databaseURL, "--diners", "1000", "--seats", "200", "--slots", "10"))
	p.t.Logf("%v: %.0f ms, %.0f ms, %.0f pages a second, rush %.2f s", p.settings, r.p50[len(r.p50)-1],
		r.p99[len(r.p99)-1], pages, r.rush[len(r.rush)-1])
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// readPages has readers read n pages that ask the database, and returns how long each took and how they were answered.
func (p *product) readPages(readers, n int) (took []time.Duration, statuses map[int]int) {
	p.t.Helper()
	diner, staff := p.account(seed.DinerEmail), p.account(seed.StaffEmail)
	evening := fmt.Sprintf("/api/staff/restaurants/%d/evening?date=%s",
		p.number(`SELECT id FROM restaurants WHERE slug = 'sotbul'`), time.Now().Format(time.DateOnly))
	statuses = map[int]int{}
	var mu sync.Mutex
	var all sync.WaitGroup
	next := make(chan int)
	for range readers {
		all.Go(func() {
			for i := range next {
				who, path := diner, []string{"/api/reservations", "/api/wallet", evening}[i%3]
				if path == evening {
					who = staff
				}
				begun := time.Now()
				status, _, err := who.try(http.MethodGet, path, nil)
				if err != nil {
					p.t.Error(err)
				}
				mu.Lock()
				took, statuses[status] = append(took, time.Since(begun)), statuses[status]+1
				mu.Unlock()
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	all.Wait()
	return took, statuses
}

// TestSoak_PoolServerFull has three instances whose pools together are larger than what PostgreSQL gives them. Nobody
// is refused: each makes do with the connections that it got, and says so once in a while.
func TestSoak_PoolServerFull(t *testing.T) {
	skipUnlessSoak(t)
	p := newProduct(t)
	address, err := url.Parse(p.databaseURL)
	dbtest.Must(t, err)
	const limited = "limited"
	_, err = p.db.ExecContext(t.Context(), `CREATE ROLE limited LOGIN PASSWORD 'none' CONNECTION LIMIT 20 IN ROLE `+
		address.User.Username())
	dbtest.Must(t, err)
	address.User = url.UserPassword(limited, "none")
	var all sync.WaitGroup
	statuses := make([]map[int]int, 3)
	for i := range statuses {
		instance := p.beside("DATABASE_URL="+address.String(), "DATABASE_CONNS=12")
		all.Go(func() {
			begun := time.Now()
			_, statuses[i] = instance.readPages(poolReaders, poolPages)
			t.Logf("instance %d read %d pages in %s", i, poolPages, time.Since(begun).Round(time.Millisecond))
		})
	}
	all.Wait()
	refused := 0
	for _, answers := range statuses {
		refused += answers[http.StatusServiceUnavailable]
		if answers[http.StatusOK]+answers[http.StatusServiceUnavailable] != poolPages {
			t.Errorf("the answers were %v", answers)
		}
	}
	said := strings.Count(p.log.String(), "PostgreSQL has no more connections")
	if said == 0 {
		t.Error("the server was not full")
	}
	t.Logf("%d of %d pages were put off; it was said %d times that the server is full", refused, 3*poolPages, said)
}
