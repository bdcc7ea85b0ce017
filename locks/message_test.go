package locks

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/db/dbtest"
)

// serveAll serves the turns of the nodes until n tickets were served, and returns them in order.
func serveAll(h *harness, n int, nodes ...*Client) []string {
	h.t.Helper()
	order := &logbook[string]{}
	errs := make(chan error, len(nodes))
	ctx, stop := context.WithCancel(h.ctx())
	defer stop()
	var serving sync.WaitGroup
	for _, c := range nodes {
		serving.Go(func() {
			defer stop() // when one fails, the others end too
			errs <- serve(ctx, c.Line(h.name), func(turn *Turn) {
				if order.add(turn.Ticket()); len(order.all()) == n {
					stop() // before the next can have its turn
				}
			})
		})
	}
	serving.Wait()
	close(errs)
	for err := range errs {
		if !errors.Is(err, context.Canceled) {
			h.t.Fatalf("after %d of %d: %v", len(order.all()), n, err)
		}
	}
	return order.all()
}

// serve takes turns one by one, and notes each, until ctx ends.
func serve(ctx context.Context, line *Line, note func(*Turn)) error {
	for ctx.Err() == nil {
		turn, err := line.Next(ctx)
		if err != nil {
			return err
		}
		note(turn)
		if err := turn.Release(context.WithoutCancel(ctx), 1); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// messages counts what is published to nodes, by kind, until the test ends.
func (h *harness) messages() func(kind string) int {
	h.t.Helper()
	sub := h.rdb.PSubscribe(h.ctx(), h.prefix+"*")
	if _, err := sub.Receive(h.ctx()); err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { sub.Close() })
	got := sub.Channel(redis.WithChannelSize(10000))
	var all []string
	return func(kind string) int {
		for {
			select {
			case m := <-got:
				all = append(all, m.Payload)
				continue
			case <-time.After(100 * time.Millisecond): // what was published is here
			}
			n := 0
			for _, m := range all {
				if strings.Contains(m, `"kind":"`+kind+`"`) {
					n++
				}
			}
			return n
		}
	}
}

func TestI05_OneMessageToOneWaiterPerHandOff(t *testing.T) {
	granted := "left = claim_window, work = work,\n  }, head.session)"
	twice := "publish(head.owner, {kind = 'granted', ticket = head.ticket, fence = fence}, head.session)"
	testWithGuards(t, oneMessage,
		guard{"the single message", "", granted, granted + " " + twice},
		guard{"the single addressee", "",
			granted,
			granted + " " + strings.Replace(twice, "head.owner", "'everybody'", 1),
		},
	)
}

func oneMessage(t testing.TB, edit func(*Client)) {
	h := newHarness(t)
	published := h.messages()
	j := newRecordingObserver()
	a, b := h.beatlessNode("a", j), h.beatlessNode("b", j)
	edit(a)
	edit(b)
	const n = 30
	want := h.enterInTurn(n, a, b)
	h.awaitSubscribed("a", "b") // before the first turn ends, so that no message is lost
	if got := serveAll(h, n, a, b); strings.Join(got, " ") != strings.Join(want, " ") {
		t.Fatalf("served %v", got)
	}
	f := j.turns(t, n)
	if pushed := published("granted"); pushed != n-1 || f.paths[ByPush] > pushed || f.paths[ByPush] < pushed-2 {
		t.Errorf("%d messages for %d hand-offs between nodes, %d learnt by push", pushed, n-1, f.paths[ByPush])
	}
	if len(f.waits) != n || f.events[ClaimTimeout] != 0 {
		t.Errorf("%d turns of %d; events %v", len(f.waits), n, f.events)
	}
}

func TestMessage_NoneForHandOffWithinANode(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	published := h.messages()
	c := h.node("a", unhurried)
	h.enterInTurn(20, c)
	serveAll(h, 20, c)
	if n := published("granted"); n != 0 {
		t.Errorf("%d messages, want none", n)
	}
}

func TestI06_BeatsMakeUpForLostMessages(t *testing.T) {
	testWithGuards(t, lostMessages,
		guard{"the turn in the answer to a beat", opBeat,
			"if not r.ticket or r.node ~= node or r.session ~= session then return",
			"if true then return",
		},
	)
}

// lostMessages passes turns to and fro between two nodes that never hear of them.
func lostMessages(t testing.TB, edit func(*Client)) {
	h := newHarness(t)
	j := newRecordingObserver()
	a, b := h.node("a", j.attach), h.node("b", j.attach)
	edit(a)
	edit(b)
	dropMessages(t, a)
	dropMessages(t, b)
	const n = 6
	h.enterInTurn(n, a, b)
	for range n {
		h.release(h.next(a), 1)
		a, b = b, a
	}
	f := j.turns(t, n)
	if f.events[ClaimTimeout] != 0 || f.paths[ByPush] != 0 || f.paths[ByBeat] < n-2 {
		t.Errorf("turns %v, events %v: want those between nodes by beat and no claim time-out", f.paths, f.events)
	}
	for _, handoff := range f.handoffs {
		if handoff > testTimes.ClaimWindow {
			t.Errorf("a hand-off took %s, claim window %s", handoff, testTimes.ClaimWindow)
		}
	}
}

func TestI06_WithoutBeatsALostMessageCostsTheClaimWindow(t *testing.T) {
	mustPass(t, func(t testing.TB) {
		h := newHarness(t)
		j := newRecordingObserver()
		a, b := h.beatlessNode("a", j), h.beatlessNode("b", j)
		dropMessages(t, a)
		h.enter(a, "t1")
		h.enter(a, "t2")
		entered := h.enter(b, "t3").ServerTime
		eventually(t, "b listens and has beaten",
			func() bool { return b.lastSeen(h.name, "t3") > entered.UnixMicro() })
		h.release(h.next(a), 1)
		h.release(h.next(a), 1) // t3's turn, but b does not hear of it
		eventually(t, "the turn passes on", func() bool { return h.enter(a, "t4").Granted })
		eventually(t, "the claim time-out is counted", func() bool { return j.event(ClaimTimeout) == 1 })
	})
}

func TestI06_EveryResubscriptionIsFollowedByABeat(t *testing.T) {
	mustPass(t, func(t testing.TB) {
		h := newPrivateHarness(t)
		j := newRecordingObserver()
		a, b := h.beatlessNode("a", j), h.beatlessNode("b", j)
		dropMessages(t, a)
		turn := h.turnOf(a, "t1")
		h.enter(b, "t2")
		h.awaitSubscribed("b")
		h.release(turn, 1) // the message is lost
		dbtest.Must(t, h.rdb.ClientKillByFilter(h.ctx(), "TYPE", "pubsub").Err())
		h.nextIs(b, "t2")
	})
}

func TestClose_SendsOneMessageANode(t *testing.T) {
	mustPass(t, func(t testing.TB) {
		h := newHarness(t)
		published := h.messages()
		ja, jb := newRecordingObserver(), newRecordingObserver()
		a, b := h.node("a", ja.attach), h.node("b", jb.attach)
		turn := h.turnOf(a, "t0")
		for i := range 10 {
			h.enter([]*Client{a, b}[i%2], fmt.Sprintf("t%d", i+1))
		}
		locked := make(chan error, 1)
		go func() {
			_, err := b.Line(h.name).Lock(h.ctx(), "t11")
			locked <- err
		}()
		eventually(t, "t11 waits", func() bool { return h.progress(a).Count == 11 })
		if n, err := a.Line(h.name).Close(h.ctx(), "sold out"); err != nil || n != 11 {
			t.Fatalf("closed: %d, %v, want 11", n, err)
		}
		if err := <-locked; !errors.Is(err, ErrClosed) || !strings.Contains(err.Error(), "sold out") {
			t.Errorf("lock: %v, want ErrClosed with the reason", err)
		}
		eventually(t, "all departures arrive",
			func() bool { return len(ja.departures())+len(jb.departures()) == 10 })
		for ticket, why := range jb.departures() {
			if why != (Departure{Cause: Closed, Reason: "sold out"}) {
				t.Errorf("%s departed: %+v", ticket, why)
			}
		}
		if n := published("closed"); n != 2 {
			t.Errorf("%d messages, want one a node", n)
		}
		if p := h.progress(a); !p.Holder || p.Count != 0 {
			t.Errorf("progress %+v, want the holder alone", p)
		}
		if place := h.enter(b, "t1"); place.Position != 1 {
			t.Errorf("entered after the closing: %+v", place)
		}
		h.release(turn, 1)
		h.nextIs(b, "t1")
	})
}

func TestClose_IsLearntByBeat(t *testing.T) {
	mustPass(t, func(t testing.TB) {
		h := newHarness(t)
		j := newRecordingObserver()
		a, b := h.node("a", nil), h.node("b", j.attach)
		dropMessages(t, a)
		h.enter(a, "t1")
		h.enter(b, "t2")
		if _, err := a.Line(h.name).Close(h.ctx(), "over"); err != nil {
			t.Fatal(err)
		}
		eventually(t, "b knows", func() bool {
			return j.departures()["t2"] == Departure{Cause: Closed, Reason: "over"}
		})
	})
}

// A node passes over messages of a kind, and with fields, that only a newer version has: nodes of two versions share
// lines while they are updated.
func TestMessage_OfANewerVersionIsIgnored(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	a := h.node("a", unhurried)
	turn, err := a.Line(h.name).Lock(h.ctx(), "ticket")
	dbtest.Must(t, err)
	a.onMessage(h.name.Partition, `{"line":"19:00","kind":"teleported","at":"1","hologram":["chef"]}`, false)
	if err := turn.Context().Err(); err != nil {
		t.Errorf("the turn is over: %v", err)
	}
	if err := turn.Release(h.ctx(), 1); err != nil {
		t.Error(err)
	}
}
