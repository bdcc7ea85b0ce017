package waiting

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/Shopify/toxiproxy/v2"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"
	"github.com/rs/zerolog"

	"lunchgo/db/dbtest"
	"lunchgo/db/embedded"
)

// withFallback lets a room go on without Redis.
func withFallback() Config {
	cfg := Config{Lines: quickLines}
	cfg.Lines.Fallback, cfg.Lines.Lease = true, 2*time.Second
	// after a loss of data all have a beat and a quarter to return, on a busy machine too
	cfg.Lines.Beat = 500 * time.Millisecond
	cfg.Lines.Logger = slog.New(slog.DiscardHandler)
	return cfg
}

// newHarnessWithOwnRedis has a Redis of its own, to be killed, whose clients do not wait long for it.
func newHarnessWithOwnRedis(t *testing.T, start func(testing.TB) *embedded.Server, seats int) (*harness,
	*embedded.Server) {
	t.Helper()
	server := start(t)
	h := newHarnessAt(t, server.URL, seats)
	options := *h.rdb.(*redis.Client).Options()
	options.ContextTimeoutEnabled, options.MaxRetries, options.DialerRetries = true, 1, 1
	rdb := redis.NewClient(&options)
	t.Cleanup(func() { _ = rdb.Close() })
	h.rdb = rdb
	return h, server
}

// closedHandler is a Handler that serves nobody before it is opened.
type closedHandler struct {
	*seatsHandler
	open chan struct{}
}

func (g closedHandler) Serve(ctx context.Context, turn Turn, batch []QueuedRequest) ([]Result, []Closing, error) {
	select {
	case <-g.open:
	case <-ctx.Done():
		return nil, nil, ErrUnavailable
	}
	return g.seatsHandler.Serve(ctx, turn, batch)
}

func TestRedisAway_TheRoomGoesOnAndStoresTheResultsAfterwards(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]func(testing.TB) *embedded.Server{
		"data lost": dbtest.PrivateRedis, "data kept": dbtest.PrivateDurableRedis,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, server := newHarnessWithOwnRedis(t, start, 100)
			closed := closedHandler{h.handler, make(chan struct{})}
			here, there := h.roomOf(closed, withFallback()), h.roomOf(closed, withFallback())
			before := enter(t, here, request("ann", "k"))
			server.Kill()
			during := enter(t, here, request("bob", "k"))
			dbtest.Eventually(t, "the status says that places are kept here",
				func() bool { return during.Status().Local })
			if w := enter(t, here, request("bob", "k")); w.Token() != during.Token() {
				t.Error("the same request got another ticket")
			}
			if _, err := here.Enter(t.Context(), request("bob", "other")); !errors.Is(err, ErrInProgress) {
				t.Errorf("another request within the user lock: %v", err)
			}
			dbtest.Eventually(t, "the room serves by itself", func() bool { return here.Away() == 1 })
			dbtest.Must(t, server.Revive(t.Context()))
			after := enter(t, here, request("cem", "k"))
			close(closed.open)
			for user, w := range map[string]*Watch{"ann": before, "bob": during, "cem": after} {
				if s := awaitResult(t, w); s.Result.ReservationID != "for-"+user || s.Local {
					t.Errorf("%s got %+v", user, s)
				}
			}
			// A process that is back first may serve ann in the place of one that it takes for dead: that is a repeat.
			served := map[int64]bool{}
			first := slices.DeleteFunc(h.handler.arrivals(), func(arrival int64) bool {
				repeat := served[arrival]
				served[arrival] = true
				return repeat
			})
			if len(first) != 3 || !slices.IsSorted(first) {
				t.Errorf("served in order %v, first %v", h.handler.arrivals(), first)
			}
			dbtest.Eventually(t, "the line is common again", func() bool { return here.Away() == 0 })
			for user, w := range map[string]*Watch{"ann": before, "bob": during} {
				dbtest.Eventually(t, "the other process knows the result", func() bool {
					found, err := there.Watch(t.Context(), w.Token(), user)
					if err != nil {
						return false
					}
					defer found.Close()
					return found.Status().Result.ReservationID == "for-"+user
				})
			}
		})
	}
}

// Who pressed while Redis was away can move on to another process once it is back, without having been served.
func TestRedisAway_TicketsAreStoredAfterwards(t *testing.T) {
	t.Parallel()
	h, server := newHarnessWithOwnRedis(t, dbtest.PrivateDurableRedis, 100)
	closed := closedHandler{h.handler, make(chan struct{})}
	here, there := h.roomOf(closed, withFallback()), h.roomOf(closed, withFallback())
	server.Kill()
	var watches []*Watch
	for _, user := range []string{"ann", "bob", "cem"} {
		watches = append(watches, enter(t, here, request(user, "k")))
	}
	dbtest.Must(t, here.Leave(t.Context(), watches[1].Token(), "bob"))
	if s := awaitResult(t, watches[1]); s.State != Left {
		t.Errorf("bob, who left: %+v", s)
	}
	dbtest.Must(t, server.Revive(t.Context()))
	found := map[string]*Watch{}
	for i, user := range []string{"ann", "bob", "cem"} {
		dbtest.Eventually(t, user+" is known over there", func() bool {
			w, err := there.Watch(t.Context(), watches[i].Token(), user)
			if err == nil {
				t.Cleanup(w.Close)
				found[user] = w
			}
			return err == nil
		})
	}
	close(closed.open)
	for _, user := range []string{"ann", "cem"} {
		if s := awaitResult(t, found[user]); s.Result.ReservationID != "for-"+user {
			t.Errorf("%s got %+v", user, s)
		}
	}
	if s := found["bob"].Status(); s.State != Left {
		t.Errorf("bob, who left: %+v", s)
	}
}

// Without Redis two processes may each make a ticket for the same request, and serve both in one turn.
func TestServeOnce_TwoTicketsOfOneRequestAreServedOnce(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 10)
	room := h.room(Config{})
	var batch []QueuedRequest
	for i, req := range []Request{request("ann", "k"), request("bob", "k"), request("ann", "k"), request("bob", "k2")} {
		batch = append(batch, QueuedRequest{Request: req, Ticket: fmt.Sprint(i), Arrival: int64(i)})
	}
	results, _, err := room.serveOnce(t.Context(), Turn{Line: evening}, batch)
	if err != nil || len(results) != 4 || results[2] != results[0] ||
		!slices.Equal(h.handler.arrivals(), []int64{0, 1, 3}) {
		t.Errorf("%v, %v, served %v", results, err, h.handler.arrivals())
	}
}

// keyedHandler is a Handler that knows a request again, as the database does by its key: a process that does not hear
// that another has served its ticket brings it back to the line (see the locks package).
type keyedHandler struct {
	*seatsHandler
	mu    sync.Mutex
	known map[string]Result // by user
	times int
}

func newKeyedHandler(h *seatsHandler) *keyedHandler {
	return &keyedHandler{seatsHandler: h, known: map[string]Result{}}
}

// handed returns how many requests were handed over, those that were known again included.
func (k *keyedHandler) handed() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.times
}

func (k *keyedHandler) Serve(ctx context.Context, turn Turn, batch []QueuedRequest) ([]Result, []Closing, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.times += len(batch)
	var fresh []QueuedRequest
	for _, queued := range batch {
		if _, known := k.known[queued.UserID]; !known {
			fresh = append(fresh, queued)
		}
	}
	served, closings, err := k.seatsHandler.Serve(ctx, turn, fresh)
	for i, result := range served {
		k.known[fresh[i].UserID] = result
	}
	if err != nil {
		return nil, nil, err
	}
	results := make([]Result, len(batch))
	for i, queued := range batch {
		results[i] = k.known[queued.UserID]
	}
	return results, closings, nil
}

// A process that is cut off does not hear that another has served its ticket along, and serves it again by itself: the
// handler has to know the request.
func TestRedisAway_WhatAnotherProcessServedIsHandedOverAgain(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 10)
	options := *h.rdb.(*redis.Client).Options()
	proxy := toxiproxy.NewProxy(toxiproxy.NewServer(toxiproxy.NewMetricsContainer(prometheus.NewRegistry()),
		zerolog.Nop()), "redis", "127.0.0.1:0", options.Addr)
	dbtest.Must(t, proxy.Start())
	t.Cleanup(proxy.Stop)
	options.Addr, options.MaxRetries, options.DialerRetries = proxy.Listen, 1, 1
	direct, through := h.rdb, redis.NewClient(&options)
	t.Cleanup(func() { _ = through.Close() })
	keyed := newKeyedHandler(h.handler)
	turn := h.takeTurn()
	there := h.roomOf(keyed, withFallback())
	h.rdb = through
	here := h.roomOf(keyed, withFallback())
	h.rdb = direct

	bob, ann := enter(t, there, request("bob", "k")), enter(t, here, request("ann", "k"))
	proxy.Stop()
	dbtest.Must(t, turn.Release(t.Context(), 1))
	for user, w := range map[string]*Watch{"ann": ann, "bob": bob} {
		if s := awaitResult(t, w); s.Result.ReservationID != "for-"+user {
			t.Errorf("%s got %+v", user, s)
		}
	}
	if handed := keyed.handed(); handed != 3 {
		t.Errorf("%d requests were handed over, want ann's twice", handed)
	}
	if people := slices.Sorted(slices.Values(h.handler.users())); !slices.Equal(people, []string{"ann", "bob"}) {
		t.Errorf("%v were served, want each once", people)
	}
}

// The rush goes on while Redis dies and comes back: two processes, everybody is answered, nobody twice.
func TestRedisAway_EverybodyIsServedOnceInARush(t *testing.T) {
	t.Parallel()
	const diners = 200
	h, server := newHarnessWithOwnRedis(t, dbtest.PrivateRedis, 2*diners)
	keyed := newKeyedHandler(h.handler)
	rooms := []*Room{h.roomOf(keyed, withFallback()), h.roomOf(keyed, withFallback())}
	turn := h.takeTurn()
	var pressing sync.WaitGroup
	watches := make([]*Watch, diners)
	for i := range diners {
		if i == diners/4 {
			server.Kill()
		}
		if i == diners/2 {
			dbtest.Eventually(t, "both serve by themselves",
				func() bool { return rooms[0].Away()+rooms[1].Away() == 2 })
			dbtest.Must(t, server.Revive(t.Context()))
		}
		pressing.Go(func() {
			w, err := rooms[i%2].Enter(t.Context(), request(fmt.Sprintf("diner-%d", i), "k"))
			if err != nil {
				t.Errorf("diner %d: %v", i, err)
				return
			}
			t.Cleanup(w.Close)
			watches[i] = w
		})
	}
	pressing.Wait()
	_ = turn.Return(t.Context())
	for i, w := range watches {
		if w == nil {
			continue
		}
		if s := awaitResult(t, w); s.Result.ReservationID != fmt.Sprintf("for-diner-%d", i) {
			t.Errorf("diner %d got %+v", i, s)
		}
	}
	if n := len(h.handler.arrivals()); n != diners {
		t.Errorf("%d served for %d diners", n, diners)
	}
}
