package waiting

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/app/booking"
	"lunchgo/app/token"
	"lunchgo/db/dbtest"
	"lunchgo/locks"
)

// mortalRoom is a room that dies as a process does: from one moment on Redis hears nothing of it, nor it of Redis.
func (h *harness) mortalRoom(cfg Config) (room *Room, die func()) {
	h.t.Helper()
	options := *h.rdb.(*redis.Client).Options()
	relay := dbtest.NewRelay(h.t, "redis://"+options.Addr)
	options.Addr = relay.Address
	rdb := redis.NewClient(&options)
	cfg.Prefix, cfg.Log = h.prefix, slog.New(slog.DiscardHandler)
	cfg.Lines.Logger = cfg.Log
	room = Open(rdb, h.handler, NewSigner(token.Secrets{"a secret of the test installation"}), cfg)
	h.t.Cleanup(func() {
		_ = room.Close(context.WithoutCancel(h.t.Context()))
	})
	return room, func() {
		relay.Cut() // a client that is closed keeps a connection that was being opened
		_ = rdb.Close()
	}
}

// orphan lets diners wait in two processes and go away; then both processes die. It returns the arrival numbers in the
// order in which the diners pressed, and ends the turn that they wait for.
func (h *harness) orphan(diners int) (arrivals []int64) {
	h.t.Helper()
	turn := h.takeTurn()
	first, dieFirst := h.mortalRoom(Config{Lines: quickLines})
	second, dieSecond := h.mortalRoom(Config{Lines: quickLines})
	for i := range diners {
		room := []*Room{first, second}[i%2]
		watch, err := room.Enter(h.t.Context(), request(fmt.Sprintf("diner-%d", i), "k"))
		if err != nil {
			h.t.Fatal(err)
		}
		arrivals = append(arrivals, numberOf(watch))
		watch.Close()
	}
	dieFirst()
	dieSecond()
	if err := turn.Release(h.t.Context(), 1); err != nil {
		h.t.Fatal(err)
	}
	return arrivals
}

// Everybody who has pressed is served in order, by a process that nobody of them has ever seen, after all others have
// died.
func TestOrphans_AreServedInOrderByAnyProcess(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 1000)
	heir := h.room(Config{Lines: quickLines})
	arrivals := h.orphan(100)
	dbtest.Eventually(t, "all are served", func() bool { return len(h.handler.arrivals()) == len(arrivals) })
	if !slices.Equal(h.handler.arrivals(), arrivals) {
		t.Errorf("served in order %v, want %v", h.handler.arrivals(), arrivals)
	}
	back, err := heir.Enter(t.Context(), request("diner-42", "k"))
	dbtest.Must(t, err)
	defer back.Close()
	if s := awaitResult(t, back); s.Result.ReservationID != "for-diner-42" {
		t.Errorf("who presses again with the same key gets %+v", s)
	}
	dbtest.Eventually(t, "the queue ends with its line", func() bool { return heir.queueOf(evening) == nil })
}

// The control: a process that takes in no orphans leaves them waiting.
func TestOrphans_WithoutAdoptionNobodyIsServed(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 1000)
	h.room(Config{Lines: quickLines, noOrphans: true})
	h.orphan(10)
	timer := time.NewTimer(quickLines.TTL + 10*quickLines.Beat)
	<-timer.C
	if served := h.handler.arrivals(); len(served) != 0 {
		t.Errorf("%v are served: the test above proves nothing", served)
	}
}

// A line that was empty by the time this process was given it, or that is served by others, keeps no queue here.
func TestOrphans_AQueueForNothingEnds(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 10)
	room := h.room(Config{})
	room.serveOrphans(locks.Name{Partition: evening.Partition, Key: "20:00"})
	if len(room.queues) != 1 {
		t.Fatal("no queue was opened")
	}
	dbtest.Eventually(t, "the queue ends", func() bool {
		room.mu.Lock()
		defer room.mu.Unlock()
		return len(room.queues) == 0
	})
}

// ledger is a Handler that remembers whom it gave a seat, as a database does: who asks again gets the same answer.
type ledger struct {
	*seatsHandler
	given map[string]Result // by ticket
	begun chan struct{}     // one for each turn that begins, if not nil
	goOn  chan struct{}     // closed when turns may be served, if not nil
}

func (l *ledger) Serve(ctx context.Context, turn Turn, batch []QueuedRequest) ([]Result, []Closing, error) {
	if l.goOn != nil {
		l.begun <- struct{}{}
		<-l.goOn
	}
	var fresh []QueuedRequest
	for _, q := range batch {
		if _, given := l.given[q.Ticket]; !given {
			fresh = append(fresh, q)
		}
	}
	results, closings, err := l.seatsHandler.Serve(ctx, turn, fresh)
	for i, q := range fresh {
		l.given[q.Ticket] = results[i]
	}
	results = nil
	for _, q := range batch {
		results = append(results, l.given[q.Ticket])
	}
	return results, closings, err
}

func (l *ledger) FindResult(_ context.Context, _ locks.Name, ticket string) (Result, error) {
	if result, given := l.given[ticket]; given {
		return result, nil
	}
	return Result{}, ErrUnknownTicket
}

// A process dies between the commit of a turn and the answers. Who got a seat in that turn hears of it, though the last
// seat goes meanwhile and the line is closed.
func TestOrphans_WhoGotASeatIsNotToldThatAllAreGone(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 2)
	all := &ledger{seatsHandler: h.handler, given: map[string]Result{}}
	first, die := h.mortalRoom(Config{Lines: quickLines})
	turn := h.takeTurn()
	ann, err := first.Enter(t.Context(), request("ann", "k"))
	dbtest.Must(t, err)
	defer ann.Close()
	die()
	arrival := numberOf(ann)
	if _, _, err := all.Serve(t.Context(), Turn{Line: evening}, []QueuedRequest{{Request: request("ann", "k"),
		Ticket: ann.ticket.id, Arrival: arrival}}); err != nil { // what ann's process did before it died
		t.Fatal(err)
	}
	client := locks.NewClient(h.rdb, locks.Config{Prefix: h.prefix, Node: "ann's process"})
	dbtest.Must(t, client.Line(evening).Leave(t.Context(), ann.ticket.id))
	t.Cleanup(func() { _ = client.Close(context.WithoutCancel(t.Context())) })

	all.begun, all.goOn = make(chan struct{}, 9), make(chan struct{})
	heir := h.roomOf(all, Config{Lines: quickLines})
	bob := enter(t, heir, request("bob", "k"))
	dbtest.Must(t, turn.Release(t.Context(), 1))
	<-all.begun // bob's turn, which gives the last seat away
	again := enter(t, heir, request("ann", "k"))
	zoe := enter(t, heir, request("zoe", "k"))
	close(all.goOn)
	for user, w := range map[string]*Watch{"ann": again, "bob": bob} { // in any order
		if s := awaitResult(t, w); s.Result.ReservationID != "for-"+user {
			t.Errorf("%s got %+v", user, s)
		}
	}
	if s := awaitResult(t, zoe); s.Result.Code != booking.ErrSoldOut.Code {
		t.Errorf("zoe got %+v", s)
	}
}

// A process dies between the commit of a turn and the answers, and its line has lost who got a seat in that turn. She
// comes back, and the line closes before it is found out what she has.
func TestOrphans_WhoGotASeatIsNotRefusedAsTheLineCloses(t *testing.T) {
	t.Parallel()
	for name, known := range map[string]bool{"fell out": true, "control: not known": false} { // in any order
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHarness(t, 10)
			first, die := h.mortalRoom(Config{Lines: quickLines})
			h.takeTurn()
			ann, err := first.Enter(t.Context(), request("ann", "k"))
			dbtest.Must(t, err)
			defer ann.Close()
			die()
			client := locks.NewClient(h.rdb, locks.Config{Prefix: h.prefix, Node: "ann's process"})
			dbtest.Must(t, client.Line(evening).Leave(t.Context(), ann.ticket.id))
			t.Cleanup(func() { _ = client.Close(context.WithoutCancel(t.Context())) })
			h.handler.sellOut("ann")
			h.handler.mu.Lock()
			h.handler.refuses = nil
			h.handler.mu.Unlock()

			heir := h.room(Config{Lines: quickLines, ServedSince: servedBefore(false)}) // Redis has lost nothing
			again, zoe := enter(t, heir, request("ann", "k")), enter(t, heir, request("zoe", "k"))
			again.queue.mu.Lock()
			again.ticket.fellOut = again.ticket.fellOut && known
			again.queue.mu.Unlock()
			dbtest.Must(t, heir.CloseLine(t.Context(), evening, Result{State: Rejected, Code: booking.ErrSoldOut.Code}))
			if s := awaitResult(t, again); (s.Result.ReservationID == "for-ann") != known {
				t.Errorf("ann got %+v", s)
			}
			if s := awaitResult(t, zoe); s.Result.Code != booking.ErrSoldOut.Code {
				t.Errorf("zoe got %+v", s)
			}
			if asked := h.handler.lookups(); known && !slices.Equal(asked, []int{1}) || !known && len(asked) > 0 {
				t.Errorf("the database was asked for %v requests", asked)
			}
		})
	}
}
