package e2e_test

import (
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"lunchgo/db/dbtest"
	"lunchgo/db/embedded"
)

// used is what an installation has used up to a moment.
type used struct {
	server, postgres float64 // processor time in ms
	wal, database    float64 // bytes
}

// usedUpTo reads the processor time of the server and of PostgreSQL's processes, and what PostgreSQL has written.
func (p *product) usedUpTo() (u used) {
	p.t.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.server.cmd.Process.Pid))
	dbtest.Must(p.t, err)
	// utime, stime
	for _, ticks := range strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))[11:13] {
		n, err := strconv.ParseFloat(ticks, 64)
		dbtest.Must(p.t, err)
		u.server += 10 * n
	}
	backend := p.number(`SELECT pg_backend_pid()`)
	cpu, err := embedded.PostgresCPU(int(backend))
	dbtest.Must(p.t, err)
	u.postgres = 1000 * cpu.Seconds()
	u.wal = float64(p.number(`SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint`))
	u.database = float64(p.number(`SELECT pg_database_size(current_database())`))
	return u
}

// What a payment costs, at two sizes; docs/scale.md has the figures. Who pays is one of 20 at a time.
func TestSoak_Costs_Payments(t *testing.T) {
	skipUnlessSoak(t)
	p := newProduct(t)
	for _, diners := range []int{125, 500} {
		s := p.freeSlot("sotbul", 2)
		p.setCapacity(s, 2*diners)
		tokens := p.seedDiners(diners)
		held := make([]string, diners)
		p.inParallel(diners, func(i int) error {
			d := diner{product: p, token: tokens[i]}
			id, err := d.insist(s, make(chan struct{}, 1))
			held[i] = id
			return err
		})
		before := p.usedUpTo()
		p.inParallel(diners, func(i int) error {
			d := diner{product: p, token: tokens[i]}
			status, answer, err := d.try(http.MethodPost, "/api/reservations/"+held[i]+"/payment",
				body{"kind": "deposit"}, "Idempotency-Key", "pay-"+held[i])
			if err == nil && status != http.StatusOK {
				err = fmt.Errorf("%d %s", status, answer)
			}
			return err
		})
		after, n := p.usedUpTo(), float64(diners)
		t.Logf("%d payments, each: server %.2f ms, PostgreSQL %.2f ms, WAL %.0f bytes, database %.0f bytes", diners,
			(after.server-before.server)/n, (after.postgres-before.postgres)/n, (after.wal-before.wal)/n,
			(after.database-before.database)/n)
	}
}

// inParallel does n things, 20 at a time.
func (p *product) inParallel(n int, do func(i int) error) {
	p.t.Helper()
	var all sync.WaitGroup
	next := make(chan int)
	for range 20 {
		all.Go(func() {
			for i := range next {
				if err := do(i); err != nil {
					p.t.Error(err)
				}
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	all.Wait()
}
