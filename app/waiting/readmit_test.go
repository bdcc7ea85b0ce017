package waiting

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"

	"lunchgo/db/dbtest"
	"lunchgo/locks"
)

// pausedHandler is a Handler that says when it is at work and waits to be let go on.
type pausedHandler struct {
	*seatsHandler
	begun chan struct{}
	goOn  chan struct{}
}

func (s *pausedHandler) Serve(ctx context.Context, turn Turn, batch []QueuedRequest) ([]Result, []Closing, error) {
	s.begun <- struct{}{}
	<-s.goOn
	return s.seatsHandler.Serve(ctx, turn, batch)
}

// The request of ann was given up before the line had answered, so her turn comes while nobody here knows of her. She
// asks again while that turn serves those behind her: it ends without her, and she must be served all the same.
func TestReadmit_WhoComesBackDuringATurnThatPassedThemOverIsServed(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 10)
	server := &pausedHandler{seatsHandler: h.handler, begun: make(chan struct{}, 10), goOn: make(chan struct{})}
	room := h.roomOf(server, Config{})
	turn := h.takeTurn()
	ann := enter(t, room, request("ann", "k1"))
	enter(t, room, request("bob", "k2"))
	ann.Close()
	ann.queue.drop(ann.ticket)
	dbtest.Must(t, turn.Release(t.Context(), 1))
	<-server.begun
	again := enter(t, room, request("ann", "k1"))
	close(server.goOn)
	if status := awaitResult(t, again); status.State != Reserved ||
		status.Result.ReservationID != "for-ann" {
		t.Errorf("got %+v", status)
	}
}

// Ann leaves by another process, and a turn that was lost puts back whom it did not serve before hers has heard of
// that. She must not be served.
func TestReadmit_WhoHasLeftIsNotPutBack(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 10)
	here, there := h.room(Config{}), h.room(Config{})
	turn := h.takeTurn()
	ann := enter(t, here, request("ann", "k1"))
	dbtest.Must(t, there.Leave(t.Context(), ann.Token(), "ann"))
	ann.queue.readmit(t.Context(), []locks.Taken{{Ticket: ann.ticket.id, Arrival: numberOf(ann)}})
	dbtest.Must(t, turn.Release(t.Context(), 1))
	if status := awaitResult(t, ann); status.State != Left {
		t.Errorf("got %+v", status)
	}
	if served := h.handler.arrivals(); len(served) > 0 {
		t.Errorf("she was served after she had left: %v", served)
	}
}

// Whatever becomes of a ticket in the line, who watches it is not left waiting for nothing: it is seen to be missing
// there, and takes its place again.
func TestFollowUp_AMissingTicketTakesItsPlaceAgain(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 10)
	room := h.room(Config{})
	turn := h.takeTurn()
	ann := enter(t, room, request("ann", "k1"))
	if err := room.lines.Line(evening).Leave(t.Context(), ann.ticket.id); err != nil { // without the room
		t.Fatal(err)
	}
	dbtest.Must(t, turn.Release(t.Context(), 1))
	if status := awaitResult(t, ann); status.State != Reserved {
		t.Errorf("got %+v", status)
	}
}

// lateClient hears what Redis answers to the first script that puts a person's ticket into a line only once it is let.
type lateClient struct {
	userID   string
	once     sync.Once
	answered func() // is called when the answer is there
	hear     chan struct{}
}

func (*lateClient) DialHook(next redis.DialHook) redis.DialHook { return next }
func (*lateClient) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

func (c *lateClient) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		err := next(ctx, cmd)
		if sent := fmt.Sprint(cmd.Args()...); err == nil && cmd.Name() == "evalsha" &&
			strings.Contains(sent, ":waiting") && strings.Contains(sent, `"`+c.userID+`"`) { // not by chance in a ticket
			c.once.Do(func() {
				c.answered()
				select {
				case <-c.hear:
				case <-ctx.Done():
					err = ctx.Err()
				}
			})
		}
		return err
	}
}

// lateRoom opens a room that hears late where ann stands. By then giveUp has ended ctx.
func (h *harness) lateRoom() (room *Room, ctx context.Context, late *lateClient) {
	h.t.Helper()
	options := *h.rdb.(*redis.Client).Options()
	client := redis.NewClient(&options)
	h.t.Cleanup(func() { _ = client.Close() })
	ctx, giveUp := context.WithCancel(h.t.Context())
	h.t.Cleanup(giveUp)
	late = &lateClient{userID: "ann", answered: giveUp, hear: make(chan struct{})}
	client.AddHook(late)
	other := *h
	other.rdb = client
	return other.room(Config{}), ctx, late
}

// Ann, who is first, moves to another process, and gives up before that has heard that the line has her there now.
// Nobody watches her ticket any more, and her turn comes. She keeps her place all the same.
func TestWatch_GivenUpKeepsThePlace(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 10)
	turn := h.takeTurn()
	here := h.room(Config{})
	ann, err := here.Enter(t.Context(), request("ann", "k"))
	dbtest.Must(t, err)
	bob := enter(t, here, request("bob", "k"))
	there, ctx, late := h.lateRoom()
	carol := enter(t, there, request("carol", "k"))
	if watch, err := there.Watch(ctx, ann.Token(), "ann"); err == nil {
		watch.Close()
		t.Fatal("she was answered")
	}
	ann.Close()
	dbtest.Must(t, turn.Release(t.Context(), 1))
	close(late.hear)
	for _, w := range []*Watch{bob, carol} {
		awaitResult(t, w)
	}
	if got := h.handler.users(); !slices.Equal(got, []string{"ann", "bob", "carol"}) {
		t.Errorf("served were %v, in this order", got)
	}
}

// A busy Redis answers ann's press only when she has been asked to come back. Her turn comes meanwhile: she has it, and
// finds what it came to.
func TestEnter_GivenUpKeepsThePlace(t *testing.T) {
	t.Parallel()
	for _, first := range []bool{true, false} { // has the turn herself, or is taken along
		t.Run(fmt.Sprint(first), func(t *testing.T) {
			t.Parallel()
			h := newHarness(t, 10)
			turn := h.takeTurn()
			room, ctx, late := h.lateRoom()
			want := []string{"ann", "bob"}
			if !first {
				enter(t, room, request("zoe", "k"))
				want = []string{"zoe", "ann", "bob"}
			}
			if watch, err := room.Enter(ctx, request("ann", "k")); err == nil {
				watch.Close()
				t.Fatal("she was answered")
			}
			close(late.hear)
			bob := enter(t, room, request("bob", "k"))
			dbtest.Must(t, turn.Release(t.Context(), 1))
			awaitResult(t, bob)
			if got := h.handler.users(); !slices.Equal(got, want) {
				t.Errorf("served were %v, in this order", got)
			}
			if status := awaitResult(t, enter(t, room, request("ann", "k"))); status.Result.ReservationID != "for-ann" {
				t.Errorf("she finds %+v", status)
			}
		})
	}
}
