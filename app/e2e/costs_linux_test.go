package e2e_test

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"lunchgo/db/dbtest"
	"lunchgo/db/embedded"
)

// used is what an installation has used up to a moment.
type used struct {
	server, postgres float64 // processor time in ms
	wal, database    float64 // bytes
}

// time is the processor time that the process has used so far.
func (p *process) time() time.Duration { return processTime(strconv.Itoa(p.cmd.Process.Pid)) }

// usedUpTo reads the processor time of the server and of PostgreSQL's processes, and what PostgreSQL has written.
func (p *product) usedUpTo() (u used) {
	p.t.Helper()
	u.server = ms(p.server.time())
	backend := p.number(`SELECT pg_backend_pid()`)
	cpu, err := embedded.PostgresCPU(int(backend))
	dbtest.Must(p.t, err)
	u.postgres = ms(cpu)
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

// What a diner costs at one, two and three instances behind HAProxy, with PgBouncer and a Redis Cluster of three
// masters, in turn, once all know their statements; docs/scale.md has the figures.
func TestSoak_Costs_Instances(t *testing.T) {
	skipUnlessSoak(t)
	const rounds, most = 5, 3
	var costs [most][]float64
	for range rounds {
		for i := range costs {
			t.Run(fmt.Sprint(i+1), func(t *testing.T) { costs[i] = append(costs[i], costOfDiner(t, i+1)) })
		}
	}
	for i, of := range costs {
		t.Logf("%d instances: %.3f ms a diner (%.3f to %.3f), ratio %.2f", i+1, medianOf(of), slices.Min(of),
			slices.Max(of), medianOf(of)/medianOf(costs[0]))
	}
}

// costOfDiner is what a diner of a crowd costs instances, PostgreSQL and Redis together, in ms of processor time.
func costOfDiner(t *testing.T, instances int) float64 {
	path, err := binary()
	dbtest.Must(t, err)
	database := demoDatabase(t, path)
	pooler := dbtest.PgBouncer(t, database, "pool_mode = transaction", "default_pool_size = 12")
	b := newBalanced(t, instances, "DATABASE_URL="+pooler.URL, "REDIS_URL="+dbtest.RedisCluster(t).URL())
	serverTime := func() (sum time.Duration) {
		for _, instance := range b.instances {
			sum += instance.server.time()
		}
		return sum
	}
	<-b.startRush(0)
	server, proxy := serverTime(), processTime(b.pid())
	report := <-b.startRush(0)
	server, proxy = serverTime()-server, processTime(b.pid())-proxy
	report.mustNotFail(t)
	diners := float64(report.Diners)
	sum := ms(server)/diners + *report.PostgresCPUMsPerDiner + *report.RedisCPUMsPerDiner
	t.Logf("%d instances: server %.3f ms, PostgreSQL %.3f, Redis %.3f, sum %.3f; the proxy %.3f", instances,
		ms(server)/diners, *report.PostgresCPUMsPerDiner, *report.RedisCPUMsPerDiner, sum, ms(proxy)/diners)
	return sum
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
