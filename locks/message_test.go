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
)

// serveAll serves the turns of the nodes until n tickets were served, and returns them in order.
func serveAll(r *harness, n int, nodes ...*Client) []string {
	r.t.Helper()
	served := make(chan string, n)
	errs := make(chan error, len(nodes))
	ctx, stop := context.WithCancel(r.ctx())
	var serving sync.WaitGroup
	for _, c := range nodes {
		serving.Go(func() {
			if err := serve(ctx, c.Line(r.name), served); !errors.Is(err, context.Canceled) {
				errs <- err
			}
		})
	}
	var order []string
	for len(order) < n {
		select {
		case ticket := <-served:
			order = append(order, ticket)
		case err := <-errs:
			r.t.Fatalf("after %d of %d: %v", len(order), n, err)
		}
	}
	stop()
	serving.Wait()
	close(errs)
	for err := range errs {
		r.t.Fatal(err)
	}
	return order
}

// serve takes turns one by one and reports each ticket.
func serve(ctx context.Context, line *Line, served chan<- string) error {
	for {
		turn, err := line.Next(ctx)
		if err != nil {
			return err
		}
		served <- turn.Ticket() // before the next can have its turn
		if err := turn.Release(context.WithoutCancel(ctx), 1); err != nil {
			return err
		}
	}
}

// messages counts what is published to nodes, by kind, until the test ends.
func (r *harness) messages() func(kind string) int {
	r.t.Helper()
	sub := r.rdb.PSubscribe(r.ctx(), r.prefix+"*")
	if _, err := sub.Receive(r.ctx()); err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { sub.Close() })
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

// One message to one waiter per hand off.
func TestI05_OneMessageToOneWaiterPerHandOff(t *testing.T) {
	told := "publish(owner, {kind = 'granted', ticket = ticket, fence = fence}, owner_session)"
	testWithGuards(t, oneMessage,
		guard{"the single message", "", told, told + " " + told},
		guard{"the single addressee", "", told, told + " publish('everybody', {kind = 'granted', ticket = ticket, fence = fence})"},
	)
}

func oneMessage(t testing.TB, edit func(*Client)) {
	r := newHarness(t)
	published := r.messages()
	j := newRecordingObserver()
	rare := func(cfg *Config) { cfg.Beat, cfg.TTL = time.Hour, 2*time.Hour; j.attach(cfg) } // so that a beat is not sooner
	a, b := r.node("a", rare), r.node("b", rare)
	edit(a)
	edit(b)
	const n = 30
	var want []string
	for i := range n {
		ticket := fmt.Sprintf("t%d", i)
		want = append(want, ticket)
		r.enter([]*Client{a, b}[i%2], ticket)
	}
	// Both nodes hear before the first turn ends, so that no message is lost.
	eventually(t, 5*time.Second, "both listen", func() bool {
		m, err := r.rdb.PubSubNumSub(r.ctx(), lineKeys(r.prefix, r.name).channel+"a", lineKeys(r.prefix, r.name).channel+"b").Result()
		return err == nil && m[lineKeys(r.prefix, r.name).channel+"a"]+m[lineKeys(r.prefix, r.name).channel+"b"] == 2
	})
	if got := serveAll(r, n, a, b); strings.Join(got, " ") != strings.Join(want, " ") {
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

// Hand off within a node needs no message.
func TestMessage_NoneForHandOffWithinANode(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	published := r.messages()
	c := r.node("a", nil)
	for i := range 20 {
		r.enter(c, fmt.Sprintf("t%d", i))
	}
	serveAll(r, 20, c)
	if n := published("granted"); n != 0 {
		t.Errorf("%d messages, want none", n)
	}
}

// Beats make up for lost messages.
func TestI06_BeatsMakeUpForLostMessages(t *testing.T) {
	testWithGuards(t, lostMessages,
		guard{"the turn in the answer to a beat", opBeat, "if h[1] ~= node or h[8] ~= session then return", "if true then return"},
	)
}

// lostMessages passes turns to and fro between two nodes that never hear of them.
func lostMessages(t testing.TB, edit func(*Client)) {
	r := newHarness(t)
	j := newRecordingObserver()
	a, b := r.node("a", j.attach), r.node("b", j.attach)
	edit(a)
	edit(b)
	dropMessages(t, a)
	dropMessages(t, b)
	const n = 6
	for i := range n {
		r.enter([]*Client{a, b}[i%2], fmt.Sprintf("t%d", i))
	}
	for range n {
		r.release(r.next(a), 1)
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

// Without beats a lost message costs the claim window.
func TestI06_WithoutBeatsALostMessageCostsTheClaimWindow(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	j := newRecordingObserver()
	still := func(cfg *Config) { cfg.Beat, cfg.TTL = time.Hour, 2*time.Hour; j.attach(cfg) }
	a, b := r.node("a", still), r.node("b", still)
	dropMessages(t, a)
	r.enter(a, "t1")
	r.enter(a, "t2")
	entered := r.enter(b, "t3").ServerTime
	eventually(t, 5*time.Second, "b listens and has beaten", func() bool { return b.lastSeen(r.name, "t3") > entered.UnixMicro() })
	r.release(r.next(a), 1)
	r.release(r.next(a), 1) // t3's turn, but b does not hear of it
	eventually(t, 5*time.Second, "the turn passes on", func() bool { return r.enter(a, "t4").Granted })
	eventually(t, 5*time.Second, "the claim time-out is counted", func() bool { return j.event(ClaimTimeout) == 1 })
}

// Every resubscription is followed by a beat.
func TestI06_EveryResubscriptionIsFollowedByABeat(t *testing.T) {
	t.Parallel()
	r := newPrivateHarness(t)
	j := newRecordingObserver()
	rare := func(cfg *Config) { cfg.Beat, cfg.TTL = time.Hour, 2*time.Hour; j.attach(cfg) }
	a, b := r.node("a", rare), r.node("b", rare)
	dropMessages(t, a)
	r.enter(a, "t1")
	turn := r.next(a)
	r.enter(b, "t2")
	channel := lineKeys(r.prefix, r.name).channel + "b"
	eventually(t, 5*time.Second, "b listens", func() bool {
		return r.rdb.PubSubNumSub(r.ctx(), channel).Val()[channel] == 1
	})
	r.release(turn, 1) // the message is lost
	if err := r.rdb.ClientKillByFilter(r.ctx(), "TYPE", "pubsub").Err(); err != nil {
		t.Fatal(err)
	}
	if next := r.next(b); next.Ticket() != "t2" {
		t.Errorf("%s has the turn", next.Ticket())
	}
}

// Close sends everybody away with one message a node.
func TestClose_SendsOneMessageANode(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	published := r.messages()
	ja, jb := newRecordingObserver(), newRecordingObserver()
	a, b := r.node("a", ja.attach), r.node("b", jb.attach)
	r.enter(a, "t0")
	turn := r.next(a)
	for i := range 10 {
		r.enter([]*Client{a, b}[i%2], fmt.Sprintf("t%d", i+1))
	}
	locked := make(chan error, 1)
	go func() {
		_, err := b.Line(r.name).Lock(r.ctx(), "t11")
		locked <- err
	}()
	eventually(t, 5*time.Second, "t11 waits", func() bool { return r.progress(a).Count == 11 })
	if n, err := a.Line(r.name).Close(r.ctx(), "sold out"); err != nil || n != 11 {
		t.Fatalf("closed: %d, %v, want 11", n, err)
	}
	if err := <-locked; !errors.Is(err, ErrClosed) || !strings.Contains(err.Error(), "sold out") {
		t.Errorf("lock: %v, want ErrClosed with the reason", err)
	}
	eventually(t, 5*time.Second, "all are told", func() bool { return len(ja.departures())+len(jb.departures()) == 10 })
	for ticket, why := range jb.departures() {
		if why != (Departure{Cause: Closed, Reason: "sold out"}) {
			t.Errorf("%s departed: %+v", ticket, why)
		}
	}
	if n := published("closed"); n != 2 {
		t.Errorf("%d messages, want one a node", n)
	}
	if p := r.progress(a); !p.Holder || p.Count != 0 {
		t.Errorf("progress %+v, want the holder alone", p)
	}
	if place := r.enter(b, "t1"); place.Position != 1 {
		t.Errorf("entered after the closing: %+v", place)
	}
	r.release(turn, 1)
	if next := r.next(b); next.Ticket() != "t1" {
		t.Errorf("%s has the turn, want t1", next.Ticket())
	}
}

// Close is learnt by beat too.
func TestClose_IsLearntByBeat(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	j := newRecordingObserver()
	a, b := r.node("a", nil), r.node("b", j.attach)
	dropMessages(t, a)
	r.enter(a, "t1")
	r.enter(b, "t2")
	if _, err := a.Line(r.name).Close(r.ctx(), "over"); err != nil {
		t.Fatal(err)
	}
	eventually(t, 5*time.Second, "b knows", func() bool {
		return j.departures()["t2"] == Departure{Cause: Closed, Reason: "over"}
	})
}
