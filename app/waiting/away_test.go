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

	"github.com/redis/go-redis/v9"

	"lunchgo/db/dbtest"
	"lunchgo/db/embedded"
)

// lonely lets a room go on without Redis.
func lonely() Config {
	cfg := Config{Lines: quickLines}
	cfg.Lines.Fallback, cfg.Lines.Lease = true, 2*time.Second
	cfg.Lines.Logger = slog.New(slog.DiscardHandler)
	return cfg
}

// newLonelyPlace has a Redis of its own, to be killed, whose clients do not wait long for it.
func newLonelyPlace(t *testing.T, start func(testing.TB) *embedded.Server, seats int) (*place, *embedded.Server) {
	t.Helper()
	server := start(t)
	p := newPlaceAt(t, server.URL, seats)
	options := *p.rdb.(*redis.Client).Options()
	options.ContextTimeoutEnabled, options.MaxRetries, options.DialerRetries = true, 1, 1
	rdb := redis.NewClient(&options)
	t.Cleanup(func() { _ = rdb.Close() })
	p.rdb = rdb
	return p, server
}

// gate is a Server that serves nobody before it is opened.
type gate struct {
	*counter
	open chan struct{}
}

func (g gate) Serve(ctx context.Context, turn Turn, run []Served) ([]Result, []Closing, error) {
	select {
	case <-g.open:
	case <-ctx.Done():
		return nil, nil, ErrUnavailable
	}
	return g.counter.Serve(ctx, turn, run)
}

func TestARoomGoesOnWithoutRedisAndTellsItAfterwards(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]func(testing.TB) *embedded.Server{
		"data lost": dbtest.PrivateRedis, "data kept": dbtest.PrivateDurableRedis,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, server := newLonelyPlace(t, start, 100)
			closed := gate{p.server, make(chan struct{})}
			here, there := p.roomOf(closed, lonely()), p.roomOf(closed, lonely())
			before := press(t, here, wish("ann", "k"))
			server.Kill()
			during := press(t, here, wish("bob", "k"))
			eventually(t, 10*time.Second, "it is told that places are kept here", func() bool { return during.Status().Local })
			if w := press(t, here, wish("bob", "k")); w.Token() != during.Token() {
				t.Error("the same press got another ticket")
			}
			if _, err := here.Enter(t.Context(), wish("bob", "other")); !errors.Is(err, ErrInProgress) {
				t.Errorf("another press within the user lock: %v", err)
			}
			eventually(t, 10*time.Second, "the room serves by itself", func() bool { return here.Away() == 1 })
			if err := server.Revive(t.Context()); err != nil {
				t.Fatal(err)
			}
			after := press(t, here, wish("cem", "k"))
			close(closed.open)
			for user, w := range map[string]*Watch{"ann": before, "bob": during, "cem": after} {
				if s := settledWithin(t, w, 15*time.Second); s.Result.ReservationID != "for-"+user || s.Local {
					t.Errorf("%s got %+v", user, s)
				}
			}
			if order := p.server.order; len(order) != 3 || !slices.IsSorted(order) {
				t.Errorf("served in order %v", order)
			}
			eventually(t, 10*time.Second, "the line is common again", func() bool { return here.Away() == 0 })
			for user, w := range map[string]*Watch{"ann": before, "bob": during} {
				eventually(t, 10*time.Second, "the other process knows the result", func() bool {
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
func TestTicketsOfATimeWithoutRedisAreStoredAfterwards(t *testing.T) {
	t.Parallel()
	p, server := newLonelyPlace(t, dbtest.PrivateDurableRedis, 100)
	closed := gate{p.server, make(chan struct{})}
	here, there := p.roomOf(closed, lonely()), p.roomOf(closed, lonely())
	server.Kill()
	var watches []*Watch
	for _, user := range []string{"ann", "bob", "cem"} {
		watches = append(watches, press(t, here, wish(user, "k")))
	}
	if err := here.Leave(t.Context(), watches[1].Token(), "bob"); err != nil {
		t.Fatal(err)
	}
	if s := settledWithin(t, watches[1], time.Second); s.State != Left {
		t.Errorf("bob, who left: %+v", s)
	}
	if err := server.Revive(t.Context()); err != nil {
		t.Fatal(err)
	}
	found := map[string]*Watch{}
	for i, user := range []string{"ann", "bob", "cem"} {
		eventually(t, 15*time.Second, user+" is known over there", func() bool {
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
		if s := settledWithin(t, found[user], 15*time.Second); s.Result.ReservationID != "for-"+user {
			t.Errorf("%s got %+v", user, s)
		}
	}
	if s := found["bob"].Status(); s.State != Left {
		t.Errorf("bob, who left: %+v", s)
	}
}

// Without Redis two processes may each give the same press a ticket, and serve both in one turn.
func TestTheSamePressInARunTwiceIsServedOnce(t *testing.T) {
	t.Parallel()
	p := newPlace(t, 10)
	room := p.room(Config{})
	var run []Served
	for i, w := range []Request{wish("ann", "k"), wish("bob", "k"), wish("ann", "k"), wish("bob", "k2")} {
		run = append(run, Served{Request: w, Ticket: fmt.Sprint(i), Arrival: int64(i)})
	}
	results, _, err := room.serve(t.Context(), Turn{Line: evening}, run)
	if err != nil || len(results) != 4 || results[2] != results[0] || !slices.Equal(p.server.order, []int64{0, 1, 3}) {
		t.Errorf("%v, %v, served %v", results, err, p.server.order)
	}
}

// The rush goes on while Redis dies and comes back: two processes, everybody is answered, nobody twice.
func TestEverybodyIsAnsweredOnceWhenRedisDiesInARush(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("waits for Redis to be given up")
	}
	const diners = 200
	p, server := newLonelyPlace(t, dbtest.PrivateRedis, 2*diners)
	rooms := []*Room{p.room(lonely()), p.room(lonely())}
	turn := p.rival()
	var pressing sync.WaitGroup
	watches := make([]*Watch, diners)
	for i := range diners {
		if i == diners/4 {
			server.Kill()
		}
		if i == diners/2 {
			eventually(t, 10*time.Second, "both serve by themselves", func() bool { return rooms[0].Away()+rooms[1].Away() == 2 })
			if err := server.Revive(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		pressing.Go(func() {
			w, err := rooms[i%2].Enter(t.Context(), wish(fmt.Sprintf("diner-%d", i), "k"))
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
		if s := settledWithin(t, w, 20*time.Second); s.Result.ReservationID != fmt.Sprintf("for-diner-%d", i) {
			t.Errorf("diner %d got %+v", i, s)
		}
	}
	if n := len(p.server.order); n != diners {
		t.Errorf("%d served for %d diners", n, diners)
	}
}
