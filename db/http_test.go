package db_test

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"sync"
	"testing"
	"time"

	"lunchgo/app/token"
	"lunchgo/db/dbtest"
	"lunchgo/db/dbtest/measured"
	"lunchgo/db/pg"
	"lunchgo/db/testkit"
)

// server is the product as one server of several runs it: connections, a place in the lines and a web server of its
// own. The tests of this package can take a guard out of it.
type server struct {
	*pg.Pool
	served
}

// served is how programs reach a server: its address, and the bearer tokens that it believes.
type served struct {
	URL   string
	Token func(userID string) string
}

// servers starts so many of them on the fixture's database.
func (h *harness) servers(t *testing.T, n int) []*server {
	t.Helper()
	prefix, secret := dbtest.KeyPrefix(t), token.Secrets{rand.Text() + rand.Text()}
	all := make([]*server, n)
	for i := range all {
		all[i] = h.newServer(t, prefix, secret)
	}
	return all
}

func (h *harness) newServer(t *testing.T, prefix string, secret token.Secrets) *server {
	t.Helper()
	config := testkit.Patient
	config.URL = h.URL
	d := testkit.OpenAt(t, config)
	return &server{Pool: d, served: serve(t, d, prefix, secret)}
}

// rush is programs that send at one moment, each over a connection of its own.
type rush struct {
	t      *testing.T
	client *http.Client
	start  chan struct{}
	seated *signal        // given when the first reservation is made, or all who send at once are refused
	paid   *signal        // when the first deposit is paid, or all who send at once are refused
	first  sync.WaitGroup // those who send when the rush begins
	wg     sync.WaitGroup

	mu      sync.Mutex
	answers map[reply]int
	times   []time.Duration
	took    time.Duration // from the first to the last
	served  int           // those who got what they came for
}

// signal is given once, and seen ever after.
type signal struct {
	given chan struct{}
	once  sync.Once
}

func newSignal() *signal { return &signal{given: make(chan struct{})} }

func (s *signal) give() { s.once.Do(func() { close(s.given) }) }

// reply is an answer of the API.
type reply struct {
	Status int
	Code   string
}

func newRush(t *testing.T, n int) *rush {
	transport := &http.Transport{MaxIdleConnsPerHost: n}
	t.Cleanup(transport.CloseIdleConnections)
	return &rush{t: t, client: &http.Client{Transport: transport, Timeout: time.Minute}, start: make(chan struct{}),
		seated: newSignal(), paid: newSignal(),
		answers: map[reply]int{}}
}

// apiRequest is what a diner's program sends at a server.
type apiRequest struct {
	at     *server
	method string // POST if empty
	path   string
	userID string
	body   any             // JSON
	after  <-chan struct{} // sent once it is closed; nil: when the rush begins
}

// post sends what a diner's program has to send, when its moment has come.
func (c *rush) post(p apiRequest) {
	c.t.Helper()
	raw, err := json.Marshal(p.body)
	if err != nil {
		c.t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(c.t.Context(), cmp.Or(p.method, http.MethodPost), p.at.URL+p.path,
		bytes.NewReader(raw))
	if err != nil {
		c.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+p.at.Token(p.userID))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", rand.Text())
	request.Header.Set("Prefer", "wait=30")
	done := func() {}
	if p.after == nil {
		p.after, done = c.start, c.first.Done
		c.first.Add(1)
	}
	c.wg.Go(func() {
		defer done()
		<-p.after
		began := time.Now()
		answer := c.send(request)
		switch answer.Status {
		case http.StatusCreated:
			c.seated.give()
		case http.StatusOK:
			c.paid.give()
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.answers[answer]++
		c.times = append(c.times, time.Since(began))
	})
}

// again is how often a program comes back when the server asks for it.
const again = 5

// send sends a request, and again with the same key when the server says that it is too busy: this machine may be.
func (c *rush) send(request *http.Request) (answer reply) {
	for range again {
		answer = reply{}
		response, err := c.client.Do(request)
		if err != nil {
			c.t.Error(err)
			return answer
		}
		err = json.NewDecoder(response.Body).Decode(&answer)
		response.Body.Close()
		if answer.Status = response.StatusCode; err != nil {
			c.t.Errorf("%d: %v", answer.Status, err)
		}
		if answer.Status != http.StatusServiceUnavailable {
			break
		}
		c.t.Log("a server was too busy")
		if request.Body, err = request.GetBody(); err != nil {
			c.t.Error(err)
		}
	}
	return answer
}

// run lets everybody begin, waits for all answers, and returns how often each came.
func (c *rush) run(what string) map[reply]int {
	c.t.Helper()
	began := time.Now()
	close(c.start)
	c.first.Wait()
	c.seated.give()
	c.paid.give()
	c.wg.Wait()
	c.took = time.Since(began)
	c.t.Logf("%s: %v", what, c.answers)
	return c.answers
}

// measured logs what the rush has measured.
func (c *rush) measured(name string, sizes map[string]int) {
	c.t.Helper()
	results := measured.Times(c.times, c.took)
	results["served"], results["refused"] = float64(c.served), float64(len(c.times)-c.served)
	measured.Log(c.t, name, sizes, results)
}
