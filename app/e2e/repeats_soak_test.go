package e2e_test

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lib/pq"

	"lunchgo/db/dbtest"
)

// The crowd of a trial comes within a second, to three instances. One instance is killed, then all data of Redis are
// lost, then another instance is killed: at 1.2, 2.2 and 3.2 s on a machine that sells the tables in some 4 s.
const (
	repeatsCrowd  = 3000
	repeatsParty  = 2
	repeatsSeats  = 3000
	repeatsWithin = time.Second
	firstKill     = 300 // reservations are there
	dataLost      = 700
	secondKill    = 1100
)

// repeats is such a crowd, and its answers.
type repeats struct {
	t         *testing.T
	instances []*product
	slots     []slot
	keys      []string // of the diners

	mu      sync.Mutex
	answers map[string]int // by what they were
	soldOut []string       // keys of whoever got that answer, at any time
}

// TestSoak_RepeatsFindTheirReservations has each diner repeat the press under the same key at another instance, after a broken
// connection and once more when all is over. Nobody who has a reservation is refused because all seats are gone, and no press
// is answered 404. The control hides from the instances that Redis has lost its data.
func TestSoak_RepeatsFindTheirReservations(t *testing.T) {
	skipUnlessSoak(t)
	for _, trial := range []struct {
		name   string
		slots  int
		hidden bool
	}{{"one slot", 1, false}, {"96 slots", 96, false}, {"control: one slot, hidden", 1, true}} {
		t.Run(trial.name, func(t *testing.T) {
			r := newRepeats(t, trial.slots)
			r.run(trial.hidden)
			r.judge(trial.hidden)
		})
	}
}

func newRepeats(t *testing.T, slots int) *repeats {
	t.Helper()
	p := newProduct(t, "LIMIT_PRESSES=1000000")
	r := &repeats{t: t, instances: []*product{p, p.another(), p.another()}, answers: map[string]int{}}
	seats := repeatsSeats / slots
	seats += seats % repeatsParty
	for range slots {
		s := p.freeSlot("sotbul", repeatsParty)
		p.exec(`
			INSERT INTO slots (restaurant_id, service_date, service_time, capacity, fence)
			VALUES ($1, $2::date, $3::time, $4, 0)`, s.restaurantID, s.date, s.time, seats)
		r.slots = append(r.slots, s)
	}
	return r
}

func (r *repeats) run(hidden bool) {
	r.t.Helper()
	tokens := r.instances[0].seedDiners(repeatsCrowd)
	for range tokens {
		r.keys = append(r.keys, rand.Text())
	}
	begun := time.Now()
	var pressing sync.WaitGroup
	for i, token := range tokens {
		pressing.Go(func() {
			<-time.After(time.Until(begun.Add(time.Duration(i) * repeatsWithin / repeatsCrowd)))
			r.note("first: ", r.keys[i], r.press(token, r.keys[i], i, i))
		})
	}
	r.await(firstKill)
	r.instances[0].kill()
	r.await(dataLost)
	r.lose(hidden)
	r.await(secondKill)
	r.instances[1].kill()
	pressing.Wait()
	r.t.Logf("all have an answer after %s", time.Since(begun))
	again := make(chan int)
	for range 64 {
		pressing.Go(func() {
			for i := range again {
				r.note("again: ", r.keys[i], r.press(tokens[i], r.keys[i], i, 2))
			}
		})
	}
	for i := range tokens {
		again <- i
	}
	close(again)
	pressing.Wait()
}

// await waits until the crowd has so many reservations.
func (r *repeats) await(n int) {
	r.t.Helper()
	dbtest.Eventually(r.t, fmt.Sprint(n, " reservations"), func() bool {
		return r.made() >= int64(n)
	})
}

// made is how many reservations the crowd has.
func (r *repeats) made() int64 {
	r.t.Helper()
	return r.instances[0].number(`SELECT count(*) FROM reservations WHERE idempotency_key = ANY($1)`, pq.Array(r.keys))
}

// lose loses all that Redis has; hidden, it says that it has kept everything.
func (r *repeats) lose(hidden bool) {
	r.t.Helper()
	ctx := r.t.Context()
	const mark = "lunchgo:{epoch:0}"
	redis := r.instances[0].redis
	known := redis.Get(ctx, mark).Val()
	pipe := redis.TxPipeline()
	pipe.FlushAll(ctx)
	if hidden {
		pipe.Set(ctx, mark, known[:len(known)-1]+"1", 0)
	}
	_, err := pipe.Exec(ctx)
	dbtest.Must(r.t, err)
}

// press presses until there is an answer that is one, at one instance after the other, and returns its status and code.
func (r *repeats) press(token, key string, i, at int) string {
	prefer := "respond-async"
	order := r.slots[i%len(r.slots)].order()
	for deadline := time.Now().Add(2 * patience); time.Now().Before(deadline); at++ {
		d := diner{product: r.instances[at%len(r.instances)], token: token}
		status, text, err := d.try(http.MethodPost, "/api/reservations", order, "Idempotency-Key", key, "Prefer", prefer)
		var known struct{ Code string }
		_ = json.Unmarshal(text, &known) // what cannot be read has no code
		switch {
		case err != nil, status >= http.StatusInternalServerError:
			<-time.After(lookEvery)
		case status == http.StatusAccepted, status == http.StatusTooManyRequests && known.Code == "waiting":
			prefer = "wait=5"
		default:
			return strings.TrimSpace(fmt.Sprintf("%d %s", status, known.Code))
		}
	}
	return "none"
}

func (r *repeats) note(when, key, answer string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answers[when+answer]++
	if strings.HasSuffix(answer, "sold_out") {
		r.soldOut = append(r.soldOut, key)
	}
}

// judge holds the answers against the database.
func (r *repeats) judge(hidden bool) {
	r.t.Helper()
	p := r.instances[2]
	untrue := p.number(`SELECT count(*) FROM reservations WHERE idempotency_key = ANY($1)`, pq.Array(r.soldOut))
	r.t.Logf("answers: %v; %d read that all is sold out, and have a reservation", r.answers, untrue)
	if (untrue > 0) != hidden {
		r.t.Errorf("%d read that all is sold out, and have a reservation; hidden: %t", untrue, hidden)
	}
	for answer, n := range r.answers {
		if known := strings.HasSuffix(answer, ": 201") || strings.HasSuffix(answer, ": 409 sold_out"); !known {
			r.t.Errorf("%d presses were answered %s", n, answer)
		}
	}
	made := r.made()
	if answered := r.answers["again: 201"]; int64(answered) != made && !hidden {
		r.t.Errorf("%d have a reservation, and %d of them know it", made, answered)
	}
	for _, s := range r.slots {
		if n := p.number(`SELECT coalesce(sum(r.party_size), 0) - max(s.capacity)
			FROM slots s LEFT JOIN reservations r ON r.slot_id = s.id
			WHERE s.restaurant_id = $1 AND s.service_date = $2 AND s.service_time = $3`, s.restaurantID, s.date,
			s.time); n > 0 {
			r.t.Errorf("%d seats too many are sold at %s %s", n, s.date, s.time)
		}
	}
	p.run("audit")
}
