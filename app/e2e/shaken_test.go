//go:build unix

package e2e_test

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lib/pq"

	"lunchgo/app/booking"
	"lunchgo/db/dbtest"
)

// shaken is a rush at two instances whose Redis servers are changed or broken in the middle of it, and another line
// beside it that has nothing to do with that.
type shaken struct {
	replicas
	t         *testing.T
	down      time.Duration
	instances []*product
	key       string // in Redis, beside the rush's line
	line      slot
	other     slot // in another partition, at another master of a Cluster

	fault   time.Time
	running sync.WaitGroup
	over    chan struct{} // the rush is

	mu       sync.Mutex
	answers  map[string]int // by what they were
	reserved []string
	presses  []press // that got a table

	lists  longest // of the list of slots of the other line's day
	beside longest // from a press in the other line to its answer
}

// longest is the longest time that something took, and the longest after the fault.
type longest struct{ ever, after time.Duration }

// press is one that got a table, as it is seen on the wire.
type press struct {
	id       string // of the reservation
	line     slot
	sent     time.Time
	placed   time.Time // when it was answered with a place in the line; zero: never
	answered time.Time
}

func newShaken(t *testing.T, servers replicas, down time.Duration) *shaken {
	p := newProduct(t, "REDIS_URL="+servers.url)
	s := &shaken{replicas: servers, t: t, down: down, instances: []*product{p, p.beside()}, answers: map[string]int{},
		over: make(chan struct{})}
	s.line = p.freeSlot("sotbul", 2)
	s.key = partitionKey(s.line)
	for day := firstDay; ; day++ {
		s.other = p.freeSlotFrom("sotbul", 2, day)
		if master := s.master(s.key); master == "" || s.master(partitionKey(s.other)) != master {
			break
		}
	}
	p.setCapacity(s.line, shakenTables*s.line.party)
	p.setCapacity(s.other, booking.MaxCapacity)
	return s
}

// partitionKey is a key in the slot of the Cluster in which a line lives.
func partitionKey(s slot) string { return "{" + s.line().Partition + "}" }

// run lets the crowd come and makes the fault in the middle of it.
func (s *shaken) run(faulty func(*shaken)) {
	tokens := s.instances[0].seedDiners(2 * shakenCrowd)
	begun := time.Now()
	s.fault = begun.Add(shakenAt)
	for i, token := range tokens[:shakenCrowd] {
		d := diner{product: s.instances[i%2].in(s.t), token: token}
		at := begun.Add(time.Duration(i) * time.Second / shakenPace)
		s.running.Go(func() {
			<-time.After(time.Until(at))
			_, answer := s.press(d, s.line)
			s.note(answer)
		})
	}
	var bystanders sync.WaitGroup
	bystanders.Go(func() { s.watchOther(tokens[shakenCrowd:]) })
	<-time.After(time.Until(s.fault))
	s.mu.Lock()
	s.fault = time.Now()
	s.mu.Unlock()
	faulty(s)
	s.running.Wait()
	close(s.over)
	bystanders.Wait()
}

// watchOther lists slots and presses in the other line, some ten times a second, until the rush is over.
func (s *shaken) watchOther(tokens []string) {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	var presses sync.WaitGroup
	defer presses.Wait()
	for i, token := range tokens {
		d := diner{product: s.instances[i%2].in(s.t), token: token}
		presses.Go(func() {
			begun := time.Now()
			path := fmt.Sprintf("/api/restaurants/%d/slots?date=%s", s.other.restaurantID, s.other.date)
			if status, answer, err := d.try(http.MethodGet, path, nil); status != http.StatusOK {
				s.note(fmt.Sprintf("list: %d %s %v", status, answer, err))
			}
			s.took(&s.lists, begun)
		})
		presses.Go(func() {
			begun := time.Now()
			id, answer := s.press(d, s.other)
			if id == "" {
				s.note("beside: " + answer)
			}
			s.took(&s.beside, begun)
		})
		select {
		case <-tick.C:
		case <-s.over:
			return
		}
	}
}

// press presses until there is an answer; it returns the reservation's id, if any, and the answer's status and code.
func (s *shaken) press(d diner, at slot) (id, answer string) {
	key, prefer := rand.Text(), "respond-async"
	seen := press{line: at, sent: time.Now()}
	for deadline := time.Now().Add(2 * patience); time.Now().Before(deadline); {
		status, text, err := d.try(http.MethodPost, "/api/reservations", at.order(), "Idempotency-Key", key, "Prefer",
			prefer)
		if err != nil {
			return "", err.Error()
		}
		var known struct{ ID, Code string }
		_ = json.Unmarshal(text, &known) // what cannot be read has no code
		switch {
		case status == http.StatusAccepted, status == http.StatusTooManyRequests && known.Code == "waiting":
			if prefer = "wait=10"; seen.placed.IsZero() {
				seen.placed = time.Now()
			}
		case status == http.StatusServiceUnavailable:
			s.note("come back: " + known.Code)
			<-time.After(time.Second)
		case status == http.StatusCreated:
			s.mu.Lock()
			seen.id, seen.answered = known.ID, time.Now()
			s.reserved, s.presses = append(s.reserved, known.ID), append(s.presses, seen)
			s.mu.Unlock()
			return known.ID, "reserved"
		default:
			return "", fmt.Sprintf("%d %s", status, known.Code)
		}
	}
	return "", "none"
}

func (s *shaken) note(answer string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers[answer]++
}

func (s *shaken) took(l *longest, begun time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	took := time.Since(begun)
	l.ever = max(l.ever, took)
	if !time.Now().Before(s.fault) {
		l.after = max(l.after, took)
	}
}

// audit holds the answers against the database, and says how long the line stood.
func (s *shaken) audit() {
	p := s.instances[0]
	if s.answers["reserved"] != shakenTables || s.answers["409 sold_out"] != shakenCrowd-shakenTables {
		s.t.Errorf("the answers were %v, want %d reserved and %d sold out", s.answers, shakenTables,
			shakenCrowd-shakenTables)
	}
	for answer, n := range s.answers {
		if answer != "reserved" && answer != "409 sold_out" {
			s.t.Errorf("%d times: %s", n, answer)
		}
	}
	if n := p.number(`SELECT count(*) FROM reservations WHERE id = ANY($1)`,
		pq.Array(s.reserved)); int(n) != len(s.reserved) {
		s.t.Errorf("%d reservations were answered, %d of them exist", len(s.reserved), n)
	}
	p.run("audit")
	rush, beside := s.served(s.line), s.served(s.other)
	if len(rush.at) != shakenTables {
		s.t.Errorf("there are %d reservations", len(rush.at))
	}
	s.t.Logf(
		"turns go on %s after the fault; longest stall %s; %d overtaken; the other line: longest stall %s, %d overtaken; "+
			"slowest press beside %s, list %s",
		rush.on(s.fault), rush.stall(), len(rush.overtaken), beside.stall(), len(beside.overtaken), s.beside.after,
		s.lists.after)
	if len(rush.overtaken) > 0 || rush.stall() > s.down+unusualStall {
		s.explain(rush)
	}
}

// unusualStall is how much longer than a server may be silent a line stands still at most, as a rule.
const unusualStall = 4 * time.Second

// explain logs who was overtaken, the longest gap, and what the instances logged of their lines.
func (s *shaken) explain(rush service) {
	since := func(moment time.Time) time.Duration { return moment.Sub(s.fault).Round(time.Millisecond) }
	for _, o := range rush.overtaken {
		s.t.Logf("who came at %s was served at %s, after who came at %s", since(o.came), since(o.served),
			since(o.behind))
	}
	end, length := rush.gap(time.Time{})
	s.t.Logf("the longest gap was from %s to %s", since(end.Add(-length)), since(end))
	for line := range strings.Lines(s.instances[0].log.String()) {
		if strings.Contains(line, "level=WARN") {
			s.t.Log(strings.TrimSpace(line))
		}
	}
}

// service is how a line was served.
type service struct {
	at        []time.Time // of each reservation, in order
	overtaken []overtaking
}

// overtaking is a reservation that came after one with a higher arrival number.
type overtaking struct{ came, served, behind time.Time }

func (s *shaken) served(line slot) (out service) {
	rows, err := s.instances[0].db.QueryContext(s.t.Context(), `
		SELECT r.arrival, r.created_at
		FROM reservations r
		JOIN slots s ON s.id = r.slot_id
		WHERE s.restaurant_id = $1 AND s.service_date = $2 AND s.service_time = $3
		ORDER BY r.ordinal`, line.restaurantID, line.date, line.time)
	dbtest.Must(s.t, err)
	defer rows.Close()
	highest := int64(0)
	for rows.Next() {
		var arrival int64
		var at time.Time
		dbtest.Must(s.t, rows.Scan(&arrival, &at))
		out.at = append(out.at, at)
		if arrival < highest {
			out.overtaken = append(out.overtaken, overtaking{time.UnixMicro(arrival), at, time.UnixMicro(highest)})
		}
		highest = max(highest, arrival)
	}
	dbtest.Must(s.t, rows.Err())
	slices.SortFunc(out.at, time.Time.Compare)
	return out
}

// stall is the longest time between two reservations.
func (o service) stall() time.Duration {
	_, stall := o.gap(time.Time{})
	return stall
}

// on is how long after a moment the longest gap ended that ended after it.
func (o service) on(moment time.Time) time.Duration {
	end, _ := o.gap(moment)
	return end.Sub(moment).Round(time.Millisecond)
}

// gap is the end and the length of the longest gap that ended after a moment.
func (o service) gap(moment time.Time) (end time.Time, length time.Duration) {
	for i := 1; i < len(o.at); i++ {
		if gap := o.at[i].Sub(o.at[i-1]); gap > length && o.at[i].After(moment) {
			end, length = o.at[i], gap
		}
	}
	return end, length.Round(time.Millisecond)
}
