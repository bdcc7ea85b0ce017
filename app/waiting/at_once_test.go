package waiting

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"

	"lunchgo/db/dbtest"
	"lunchgo/locks"
)

// lineAt is the line of a time of the evening.
func lineAt(key string) locks.Name { return locks.Name{Partition: evening.Partition, Key: key} }

// gatedHandler holds up turns until the test lets one go, and notes whose turns begin.
type gatedHandler struct {
	*seatsHandler
	gate chan struct{}

	mu     sync.Mutex
	begun  []string
	inside int
	most   int
}

func (h *gatedHandler) Serve(ctx context.Context, turn Turn, batch []QueuedRequest) ([]Result, []Closing, error) {
	h.mu.Lock()
	h.begun = append(h.begun, batch[0].UserID)
	h.inside++
	h.most = max(h.most, h.inside)
	h.mu.Unlock()
	<-h.gate
	h.mu.Lock()
	h.inside--
	h.mu.Unlock()
	return h.seatsHandler.Serve(ctx, turn, batch)
}

func (h *gatedHandler) turns() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.begun)
}

// A turn that begins as its ticket enters is served without a loop of its line, and nothing of the line is left in this
// process. Who waits behind it gets the loops, and so does the line of a turn that somebody else has.
func TestEnter_ATurnAtOnceNeedsNoLoops(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 10)
	gated := &gatedHandler{seatsHandler: h.handler, gate: make(chan struct{})}
	room := h.roomOf(gated, Config{})
	isAttended := func() bool {
		room.mu.Lock()
		defer room.mu.Unlock()
		q := room.queues[evening]
		return q != nil && q.attended
	}
	first := enter(t, room, request("ann", "k"))
	if !first.HasTurn() || isAttended() {
		t.Fatalf("it has its turn: %v, with loops: %v", first.HasTurn(), isAttended())
	}
	gated.gate <- struct{}{}
	awaitResult(t, first)
	dbtest.Eventually(t, "the queue is gone", func() bool { return room.queueOf(evening) == nil })

	second, behind := enter(t, room, request("bob", "k")), enter(t, room, request("cyd", "k"))
	if !second.HasTurn() || behind.HasTurn() || !isAttended() {
		t.Errorf("turns: %v, %v; with loops: %v", second.HasTurn(), behind.HasTurn(), isAttended())
	}
	close(gated.gate)
	awaitResult(t, second)
	awaitResult(t, behind)
}

// The loops of a queue that was removed while they waited may take up a turn that its line gets afterwards. The tickets
// are the present queue's: none of them loses its place.
func TestServe_LoopsOfARemovedQueueServeThePresentOne(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 100)
	rival := h.takeTurn()
	room := h.room(Config{BatchSize: 4})
	ctx, cancel := context.WithCancel(t.Context())
	var loops sync.WaitGroup
	for range 5 {
		removed := newQueue(room, evening)
		loops.Go(func() { removed.serveTurns(ctx) })
	}
	var watches []*Watch
	for i := range 40 {
		watches = append(watches, enter(t, room, request(fmt.Sprintf("u%02d", i), "k")))
	}
	dbtest.Must(t, rival.Release(t.Context(), 1))
	for _, w := range watches {
		awaitResult(t, w)
	}
	cancel()
	loops.Wait()
	if users := h.handler.users(); len(users) != len(watches) || !slices.IsSorted(users) {
		t.Errorf("served in the order %v", users)
	}
}

// A room that closes ends with the turn that it serves: the turns that its tickets get meanwhile are another process'.
func TestClose_ServesNoFurtherTurn(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 10)
	gated := &gatedHandler{seatsHandler: h.handler, gate: make(chan struct{})}
	room := h.roomOf(gated, Config{BatchSize: 1})
	for _, who := range []string{"ann", "bob", "cyd"} {
		enter(t, room, request(who, "k"))
	}
	gated.gate <- struct{}{}
	dbtest.Eventually(t, "the loops serve a turn", func() bool { return len(gated.turns()) == 2 })
	closed := make(chan error)
	go func() {
		ctx, cancel := context.WithTimeout(t.Context(), dbtest.Patience)
		defer cancel()
		closed <- room.Close(ctx)
	}()
	<-room.closing
	close(gated.gate)
	if err := <-closed; err != nil {
		t.Errorf("close: %v", err)
	}
	if users := h.handler.users(); !slices.Equal(users, []string{"ann", "bob"}) {
		t.Errorf("%v were served, want ann and bob", users)
	}
}

// No more turns are served at once than there is room for; of those that wait, the one whose ticket came first is next,
// and takes along who has come meanwhile.
func TestServe_TurnsAtOnceAreBounded(t *testing.T) {
	t.Parallel()
	for _, most := range []int{1, 3} {
		t.Run(fmt.Sprint(most), func(t *testing.T) {
			t.Parallel()
			h := newHarness(t, 100)
			gated := &gatedHandler{seatsHandler: h.handler, gate: make(chan struct{})}
			room := h.roomOf(gated, Config{MaxTurns: most})
			var watches []*Watch
			press := func(who, at string) {
				watches = append(watches, enter(t, room, Request{Line: lineAt(at), UserID: who, IdempotencyKey: "k",
					Payload: []byte(`{}`)}))
			}
			for i, line := range []string{"a", "b", "c"} {
				press(line+"0", line)
				dbtest.Eventually(t, "its turn begins, or waits for room", func() bool {
					room.turns.mu.Lock()
					defer room.turns.mu.Unlock()
					return len(gated.turns())+len(room.turns.waiting) == i+1
				})
			}
			for i := range 4 {
				press(fmt.Sprint("c", i+1), "c")
			}
			if begun := len(gated.turns()); begun != most {
				t.Errorf("%d turns have begun, want %d", begun, most)
			}
			close(gated.gate)
			for _, w := range watches {
				awaitResult(t, w)
			}
			if gated.most != most {
				t.Errorf("%d turns at once, want %d", gated.most, most)
			}
			if begun := gated.turns(); most == 1 && !slices.Equal(begun, []string{"a0", "b0", "c0"}) {
				t.Errorf("turns of %v: c's takes all along who have come to its line", begun)
			}
		})
	}
}

// Results that go along with the end of a turn are stored, also at a Redis that does not know the script yet, and where
// the pipeline was never sent.
func TestSettlement_FinishesWhatWasNotCarriedOut(t *testing.T) {
	t.Parallel()
	for name, send := range map[string]func(*harness, *settlement){
		"sent": func(h *harness, s *settlement) {
			_, _ = h.rdb.Pipelined(context.Background(), func(pipe redis.Pipeliner) error {
				s.send(pipe)
				return nil
			})
		},
		"never sent": func(h *harness, s *settlement) { s.send(h.rdb.Pipeline()) },
		"no attempt": func(*harness, *settlement) {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHarnessAt(t, dbtest.PrivateRedisURL(t), 1)
			store := newTicketStore(h.rdb, h.handler, Config{Prefix: h.prefix}.withDefaults())
			result := ticketResult{ticket: "t", request: request("ann", "k"), result: Result{State: Reserved, ReservationID: "r"}}
			s := store.settlement([]ticketResult{result}, served)
			send(h, s)
			if _, err := s.finish(t.Context()); err != nil {
				t.Fatal(err)
			}
			rec, err := store.find(t.Context(), Token{Line: evening, Ticket: "t", UserID: "ann"})
			if err != nil || rec.Result == nil || rec.Result.ReservationID != "r" {
				t.Errorf("stored %+v, %v", rec, err)
			}
		})
	}
}
