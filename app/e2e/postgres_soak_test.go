//go:build unix

package e2e_test

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/lib/pq"

	"lunchgo/app/booking"
	"lunchgo/db/dbtest"
	"lunchgo/db/embedded"
)

// TestSoak_PostgresRestarts runs rushes at two instances whose PostgreSQL ends in the middle and comes back: everybody
// is answered, the answers are true, and whoever asks meanwhile is asked to come back.
func TestSoak_PostgresRestarts(t *testing.T) {
	skipUnlessSoak(t)
	for _, trial := range []struct {
		name   string
		faulty func(t *testing.T, p *product, server *embedded.Server)
	}{
		{"all connections ended", func(_ *testing.T, p *product, _ *embedded.Server) {
			p.number(`SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = 'lunchgo'`)
		}},
		{"fast restart", func(t *testing.T, p *product, _ *embedded.Server) {
			pid, err := strconv.Atoi(strings.Split(p.texts(`SELECT pg_read_file('postmaster.pid')`)[0], "\n")[0])
			dbtest.Must(t, err)
			dbtest.Must(t, syscall.Kill(pid, syscall.SIGINT))
		}},
		{"killed, back after 2 s", func(t *testing.T, _ *product, server *embedded.Server) {
			server.Kill()
			<-time.After(2 * time.Second)
			dbtest.Must(t, server.Revive(t.Context()))
		}},
	} {
		t.Run(trial.name, func(t *testing.T) {
			server := dbtest.PrivatePostgres(t)
			p := productAt(t, server.URL)
			s := &shaken{t: t, instances: []*product{p, p.beside()}, answers: map[string]int{},
				over: make(chan struct{})}
			s.line, s.other = p.freeSlot("sotbul", 2), p.freeSlot("sotbul", 2)
			p.setCapacity(s.line, shakenTables*s.line.party)
			p.setCapacity(s.other, booking.MaxCapacity)
			s.run(func(*shaken) { trial.faulty(t, p, server) })
			s.auditRestart()
		})
	}
}

// auditRestart holds the answers against the database. Only 503 may be an answer that has to be asked for again.
func (s *shaken) auditRestart() {
	p := s.instances[0]
	if s.answers["reserved"] != shakenTables || s.answers["409 sold_out"] != shakenCrowd-shakenTables {
		s.t.Errorf("the answers were %v, want %d reserved and %d sold out", s.answers, shakenTables,
			shakenCrowd-shakenTables)
	}
	for answer, n := range s.answers {
		if strings.Contains(answer, "50") && !strings.Contains(answer, "503") || strings.Contains(answer, "EOF") {
			s.t.Errorf("%d times: %s", n, answer)
		}
	}
	if n := p.number(`SELECT count(*) FROM reservations WHERE id = ANY($1)`,
		pq.Array(s.reserved)); int(n) != len(s.reserved) {
		s.t.Errorf("%d reservations were answered, %d of them exist", len(s.reserved), n)
	}
	if n := p.number(`SELECT count(*) - count(DISTINCT user_id) FROM reservations r JOIN slots s ON s.id = r.slot_id
		WHERE s.service_date = $1 AND s.service_time = $2`, s.line.date, s.line.time); n != 0 {
		s.t.Errorf("%d have two tables", n)
	}
	p.run("audit")
	rush := s.served(s.line)
	if len(rush.at) != shakenTables {
		s.t.Errorf("there are %d reservations", len(rush.at))
	}
	s.t.Logf(
		"turns go on %s after the fault; longest stall %s; %d overtaken; slowest press beside %s, list %s; answers %v",
		rush.on(s.fault), rush.stall(), len(rush.overtaken), s.beside.after, s.lists.after, s.answers)
}

// rushTurns is how often a rush is repeated, each way in turn.
const rushTurns = 3

// TestSoak_PgBouncer runs rushes at two instances whose database is behind a PgBouncer with ten server connections, and
// the same ones without it.
func TestSoak_PgBouncer(t *testing.T) {
	skipUnlessSoak(t)
	p := newProduct(t)
	pooled := dbtest.PgBouncer(t, p.databaseURL, "pool_mode = transaction", "default_pool_size = 10").URL
	for _, crowd := range [][]string{{"--diners", "1000", "--seats", "2000"},
		{"--diners", "2000", "--seats", "20", "--party", "2"}} {
		took := map[string][]float64{}
		for range rushTurns {
			for way, address := range map[string]string{"direct": p.databaseURL, "PgBouncer": pooled} {
				took[way] = append(took[way], p.rushAt(address, crowd...))
			}
		}
		direct, through := medianOf(took["direct"]), medianOf(took["PgBouncer"])
		t.Logf("%v: direct %.2f s, through PgBouncer %.2f s, ratio %.2f", crowd, direct, through, through/direct)
	}
}

// medianOf is the median.
func medianOf(of []float64) float64 { return slices.Sorted(slices.Values(of))[len(of)/2] }

// rushAt lets the product's own command rush at two instances on the database at an address and returns how many
// seconds it took. Nothing may be oversold, out of order, failed or unanswered.
func (p *product) rushAt(address string, flags ...string) float64 {
	p.t.Helper()
	path, err := binary()
	dbtest.Must(p.t, err)
	cmd := exec.Command(path, append([]string{"rush", "--json", "--instances", "2"}, flags...)...)
	cmd.Env = append(environment(address, p.redisServer.URL, "127.0.0.1:0"), p.settings...)
	out, err := cmd.Output()
	var report struct {
		TotalSeconds float64
		Reserved     int
	}
	if err != nil || json.Unmarshal(out, &report) != nil {
		p.t.Fatal(fmt.Errorf("rush %v: %w: %s", flags, err, out))
	}
	return report.TotalSeconds
}
