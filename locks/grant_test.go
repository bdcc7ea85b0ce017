package locks

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"time"

	"lunchgo/db/dbtest"
)

// A turn that another node gives begins with its message: a hand-off between nodes costs Redis one call.
func TestMessage_TurnBeginsWithIt(t *testing.T) {
	testWithGuards(t, oneCall, guard{"how long the turn lasts", opRelease, "left = claim_window", "left = 0"})
}

func oneCall(t testing.TB, edit func(*Client)) {
	ignoresClock(t)
	h := newPrivateHarness(t)
	a, b := h.node("a", slow), h.node("b", slow)
	edit(a)
	edit(b)
	const n = 40
	want := h.enterInTurn(n, a, b)
	h.awaitSubscribed("a", "b")
	dbtest.Must(t, h.rdb.ConfigResetStat(h.ctx()).Err())
	if got := serveAll(h, n, a, b); !slices.Equal(got, want) {
		t.Fatalf("served %v, want %v", got, want)
	}
	if calls := h.commandStats()["evalsha"].calls; calls > n+4 { // a beat after each subscription
		t.Errorf("%.0f calls for %d hand-offs", calls, n)
	}
}

func TestI01_AMessageThatComesLateBeginsNoTurn(t *testing.T) {
	testWithGuards(t, func(t testing.TB, _ func(*Client)) { lateMessage(t, testTimes.ClaimWindow) })
	testWithout(t, "the look at its age", func(t testing.TB, _ func(*Client)) { lateMessage(t, 0) }, func(*Client) {})
}

// lateMessage gives a node a message of that age about a turn that its ticket does not have.
func lateMessage(t testing.TB, age time.Duration) {
	h, a, b := newTwoNodes(t)
	turn := h.turnOf(a, "t1")
	place := h.enter(b, "t2")
	now, err := h.rdb.Time(h.ctx()).Result()
	dbtest.Must(t, err)
	payload, err := json.Marshal(message{
		Line: h.name.Key, Kind: "granted", At: now.Add(-age).UnixMicro(), Ticket: "t2", Fence: turn.Fence() + 1,
		Arrival: place.Arrival, Left: testTimes.ClaimWindow.Microseconds(),
	})
	dbtest.Must(t, err)
	b.onMessage(h.name.Partition, string(payload), false)
	brief, cancel := context.WithTimeout(h.ctx(), 2*testTimes.Beat)
	defer cancel()
	if early, err := b.Line(h.name).Next(brief); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("%+v, %v: the turn of t1 goes on", early, err)
	}
	h.release(turn, 1)
	h.release(h.nextIs(b, "t2"), 1)
}
