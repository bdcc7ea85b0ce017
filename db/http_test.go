package db

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/app/availability"
	"lunchgo/app/coupon"
	"lunchgo/app/identity"
	"lunchgo/app/reserve"
	"lunchgo/app/waiting"
	"lunchgo/app/web"
	"lunchgo/app/web/ops"
	"lunchgo/db/dbtest"
	"lunchgo/locks"
)

// server is the product as one server of several runs it: connections, a place in the lines and a web server of its own.
// The tests of this package can take a guard out of it.
type server struct {
	*DB
	url      string
	sessions *identity.Sessions
}

var quiet = slog.New(slog.DiscardHandler)

// servers starts so many of them on the fixture's database.
func (f *fixture) servers(t *testing.T, n int) []*server {
	t.Helper()
	prefix, secret := dbtest.KeyPrefix(t), []byte(rand.Text()+rand.Text())
	all := make([]*server, n)
	for i := range all {
		all[i] = f.newServer(t, prefix, secret)
	}
	return all
}

func (f *fixture) newServer(t *testing.T, prefix string, secret []byte) *server {
	t.Helper()
	address, err := redis.ParseURL(dbtest.RedisURL(t))
	if err != nil {
		t.Fatal(err)
	}
	rdb := redis.NewClient(address)
	t.Cleanup(func() { _ = rdb.Close() })
	i := &server{DB: openTest(t, Config{URL: f.url, QueryTimeout: 5 * time.Minute, LockTimeout: 2 * time.Minute})}
	users, slots := NewUserStore(i.DB), NewSlotStore(i.DB)
	i.sessions = identity.NewSessions(secret, users, time.Now, quiet)
	bookings := &reserve.Service{Catalog: &reserve.CachedCatalog{Source: NewCatalog(i.DB), MaxAge: time.Minute}, Slots: slots,
		Stocks: NewStockStore(i.DB), Reservations: NewReservationStore(i.DB), Now: time.Now, Log: quiet}
	coupons := &coupon.Service{Store: NewCouponStore(i.DB), Now: time.Now}
	desks := waiting.Dispatcher{Slots: waiting.Reservations{Bookings: bookings}, Campaigns: waiting.Coupons{Campaigns: coupons}}
	room := waiting.Open(rdb, desks, waiting.NewSigner(secret),
		waiting.Config{Prefix: prefix, Log: quiet, Lines: locks.Config{Logger: quiet}})
	cache := availability.Open(rdb, prefix, slots, quiet, nil)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := room.Close(ctx); err != nil {
			t.Error(err)
		}
		cache.Close()
	})
	bookings.Availability, bookings.Lines = cache, waiting.Lines{Room: room}
	bookings.Coupons, bookings.Room = coupons, room
	site := web.New(web.Deps{Config: web.Config{Zone: f.restaurant.Location}, Bookings: bookings, Coupons: coupons, Room: room, Log: quiet,
		Identity: &identity.Service{Store: users, Sessions: i.sessions, Now: time.Now}, Wallets: NewWalletStore(i.DB),
		Checks: map[string]ops.Check{}, Pool: i.Stats, Line: ops.NewLineMetrics()})
	i.listen(t, site)
	return i
}

func (i *server) listen(t *testing.T, site *web.Server) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	i.url = "http://" + listener.Addr().String()
	var served sync.WaitGroup
	served.Go(func() {
		if err := site.Serve(listener); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := site.Shutdown(ctx); err != nil {
			t.Error(err)
		}
		served.Wait()
	})
}

// rush is programs that send at one moment, each over a connection of its own.
type rush struct {
	t      *testing.T
	client *http.Client
	start  chan struct{}
	seated chan struct{} // closed when the first reservation is made
	once   sync.Once
	wg     sync.WaitGroup

	mu      sync.Mutex
	answers map[heard]int
	times   []time.Duration
}

// heard is an answer of the API.
type heard struct {
	Status int
	Code   string
}

func newRush(t *testing.T, n int) *rush {
	transport := &http.Transport{MaxIdleConnsPerHost: n}
	t.Cleanup(transport.CloseIdleConnections)
	return &rush{t: t, client: &http.Client{Transport: transport, Timeout: time.Minute}, start: make(chan struct{}),
		seated:  make(chan struct{}),
		answers: map[heard]int{}}
}

// press is what a diner's program sends at a server.
type press struct {
	at     *server
	method string // POST if empty
	path   string
	userID string
	body   any             // JSON
	after  <-chan struct{} // sent once it is closed; nil: when the rush begins
}

// post sends what a diner's program has to send, when its moment has come.
func (c *rush) post(p press) {
	c.t.Helper()
	raw, err := json.Marshal(p.body)
	if err != nil {
		c.t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(c.t.Context(), cmp.Or(p.method, http.MethodPost), p.at.url+p.path, bytes.NewReader(raw))
	if err != nil {
		c.t.Fatal(err)
	}
	token, _ := p.at.sessions.Issue(p.userID)
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", rand.Text())
	request.Header.Set("Prefer", "wait=30")
	if p.after == nil {
		p.after = c.start
	}
	c.wg.Go(func() {
		<-p.after
		began := time.Now()
		answer := c.send(request)
		if answer.Status == http.StatusCreated {
			c.once.Do(func() { close(c.seated) })
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.answers[answer]++
		c.times = append(c.times, time.Since(began))
	})
}

// again is how often a program that is told to come back does so.
const again = 5

// send sends a request, and again with the same key when the server says that it is too busy: this machine may be.
func (c *rush) send(request *http.Request) (answer heard) {
	for range again {
		answer = heard{}
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
func (c *rush) run(what string) map[heard]int {
	c.t.Helper()
	began := time.Now()
	close(c.start)
	c.wg.Wait()
	took := time.Since(began)
	slices.Sort(c.times)
	if n := len(c.times); n > 0 {
		c.t.Logf("%s: %d answers in %v, %.0f a second; p50 %v, p99 %v; %v", what, n, took.Round(time.Millisecond),
			float64(n)/took.Seconds(), c.times[n/2].Round(time.Millisecond), c.times[n*99/100].Round(time.Millisecond), c.answers)
	}
	return c.answers
}
