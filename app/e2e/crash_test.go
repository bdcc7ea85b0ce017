package e2e_test

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/lib/pq"

	"lunchgo/db/dbtest"
)

// The crowd of the crash, and for how many of them there are tables.
const (
	crowd  = 400
	tables = 150
)

// TestCrash kills the server in the middle of a rush and starts it again. Every diner's program goes on asking, with
// the same idempotency key, as the API tells it to; each has to get an answer, and every answer has to be true.
func TestCrash(t *testing.T) {
	skipShort(t)
	t.Parallel()
	p := newProduct(t)
	s := p.freeSlot("sotbul", 2)
	p.setCapacity(s, tables*s.party)
	r := &rush{product: p, slot: s, first: make(chan struct{}), entered: make(chan struct{})}
	line := p.holdLine(s, 0)
	r.press()
	dbtest.Eventually(t, "the whole crowd stands in line", func() bool { return len(r.entered) == crowd })
	line.leave()
	select {
	case <-r.first:
	case <-time.After(patience):
		t.Fatal("nobody was answered")
	}
	p.kill()
	before := r.answered()
	p.restart()
	r.wait()
	t.Logf("%d of %d had their answer when the server was killed", before, crowd)
	if before == crowd {
		t.Error("the server was killed after the rush, not in the middle of it")
	}
	r.audit()
	p.run("audit")
}

// rush is a crowd that presses at one moment.
type rush struct {
	*product
	slot    slot
	entered chan struct{} // one for each diner who is in line
	first   chan struct{} // closed by the first reservation

	mu           sync.Mutex
	once         sync.Once
	running      sync.WaitGroup
	reservations []string
	soldOut      int
	faults       []error
}

// press lets every diner's program begin.
func (r *rush) press() {
	r.t.Helper()
	r.entered = make(chan struct{}, crowd)
	for _, token := range r.seedDiners(crowd) {
		d := diner{product: r.product, token: token}
		r.running.Go(func() { r.note(d.insist(r.slot, r.entered)) })
	}
}

// note writes an answer down.
func (r *rush) note(reservation string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case err != nil:
		r.faults = append(r.faults, err)
	case reservation == "":
		r.soldOut++
	default:
		r.reservations = append(r.reservations, reservation)
		r.once.Do(func() { close(r.first) })
	}
}

func (r *rush) answered() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.reservations) + r.soldOut
}

// wait waits until everybody has an answer.
func (r *rush) wait() {
	r.t.Helper()
	done := make(chan struct{})
	go func() {
		r.running.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(2 * patience):
		r.t.Fatalf("only %d of %d have an answer", r.answered(), crowd)
	}
}

// insist presses until there is an answer: the id of the reservation, or none when it is sold out.
func (d diner) insist(s slot, entered chan<- struct{}) (reservation string, err error) {
	key := rand.Text()
	again := time.NewTicker(lookEvery)
	defer again.Stop()
	prefer := "respond-async"
	for deadline := time.Now().Add(2 * patience); time.Now().Before(deadline); {
		status, answer, err := d.try(http.MethodPost, "/api/reservations", s.order(), "Idempotency-Key", key, "Prefer",
			prefer)
		var known struct{ ID, Code string }
		switch {
		case err != nil, status == http.StatusServiceUnavailable: // the server is gone, or about to be there
			<-again.C
		case json.Unmarshal(answer, &known) != nil:
			return "", fmt.Errorf("an answer that is none: %d %s", status, answer)
		case status == http.StatusAccepted:
			entered <- struct{}{}
			prefer = "wait=10"
		case status == http.StatusTooManyRequests && known.Code == "waiting":
		case status == http.StatusCreated:
			return known.ID, nil
		case status == http.StatusConflict && known.Code == "sold_out":
			return "", nil
		default:
			return "", fmt.Errorf("a press is answered by %d %s", status, answer)
		}
	}
	return "", errors.New("no answer came")
}

// audit holds the answers against the database.
func (r *rush) audit() {
	r.t.Helper()
	for _, err := range r.faults {
		r.t.Error(err)
	}
	if len(r.reservations) != tables || r.soldOut != crowd-tables {
		r.t.Errorf("%d have a table and %d were refused, want %d and %d",
			len(r.reservations), r.soldOut, tables, crowd-tables)
	}
	of := `FROM reservations r JOIN slots s ON s.id = r.slot_id
		WHERE s.restaurant_id = $1 AND s.service_date = $2 AND s.service_time = $3`
	at := []any{r.slot.restaurantID, r.slot.date, r.slot.time}
	if n := r.number(`SELECT count(*) `+of+` AND r.id = ANY($4)`,
		append(at, pq.Array(r.reservations))...); int(n) != len(r.reservations) {
		r.t.Errorf("%d reservations were answered, and %d of them exist", len(r.reservations), n)
	}
	if n := r.number(`SELECT count(*) `+of, at...); n != tables {
		r.t.Errorf("there are %d reservations, want %d", n, tables)
	}
	if n := r.number(`SELECT coalesce(sum(r.party_size), 0) - max(s.capacity) `+of, at...); n > 0 {
		r.t.Errorf("%d seats too many are sold", n)
	}
}
