package waiting

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"lunchgo/db/dbtest"
	"lunchgo/locks"
)

// failsInSteps is a Handler whose calls fail as the steps say, one step a call; nil serves. Further calls serve. Whom a
// process served in a turn that it lost, another may serve again before it hears of the result: like the database, it
// then answers the same.
type failsInSteps struct {
	*seatsHandler
	steps []func(context.Context) error // guarded by the handler's mu, as is what follows
	made  map[string]Result             // by ticket
}

func newFailsInSteps(seats *seatsHandler, steps ...func(context.Context) error) *failsInSteps {
	return &failsInSteps{seatsHandler: seats, steps: steps, made: map[string]Result{}}
}

func (h *failsInSteps) Serve(ctx context.Context, turn Turn, batch []QueuedRequest) ([]Result, []Closing, error) {
	if step := h.next(); step != nil {
		return nil, nil, step(ctx)
	}
	fresh := h.withoutKnown(batch)
	made, closings, err := h.seatsHandler.Serve(ctx, turn, fresh)
	if err != nil {
		return nil, nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for i, queued := range fresh {
		h.made[queued.Ticket] = made[i]
	}
	var results []Result
	for _, queued := range batch {
		results = append(results, h.made[queued.Ticket])
	}
	return results, closings, nil
}

// withoutKnown returns those of a batch whom another process has not served before.
func (h *failsInSteps) withoutKnown(batch []QueuedRequest) []QueuedRequest {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(batch), func(queued QueuedRequest) bool {
		_, served := h.made[queued.Ticket]
		return served && queued.foreign
	})
}

func (h *failsInSteps) next() (step func(context.Context) error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.steps) > 0 {
		step, h.steps = h.steps[0], h.steps[1:]
	}
	return step
}

// opaque hides from the room what an error is, as if it were the request's fault.
type opaque struct{ Handler }

func (h opaque) Serve(ctx context.Context, turn Turn, batch []QueuedRequest) ([]Result, []Closing, error) {
	results, closings, err := h.Handler.Serve(ctx, turn, batch)
	if err != nil {
		err = errors.New(err.Error())
	}
	return results, closings, err
}

func always(err error) func(context.Context) error { return func(context.Context) error { return err } }

// When a run is served one by one and the turn ends on the way, those served keep their results, and the others their
// places: in the next turn they are served, in order, and nobody twice.
func TestOneByOne_AnEndedTurnCostsNobodyThePlace(t *testing.T) {
	t.Parallel()
	broken := always(errors.New("one of them is broken"))
	away := always(ErrUnavailable)
	lost := func(ctx context.Context) error {
		<-ctx.Done()
		return ctx.Err()
	}
	for name, steps := range map[string][]func(context.Context) error{
		"overtaken":          {broken, nil, always(ErrOvertaken)},
		"overtaken at first": {broken, always(ErrOvertaken)},
		"overtaken late":     {broken, nil, nil, nil, always(ErrOvertaken)},
		"unavailable":        {broken, nil, away, away, away, away, away, away},
		"turn lost":          {broken, nil, lost},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHarness(t, 10)
			if rejected := serveInSteps(t, h, newFailsInSteps(h.handler, steps...)); len(rejected) != 0 {
				t.Errorf("%v got no table", rejected)
			}
			if order := h.handler.arrivals(); len(order) != 4 || !slices.IsSorted(order) {
				t.Errorf("served in order %v, want each of the four once, in order", order)
			}
		})
	}
}

// The control: where the room takes the end of a turn for the request's fault, somebody gets a final answer of none.
func TestOneByOne_AnEndedTurnIsNotTheRequestsFault(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 10)
	steps := []func(context.Context) error{always(errors.New("one of them is broken")), nil, always(ErrOvertaken)}
	if rejected := serveInSteps(t, h, opaque{newFailsInSteps(h.handler, steps...)}); !slices.Equal(rejected,
		[]string{"bob"}) {
		t.Errorf("%v got no table: the control does not show the fault", rejected)
	}
}

// A batch may take several transactions. When a later one fails, the results of the committed ones are final: whoever
// has seats must not wait again, and find the line closed.
func TestServe_ResultsBeforeAnErrorAreFinal(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 10)
	if rejected := serveInSteps(t, h, &overtakenAfter{Handler: h.handler, served: 2}); len(rejected) != 0 {
		t.Errorf("%v got no table", rejected)
	}
	if order := h.handler.arrivals(); len(order) != 4 || !slices.IsSorted(order) {
		t.Errorf("served in order %v, want each of the four once, in order", order)
	}
}

// The control: a handler that drops the results of its committed transactions makes the room serve them again.
func TestServe_DroppedResultsAreServedAgain(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 10)
	serveInSteps(t, h, &overtakenAfter{Handler: h.handler, served: 2, drops: true})
	if order := h.handler.arrivals(); len(order) <= 4 {
		t.Errorf("served in order %v: the control does not show the fault", order)
	}
}

// overtakenAfter serves so many of the first larger batch before a later turn overtakes it.
type overtakenAfter struct {
	Handler
	served int
	drops  bool
	done   atomic.Bool
}

func (o *overtakenAfter) Serve(ctx context.Context, turn Turn, batch []QueuedRequest) ([]Result, []Closing, error) {
	if len(batch) <= o.served || o.done.Swap(true) {
		return o.Handler.Serve(ctx, turn, batch)
	}
	results, _, err := o.Handler.Serve(ctx, turn, batch[:o.served])
	if err != nil || o.drops {
		results = nil
	}
	return results, nil, errors.Join(err, ErrOvertaken)
}

// serveInSteps lets four diners of two processes wait for one turn, and returns those who got no table.
func serveInSteps(t *testing.T, h *harness, handler Handler) (rejected []string) {
	t.Helper()
	cfg := Config{Lines: locks.Config{MaxHold: time.Second, Lease: time.Second, Beat: 200 * time.Millisecond}}
	turn := h.takeTurn()
	rooms := []*Room{h.roomOf(handler, cfg), h.roomOf(handler, cfg)}
	diners := []string{"ann", "bob", "cem", "dan"}
	var watches []*Watch
	for i, user := range diners {
		watches = append(watches, enter(t, rooms[i%2], request(user, "k")))
	}
	dbtest.Must(t, turn.Release(t.Context(), 1))
	for i, w := range watches {
		if s := awaitResult(t, w); s.Result.ReservationID != "for-"+diners[i] {
			rejected = append(rejected, diners[i])
		}
	}
	return rejected
}

// A ticket is never found without its result once that is known, also where Redis has lost the ticket.
func TestSettle_StoresTheResultWithTheTicket(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 10)
	room := h.room(Config{})
	left := []ticketResult{{"T", request("ann", "k"), 7, Result{State: Left, Code: ErrLeft.Code}}}
	if _, err := room.store.settle(t.Context(), left, unserved); err != nil {
		t.Fatal(err)
	}
	rec, err := room.store.find(t.Context(), Token{Ticket: "T", UserID: "ann"})
	if err != nil || rec.Result == nil || rec.Result.State != Left || rec.Arrival != 7 || rec.Request.Line != evening {
		t.Errorf("found %+v, %v", rec, err)
	}
}

// fencedStore is a Handler that refuses a fence below the highest that it has seen, as the database does; forgetful, it
// does not say which that is.
type fencedStore struct {
	*seatsHandler
	forgetful      bool
	stored, stales atomic.Int64
}

func (f *fencedStore) Serve(ctx context.Context, turn Turn, batch []QueuedRequest) ([]Result, []Closing, error) {
	stored := f.stored.Load()
	switch {
	case turn.Fence >= stored:
		f.stored.Store(turn.Fence)
		return f.seatsHandler.Serve(ctx, turn, batch)
	case f.forgetful:
		f.stales.Add(1)
		return nil, nil, ErrOvertaken
	}
	f.stales.Add(1)
	return nil, nil, &OvertakenError{Stored: stored}
}

// The database may know a fence that Redis' clock reaches in an hour: it was ahead, and has lost its counter since, at
// once or after half an hour without a press. Whoever presses is served, in order, after one turn more, and the log says
// why.
func TestServe_FencesRiseAboveTheStoredOne(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 10)
	ahead := time.Now().Add(time.Hour).UnixMicro()
	store := &fencedStore{seatsHandler: h.handler}
	store.stored.Store(ahead)
	log := &safeBuffer{}
	room := h.roomOf(store, Config{Log: slog.New(slog.NewTextHandler(log, nil))})
	for i := range 2 {
		watches := enterMany(t, []*Room{room}, fmt.Sprint("diner-", i), 3)
		for _, w := range watches {
			if s := awaitResult(t, w); s.State != Reserved {
				t.Fatalf("got %+v", s)
			}
		}
		if n := h.rdb.Del(t.Context(), h.rdb.Keys(t.Context(), h.prefix+"*:counter").Val()...).Val(); n != 1 {
			t.Fatalf("%d counters", n)
		}
	}
	if order := h.handler.users(); !slices.IsSorted(order) || store.stored.Load() <= ahead {
		t.Errorf("served in order %v, up to fence %d after %d", order, store.stored.Load(), ahead)
	}
	if said := strings.Count(log.String(), "fences of line were behind the database"); said != 2 ||
		store.stales.Load() != 2 || !strings.Contains(log.String(), fmt.Sprint("stored=", ahead)) {
		t.Errorf("%d turns were refused; the log: %s", store.stales.Load(), log)
	}
}

// The control: where nobody learns which fence the database has, nobody is served.
func TestServe_FencesStayBehindWithoutTheStoredOne(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 10)
	store := &fencedStore{seatsHandler: h.handler, forgetful: true}
	store.stored.Store(time.Now().Add(time.Hour).UnixMicro())
	watch := enter(t, h.roomOf(store, Config{}), request("ann", "k"))
	dbtest.Eventually(t, "five turns were refused", func() bool { return store.stales.Load() >= 5 })
	if s := watch.Status(); s.State != Waiting {
		t.Errorf("got %+v: the control does not show the fault", s)
	}
	store.stored.Store(0)
	awaitResult(t, watch)
}
