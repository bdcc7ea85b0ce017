package waiting

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/redis/go-redis/v9"

	"lunchgo/app/booking"
	"lunchgo/app/refusal"
	"lunchgo/db/dbtest"
)

// lossyRoom is a room on a Redis of its own in which ann has a reservation, and all others are refused. Turns have been
// served before Redis' data began.
func lossyRoom(t *testing.T) (*harness, *Room) {
	t.Helper()
	h := newHarnessAt(t, dbtest.PrivateRedisURL(t), 10)
	started := h.room(Config{ServedSince: servedBefore(false)}) // as on a new installation
	awaitResult(t, enter(t, started, request("ann", "k")))
	h.handler.sellOut("ann")
	return h, h.room(Config{ServedSince: servedBefore(true)})
}

// A repeat finds its reservation also after Redis has lost all. Nobody is looked for in the database before that.
func TestEnter_ARepeatIsNotRefusedAfterALoss(t *testing.T) {
	t.Parallel()
	h, room := lossyRoom(t)
	press := func(user string) Status { return enter(t, room, request(user, "k")).Status() }
	for user, want := range map[string]State{"ann": Reserved, "bob": Rejected} { // in any order
		if s := press(user); s.State != want {
			t.Errorf("before the loss %s got %+v", user, s)
		}
	}
	if asked := h.handler.lookups(); len(asked) > 0 {
		t.Errorf("the database is asked for %v requests though nothing is lost", asked)
	}
	dbtest.Must(t, h.rdb.FlushAll(t.Context()).Err())
	for user, want := range map[string]State{"ann": Reserved, "bob": Rejected} { // in any order
		if s := press(user); s.State != want {
			t.Errorf("after the loss %s got %+v", user, s)
		}
	}
	watch, err := room.FindByKey(t.Context(), evening, "ann", "k")
	if err != nil || watch.Status().Result.ReservationID != "for-ann" {
		t.Errorf("by the key: %v", err)
	}
	if _, err := room.FindByKey(t.Context(), evening, "bob", "k"); !errors.Is(err, ErrUnknownTicket) {
		t.Errorf("by a key of nobody: %v", err)
	}
}

// The control: where the mark says that nothing is lost, the repeat is refused.
func TestEnter_WithoutTheMarkARepeatIsRefusedAfterALoss(t *testing.T) {
	t.Parallel()
	h, room := lossyRoom(t)
	dbtest.Must(t, h.rdb.FlushAll(t.Context()).Err())
	e := h.epoch(room.store)
	room.store.epochs(t.Context(), []string{e.mark}, e.since, false)
	if s := enter(t, room, request("ann", "k")).Status(); s.Result.Code != booking.ErrSoldOut.Code {
		t.Errorf("got %+v", s)
	}
	if asked := h.handler.lookups(); len(asked) > 0 {
		t.Errorf("the database is asked for %v requests", asked)
	}
}

// While Redis is away nobody knows what it has.
func TestEnter_ARepeatIsNotRefusedWhileRedisIsAway(t *testing.T) {
	t.Parallel()
	h, server := newHarnessWithOwnRedis(t, dbtest.PrivateRedis, 10)
	cfg := withFallback()
	cfg.ServedSince = servedBefore(false)
	room := h.room(cfg)
	h.handler.sellOut("ann")
	server.Kill()
	for user, want := range map[string]State{"ann": Reserved, "bob": Rejected} { // in any order
		if s := enter(t, room, request(user, "k")).Status(); s.State != want {
			t.Errorf("%s got %+v", user, s)
		}
	}
	h.handler.mu.Lock()
	h.handler.storedErr = refusal.ErrUnavailable
	h.handler.mu.Unlock()
	if _, err := room.Enter(t.Context(), request("ann", "k")); !errors.Is(err, refusal.ErrUnavailable) {
		t.Errorf("where the database does not know either: %v", err)
	}
}

// A press that is refused for another reason than that all seats are gone is no different.
func TestEnter_ARepeatIsNotRefusedForItsOtherLines(t *testing.T) {
	t.Parallel()
	h, room := lossyRoom(t)
	h.handler.mu.Lock()
	h.handler.refuses = nil
	h.handler.mu.Unlock()
	dbtest.Must(t, h.rdb.FlushAll(t.Context()).Err())
	h.takeTurn()
	room.store.maxLines = 0
	if s := enter(t, room, request("ann", "k")).Status(); s.Result.ReservationID != "for-ann" {
		t.Errorf("got %+v", s)
	}
	if _, err := room.Enter(t.Context(), request("bob", "k")); !errors.Is(err, ErrTooMany) {
		t.Errorf("who has nothing: %v", err)
	}
}

// Who waits with a second ticket, and has a reservation by the first one, is not refused with the others.
func TestCloseLine_ARepeatIsNotRefusedAfterALoss(t *testing.T) {
	t.Parallel()
	for name, lost := range map[string]bool{"lost": true, "control: said to be whole": false} { // in any order
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, room := lossyRoom(t)
			h.handler.mu.Lock()
			h.handler.refuses = nil
			h.handler.mu.Unlock()
			dbtest.Must(t, h.rdb.FlushAll(t.Context()).Err())
			if e := h.epoch(room.store); !lost {
				room.store.epochs(t.Context(), []string{e.mark}, e.since, false)
			}
			h.takeTurn()
			ann, bob := enter(t, room, request("ann", "k")), enter(t, room, request("bob", "k"))
			dbtest.Must(t, room.CloseLine(t.Context(), evening, Result{State: Rejected, Code: booking.ErrSoldOut.Code}))
			if s := awaitResult(t, ann); (s.Result.ReservationID == "for-ann") != lost {
				t.Errorf("ann got %+v", s)
			}
			if s := awaitResult(t, bob); s.Result.Code != booking.ErrSoldOut.Code {
				t.Errorf("bob got %+v", s)
			}
			if s := enter(t, room, request("ann", "k")).Status(); (s.State == Reserved) != lost {
				t.Errorf("ann's repeat got %+v", s)
			}
		})
	}
}

// lossyClient loses all data of Redis between two calls of a room: before the first reading.
type lossyClient struct {
	once sync.Once
	lose func()
}

func (*lossyClient) DialHook(next redis.DialHook) redis.DialHook          { return next }
func (*lossyClient) ProcessHook(next redis.ProcessHook) redis.ProcessHook { return next }

func (f *lossyClient) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, commands []redis.Cmder) error {
		if commands[0].Name() == "hgetall" {
			f.once.Do(f.lose)
		}
		return next(ctx, commands)
	}
}

// A press finds its ticket, and a moment later Redis has lost it. It is admitted again, with the same ticket. The
// control is what a ticket's own address says then, which no press may be answered.
func TestEnter_ATicketThatIsLostMeanwhileIsAdmittedAgain(t *testing.T) {
	t.Parallel()
	for name, press := range map[string]bool{"a press": true, "control: without a second admission": false} { // in any order
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHarnessAt(t, dbtest.PrivateRedisURL(t), 10)
			turn := h.takeTurn()
			first, _ := h.mortalRoom(Config{Lines: quickLines})
			req := request("ann", "k")
			ann, err := first.Enter(t.Context(), req)
			dbtest.Must(t, err)
			defer ann.Close()
			second := *h
			options := *h.rdb.(*redis.Client).Options()
			client := redis.NewClient(&options)
			t.Cleanup(func() { _ = client.Close() })
			second.rdb = client
			room := second.room(Config{Lines: quickLines})
			client.AddHook(&lossyClient{lose: func() { dbtest.Must(t, h.rdb.FlushAll(t.Context()).Err()) }})
			if !press {
				found, err := room.admit(t.Context(), req, newTicketID(1))
				dbtest.Must(t, err)
				_, err = room.watchExisting(t.Context(), Token{Line: evening, Ticket: found.ticket, UserID: "ann"})
				if !hasGone(err) {
					t.Errorf("got %v", err)
				}
				return
			}
			again := enter(t, room, req)
			if again.ticket.id != ann.ticket.id {
				t.Error("it got another ticket")
			}
			_ = turn.Release(t.Context(), 1) // it is lost as well
			if s := awaitResult(t, again); s.Result.ReservationID != "for-ann" {
				t.Errorf("got %+v", s)
			}
		})
	}
}

// slowHandler answers about earlier requests when its gate is open.
type slowHandler struct {
	*seatsHandler
	gate chan struct{}
}

func (h slowHandler) FindEarlier(ctx context.Context, requests []Request) ([]Earlier, error) {
	<-h.gate
	return h.seatsHandler.FindEarlier(ctx, requests)
}

// A crowd that is refused after a loss is looked for in groups, one at a time.
func TestEarlierBatch_ACrowdIsAskedForTogether(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const people = 1000
		handler := slowHandler{&seatsHandler{}, make(chan struct{})}
		handler.sellOut("diner-7")
		requests := make([]Request, people)
		for i := range requests {
			requests[i] = request(fmt.Sprint("diner-", i), "k")
		}
		go func() {
			synctest.Wait() // the first group takes long
			close(handler.gate)
		}()
		found, err := newEarlierBatch(handler).AskAll(t.Context(), requests)
		dbtest.Must(t, err)
		for i, earlier := range found {
			if (earlier.Result.State == Reserved) != (i == 7) {
				t.Errorf("diner %d: %+v", i, earlier)
			}
		}
		if asked := handler.lookups(); len(asked) > 2+people/mostPeople {
			t.Errorf("%d people are asked for in groups of %v", people, asked)
		}
	})
}
