package locks

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/db/dbtest"
)

func TestI03_TheOrderSurvivesTheLossOfAllData(t *testing.T) {
	testWithGuards(t, flushed,
		waitForOlder,
		guard{"the number that a ticket brings", opRestore,
			"local ticket, arrival, work = ARGV[i], ARGV[i + 1]",
			"local ticket, arrival, work = ARGV[i], format_int(now - i)",
		},
		guard{"the return of tickets", opRestore,
			"if call('HSETNX', tickets, ticket, ticket_value(node, session, work)) == 1 then",
			"if false then",
		},
	)
}

// flushed queues tickets at two nodes behind a turn, loses all data of Redis and enters a newcomer at once. Those who
// waited are served before it, in their order, and fences rise.
func flushed(t testing.TB, edit func(*Client)) {
	h := newPrivateHarness(t)
	// A busy machine beats late, and takes turns up late: a ticket without work is lost then, as it should be.
	slow := func(cfg *Config) {
		cfg.Beat, cfg.TTL, cfg.ClaimWindow, cfg.Lease = 1600*time.Millisecond, 10*time.Second, 10*time.Second,
			10*time.Second
	}
	a, b := h.node("a", slow), h.node("b", slow)
	edit(a)
	edit(b)
	fence := h.enter(a, "t0").Fence
	lost := h.next(a)
	last := int64(0)
	var want []string
	for i := range 5 {
		ticket := fmt.Sprintf("t%d", i+1)
		last = h.enter([]*Client{a, b}[i%2], ticket).Arrival
		want = append(want, ticket)
	}
	dbtest.Must(t, h.rdb.FlushAll(h.ctx()).Err())
	if newcomer := h.enter(a, "new"); newcomer.Arrival <= last {
		t.Errorf("a newcomer drew %d after %d", newcomer.Arrival, last)
	}
	for _, ticket := range append(want, "new") {
		turn := h.nextOf(a, b)
		if turn.Ticket() != ticket || turn.Fence() <= fence {
			t.Fatalf("%s has the turn with fence %d after %d, want %s", turn.Ticket(), turn.Fence(), fence, ticket)
		}
		fence = turn.Fence()
		h.release(turn, 1)
	}
	within(t, 5*time.Second, lost.Context())
	if err := lost.Release(h.ctx(), 1); !errors.Is(err, ErrStale) {
		t.Errorf("release of the lost turn: %v", err)
	}
}

func TestI02_FencesRiseAboveNumbersThatCallersBring(t *testing.T) {
	testWithGuards(t, broughtAlong, guard{
		"the counter that follows", opEnter,
		"if highest and brought > highest then call('SET', counter, format_int(brought), 'PX', life) end", "",
	})
}

// broughtAlong lets a ticket come back whose number was drawn before Redis' clock was set back.
func broughtAlong(t testing.TB, edit func(*Client)) {
	h := newHarness(t)
	c := h.node("a", nil)
	edit(c)
	ahead := time.Now().Add(10 * time.Minute).UnixMicro()
	first, err := c.Line(h.name).Enter(h.ctx(), Entry{Ticket: "t1", Arrival: ahead})
	if err != nil || first.Arrival != ahead || first.Fence <= ahead {
		t.Fatalf("%+v, %v, want arrival %d and a higher fence", first, err, ahead)
	}
	if second := h.enter(c, "t2"); second.Arrival <= first.Fence || second.Arrival >= 1<<53 {
		t.Fatalf("t2 drew %d after %d", second.Arrival, first.Fence)
	}
}

func TestI02_FencesRiseOverTheLossOfTheCounter(t *testing.T) {
	testWithGuards(t, counterLost, clockInCounter)
}

// counterLost draws arrival numbers and fences while the counter is lost again and again.
func counterLost(t testing.TB, edit func(*Client)) {
	h := newHarness(t)
	c := h.node("a", nil)
	edit(c)
	last := int64(0)
	for i := range 10 {
		place := h.enter(c, fmt.Sprintf("t%d", i))
		if place.Arrival <= last || place.Fence <= place.Arrival {
			t.Fatalf("turn %d: arrival %d, fence %d after %d", i, place.Arrival, place.Fence, last)
		}
		last = place.Fence
		h.release(h.next(c), 1)
		dbtest.Must(t, h.rdb.Del(h.ctx(), lineKeys(h.prefix, h.name).counter()).Err())
	}
}

func TestI07_PlacesOutliveARestartOfRedis(t *testing.T) {
	mustPass(t, func(t testing.TB) {
		server := dbtest.PrivateDurableRedis(t)
		h := newHarnessAt(t, server.URL)
		patient := func(cfg *Config) {
			cfg.TTL, cfg.Lease, cfg.ClaimWindow = 15*time.Second, 15*time.Second, 15*time.Second
		}
		a, b := h.node("a", patient), h.node("b", patient)
		turn := h.turnOf(a, "first")
		want := h.enterInTurn(6, a, b)
		eventually(t, "Redis has written its commands to disk", func() bool {
			info := h.rdb.Info(h.ctx(), "persistence").Val()
			return strings.Contains(info, "aof_buffer_length:0\r\n") &&
				strings.Contains(info, "aof_pending_bio_fsync:0\r\n")
		})
		server.Kill()
		dbtest.Must(t, server.Revive(h.ctx()))
		eventually(t, "Redis answers", func() bool { return h.rdb.Ping(h.ctx()).Err() == nil })
		if p := h.progress(a); !p.Holder || !slices.Equal(order(p), want) {
			t.Fatalf("after the restart: %+v, want %v", p, want)
		}
		h.release(turn, 1)
		if got := serveAll(h, len(want), a, b); !slices.Equal(got, want) {
			t.Errorf("served %v, want %v", got, want)
		}
	})
}

// afterLink does something once a script has been carried out, before its caller has the answer.
type afterLink struct {
	script string
	do     atomic.Pointer[func()]
}

func (a *afterLink) DialHook(next redis.DialHook) redis.DialHook { return next }

func (a *afterLink) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

func (a *afterLink) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		err := next(ctx, cmd)
		if len(cmd.Args()) > 1 && cmd.Args()[1] == a.script {
			if do := a.do.Swap(nil); do != nil {
				(*do)()
			}
		}
		return err
	}
}

// leaveDuringLoss has a ticket leave a line whose data were lost, while a beat finds it gone, and returns whether it
// stands there afterwards.
func leaveDuringLoss(t *testing.T, begin func(*localTicket)) (stands bool) {
	t.Helper()
	h, link := newPrivateHarness(t), &afterLink{}
	a := h.nodeOn(h.connect(link), "a", unhurried)
	h.loadScripts(a)
	link.script = a.scripts[opLeave].Hash()
	h.turnOf(a, "t1")
	h.enter(a, "t2")
	h.enter(a, "t3")
	s, err := a.session(a.Line(h.name))
	dbtest.Must(t, err)
	defer a.endUse(s)
	beat := func() {
		s.mu.Lock()
		begin(s.tickets["t2"])
		s.mu.Unlock()
		s.beat()
	}
	link.do.Store(&beat)
	dbtest.Must(t, h.rdb.FlushAll(h.ctx()).Err())
	dbtest.Must(t, a.Line(h.name).Leave(h.ctx(), "t2"))
	if !slices.Contains(order(h.progress(a)), "t3") {
		t.Error("who stays was not put back")
	}
	return s.has("t2") || slices.Contains(order(h.progress(a)), "t2")
}

// Who leaves while data are lost is not put back by a beat that finds the ticket gone before the answer does.
func TestLeave_IsNotPutBack(t *testing.T) {
	t.Parallel()
	if leaveDuringLoss(t, func(*localTicket) {}) {
		t.Error("it stands in the line")
	}
}

// The control: a beat that does not know who is leaving puts them back.
func TestLeave_UnknownToTheBeatIsPutBack(t *testing.T) {
	t.Parallel()
	if !leaveDuringLoss(t, func(e *localTicket) { e.leaving-- }) {
		t.Error("it does not stand in the line: the test above proves nothing")
	}
}
