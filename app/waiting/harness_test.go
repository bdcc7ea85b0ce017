package waiting

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"
	"go.uber.org/goleak"

	"lunchgo/app/booking"
	"lunchgo/app/token"
	"lunchgo/db/dbtest"
	"lunchgo/locks"
)

// The servers of the tests live as long as the test process; nothing else may be left.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		goleak.IgnoreAnyFunction("lunchgo/db/embedded.startChild.func1"),
		goleak.IgnoreAnyFunction("lunchgo/db/embedded.(*Server).supervise"))
}

// seatsHandler is a Handler that gives out seats in the order it is asked, and remembers that order.
type seatsHandler struct {
	mu      sync.Mutex
	seats   int
	order   []int64 // arrival numbers
	people  []string
	runs    []int   // sizes
	fails   []error // given before anything is served
	poison  string  // user whose request fails its whole batch
	refuses map[string]Result
	steered Steering
	given   map[string]Result // by user: who comes again gets what they got; nil: they are served again

	stored    map[string]Result // by user: what FindEarlier finds under any key
	storedErr error             // of FindEarlier
	asked     []int             // how many requests each FindEarlier was asked for
}

func (s *seatsHandler) Precheck(_ context.Context, req Request) (Result, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, ok := s.refuses[req.Line.Key]
	return r, ok
}

// CheckLimits refuses nobody.
func (s *seatsHandler) CheckLimits(context.Context, Request) (Result, bool) { return Result{}, false }

func (s *seatsHandler) Serve(_ context.Context, turn Turn, batch []QueuedRequest) ([]Result, []Closing, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.fails) > 0 {
		err := s.fails[0]
		s.fails = s.fails[1:]
		return nil, nil, err
	}
	if slices.ContainsFunc(batch, func(w QueuedRequest) bool { return s.poison != "" && w.UserID == s.poison }) {
		return nil, nil, errors.New("poisoned")
	}
	s.runs = append(s.runs, len(batch))
	var results []Result
	for _, w := range batch {
		if result, again := s.given[w.UserID]; again {
			results = append(results, result)
			continue
		}
		s.order, s.people = append(s.order, w.Arrival), append(s.people, w.UserID)
		if s.seats == 0 {
			results = append(results, Result{State: Rejected, Code: booking.ErrSoldOut.Code})
			continue
		}
		s.seats--
		results = append(results, Result{State: Reserved, ReservationID: "for-" + w.UserID})
		if s.given != nil {
			s.given[w.UserID] = results[len(results)-1]
		}
	}
	if s.seats == 0 {
		return results, []Closing{{turn.Line, Result{State: Rejected, Code: booking.ErrSoldOut.Code, OnHold: 7}}}, nil
	}
	return results, nil, nil
}

// arrivals returns the arrival numbers of those served, in the order of serving.
func (s *seatsHandler) arrivals() []int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.order)
}

// users returns who was served, in the order of serving.
func (s *seatsHandler) users() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.people)
}

// batchSizes returns how many each turn served.
func (s *seatsHandler) batchSizes() []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.runs)
}

// Remaining says how many seats there are.
func (s *seatsHandler) Remaining(context.Context, locks.Name) (Remaining, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return Remaining{Requests: s.seats, Seats: s.seats, Smallest: 1}, true
}

// Steering says what the test has set.
func (s *seatsHandler) Steering(context.Context, locks.Name) Steering {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.steered
}

// steer sets how all lines are steered.
func (s *seatsHandler) steer(to Steering) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.steered = to
}

func (s *seatsHandler) FindResult(_ context.Context, _ locks.Name, ticket string) (Result, error) {
	return Result{}, ErrUnknownTicket
}

// FindEarlier finds what the test has put into stored.
func (s *seatsHandler) FindEarlier(_ context.Context, requests []Request) ([]Earlier, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, len(requests))
	found := make([]Earlier, len(requests))
	for i, req := range requests {
		found[i] = Earlier{req, s.stored[req.UserID]}
	}
	return found, s.storedErr
}

// Outline keeps all of a request.
func (s *seatsHandler) Outline(req Request) Request { return req }

// LineID names a line as Redis does.
func (s *seatsHandler) LineID(line locks.Name) string { return line.First().String() }

// ParseLineID returns the line that LineID names.
func (s *seatsHandler) ParseLineID(id string) (locks.Name, error) {
	partition, key, ok := strings.Cut(id, "/")
	if !ok {
		return locks.Name{}, ErrUnknownTicket
	}
	return locks.Name{Partition: partition, Key: key}, nil
}

// lookups returns how many requests each FindEarlier was asked for.
func (s *seatsHandler) lookups() []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

// sellOut has all requests refused from now on, and users have reservations in the database.
func (s *seatsHandler) sellOut(users ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refuses = map[string]Result{evening.Key: {State: Rejected, Code: booking.ErrSoldOut.Code}}
	s.stored = map[string]Result{}
	for _, user := range users {
		s.stored[user] = Result{State: Reserved, ReservationID: "for-" + user}
	}
}

// harness is a set of rooms on one Redis: the same installation seen from several processes.
type harness struct {
	t       testing.TB
	rdb     redis.UniversalClient
	prefix  string
	handler *seatsHandler
}

func newHarness(t *testing.T, seats int) *harness { return newHarnessAt(t, dbtest.RedisURL(t), seats) }

func newHarnessAt(t testing.TB, redisURL string, seats int) *harness {
	t.Helper()
	options, err := redis.ParseURL(redisURL)
	dbtest.Must(t, err)
	rdb := redis.NewClient(options)
	t.Cleanup(func() { _ = rdb.Close() })
	return &harness{t: t, rdb: rdb, prefix: dbtest.KeyPrefix(t), handler: &seatsHandler{seats: seats}}
}

func (h *harness) room(cfg Config) *Room {
	h.t.Helper()
	return h.roomOf(h.handler, cfg)
}

// roomOf is a room whose turns are served by another Server than the harness'.
func (h *harness) roomOf(server Handler, cfg Config) *Room {
	h.t.Helper()
	cfg.Prefix, cfg.Log = h.prefix, cmp.Or(cfg.Log, slog.New(slog.DiscardHandler))
	r := Open(h.rdb, server, NewSigner(token.Secrets{"a secret of the test installation"}), cfg)
	h.t.Cleanup(func() {
		if err := r.Close(context.WithoutCancel(h.t.Context())); err != nil {
			h.t.Error(err)
		}
	})
	return r
}

var evening = locks.Name{Partition: "r1:2026-12-24", Key: "19:00"}

func request(user, key string) Request {
	return Request{Line: evening, UserID: user, IdempotencyKey: key, Payload: json.RawMessage(`{}`)}
}

// takeTurn takes the line's turn from another process, so that everyone else has to wait.
func (h *harness) takeTurn() *locks.Turn {
	h.t.Helper()
	client := locks.NewClient(h.rdb, locks.Config{Prefix: h.prefix, Node: "rival"})
	turn, err := client.Line(evening).Lock(h.t.Context(), "the-rival")
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = client.Close(context.WithoutCancel(h.t.Context())) })
	return turn
}

func enter(t *testing.T, r *Room, req Request) *Watch {
	t.Helper()
	watch, err := r.Enter(t.Context(), req)
	if err != nil {
		t.Fatalf("enter %s: %v", req.UserID, err)
	}
	t.Cleanup(watch.Close)
	return watch
}

// numberOf is the place that the line gave a ticket, which may be entering it again.
func numberOf(w *Watch) int64 {
	w.queue.mu.Lock()
	defer w.queue.mu.Unlock()
	return w.ticket.arrival
}

// awaitResult waits for a ticket's answer.
func awaitResult(t *testing.T, w *Watch) Status {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), dbtest.Patience)
	defer cancel()
	status := w.WaitForResult(ctx)
	if status.State == Waiting {
		t.Fatalf("no answer within %v: %+v", dbtest.Patience, status)
	}
	return status
}
