package e2e_test

import (
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"lunchgo/db/dbtest"
)

// newTrial starts three instances behind a proxy, alone on the machine as far as other trials go.
func newTrial(t *testing.T) *balanced {
	t.Helper()
	skipUnlessSoak(t)
	return newBalanced(t, 3)
}

func TestSoak_InstancesCalm(t *testing.T) {
	b := newTrial(t)
	b.rush(0, func() {}).mustNotFail(t)
}

// Requests that were under way at a killed instance, and its streams, may fail. Everybody comes back and gets a true
// answer.
func TestSoak_InstancesOneKilled(t *testing.T) {
	b := newTrial(t)
	r := b.rush(0, b.instances[0].kill)
	r.mustKeepOrder(t)
	t.Logf("%d requests and streams failed with the instance", r.HTTPErrors)
}

func TestSoak_InstancesOneStopped(t *testing.T) {
	b := newTrial(t)
	b.rush(8*time.Second, b.instances[1].terminate).mustNotFail(t)
}

func TestSoak_InstancesOneAdded(t *testing.T) {
	b := newTrial(t)
	b.rush(8*time.Second, func() {
		b.add()
		dbtest.Eventually(t, "the new one serves", func() bool { return b.servers()["i3"].sessions > 10 })
	}).mustNotFail(t)
}

func TestSoak_InstancesRolled(t *testing.T) {
	b := newTrial(t)
	b.rush(25*time.Second, func() {
		for _, instance := range b.instances {
			b.roll(instance)
		}
	}).mustNotFail(t)
}

// TestSoak_InstancesWithoutPostgres has a diner wait while PostgreSQL stands still, and so no instance is ready: they
// are asked all the same, show the place, and say to others when to come back.
func TestSoak_InstancesWithoutPostgres(t *testing.T) {
	skipUnlessSoak(t)
	b := newBalanced(t, 1)
	relay := dbtest.NewRelay(t, b.databaseURL)
	b.instances[0].terminate()
	for i := range 2 {
		instance := *b.instances[0]
		instance.settings = append(slices.Clone(instance.settings), "DATABASE_URL="+relay.URL)
		instance.start("127.0.0.1:0")
		t.Cleanup(instance.kill)
		b.instances = append(b.instances[:i], &instance)
	}
	b.reload()
	s, d := b.freeSlot("sotbul", 2), b.newDiner(0)
	line := b.holdLine(s, 0)
	var waits struct{ Ticket string }
	d.call(http.MethodPost, "/api/reservations", http.StatusTooManyRequests, s.order(), &waits)
	ask := func() (place struct {
		State    string
		Position int
	}) {
		d.call(http.MethodGet, "/api/tickets/"+waits.Ticket, http.StatusOK, nil, &place)
		return place
	}
	relay.Freeze()
	dbtest.Eventually(t, "no instance is ready", func() bool {
		servers := b.servers()
		return !servers["i0"].up && !servers["i1"].up
	})
	for range 10 {
		if place := ask(); place.State != "waiting" || place.Position != 1 {
			t.Errorf("without PostgreSQL the place is %+v", place)
		}
	}
	status, answer, err := d.try(http.MethodGet, "/api/wallet", nil)
	dbtest.Must(t, err)
	if status != http.StatusServiceUnavailable || !strings.Contains(string(answer), `"unavailable"`) {
		t.Errorf("what needs PostgreSQL is answered by %d %s", status, answer)
	}
	relay.Thaw()
	line.leave()
	dbtest.Eventually(t, "the diner has a table", func() bool { return ask().State == "reserved" })
}

// TestSoak_InstancesDrain restarts one of two instances under presses, behind a proxy that repeats nothing. With DRAIN
// each is answered all the same. The control is without it.
func TestSoak_InstancesDrain(t *testing.T) {
	skipUnlessSoak(t)
	for drain, fails := range map[string]bool{drainTime: false, "0s": true} {
		t.Run(drain, func(t *testing.T) {
			b := newBalanced(t, 2, "DRAIN="+drain, "LIMIT_PRESSES=1000000", "LIMIT_ACCOUNT_READS=1000000")
			b.once = true
			b.reload()
			failed := b.pressMeanwhile(func() {
				for range 5 {
					b.roll(b.instances[1])
				}
			})
			if t.Logf("%d presses failed", failed); (failed > 0) != fails {
				t.Errorf("some fail: %t, want %t", failed > 0, fails)
			}
		})
	}
}

// pressers is how many people press at once.
const pressers = 16

// pressMeanwhile has people press for the same slot, over and over, and returns how many presses were not answered, or
// with an error of the server. That most are refused, since each person has a table by then, is an answer.
func (b *balanced) pressMeanwhile(during func()) (failed int64) {
	b.t.Helper()
	s := b.freeSlot("sotbul", 1)
	b.setCapacity(s, pressers)
	var over atomic.Bool
	var faults atomic.Int64
	var pressing sync.WaitGroup
	for _, token := range b.seedDiners(pressers) {
		d := diner{product: b.product, token: token}
		pressing.Go(func() {
			for !over.Load() {
				status, _, err := d.try(http.MethodPost, "/api/reservations", s.order(), "Idempotency-Key", rand.Text())
				if err != nil || status >= http.StatusInternalServerError {
					faults.Add(1)
				}
			}
		})
	}
	during()
	over.Store(true)
	pressing.Wait()
	return faults.Load()
}

// TestSoak_InstancesKnowTheirVisitors signs people up from two addresses, who claim to be at others: the limit of an
// address counts by where they are, over both instances.
func TestSoak_InstancesKnowTheirVisitors(t *testing.T) {
	skipUnlessSoak(t)
	const most = 3
	b := newBalanced(t, 2, fmt.Sprintf("LIMIT_SIGNUPS=%d", most))
	for _, from := range []string{"127.0.0.2", "127.0.0.3"} {
		dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
		visitor := &http.Client{Timeout: patience, Transport: &http.Transport{DialContext: dialer.DialContext}}
		for i := range most + 1 {
			form := fmt.Sprintf(`{"email": "%s@example.com", "password": "%s", "name": "a", "phone": "010-1234-5678"}`,
				strings.ToLower(rand.Text()), password)
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.url+"/api/users",
				strings.NewReader(form))
			dbtest.Must(t, err)
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("X-Forwarded-For", fmt.Sprintf("192.0.2.%d", i))
			r.Header.Set("Forwarded", fmt.Sprintf("for=192.0.2.%d", i))
			answer, err := visitor.Do(r)
			dbtest.Must(t, err)
			dbtest.Must(t, answer.Body.Close())
			if refused := answer.StatusCode == http.StatusTooManyRequests; refused != (i == most) {
				t.Errorf("sign-up %d from %s is answered by %s", i, from, answer.Status)
			}
		}
	}
}

// quietTime is longer than any time-out of the proxy.
const quietTime = 70 * time.Second

// TestSoak_InstancesQuietStream follows a line that does not move for longer than the proxy's time-outs.
func TestSoak_InstancesQuietStream(t *testing.T) {
	skipUnlessSoak(t)
	b := newBalanced(t, 2)
	s, d := b.freeSlot("sotbul", 2), b.newDiner(0)
	line := b.holdLine(s, 0)
	var waits struct{ Ticket string }
	d.call(http.MethodPost, "/api/reservations", http.StatusTooManyRequests, s.order(), &waits)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.url+"/api/tickets/"+waits.Ticket+"/events", nil)
	dbtest.Must(t, err)
	r.Header.Set("Authorization", "Bearer "+d.token)
	answer, err := clients.Transport.RoundTrip(r)
	dbtest.Must(t, err)
	defer answer.Body.Close()
	time.AfterFunc(quietTime, line.leave)
	began := time.Now()
	events, err := io.ReadAll(answer.Body)
	if err != nil || time.Since(began) < quietTime || !strings.Contains(string(events), `"state":"reserved"`) {
		t.Errorf("after %s the stream has ended, %v:\n%s", time.Since(began), err, events)
	}
}
