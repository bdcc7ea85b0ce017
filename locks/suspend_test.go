package locks

import (
	"slices"
	"testing"
	"time"

	"lunchgo/db/dbtest"
)

// While a line stands still nobody gets a turn, who comes stands behind, and afterwards it goes on in order.
func TestSuspend_NobodyGetsATurnMeanwhile(t *testing.T) {
	testWithGuards(t, suspended,
		guard{"the look at the standstill", "", "  if suspended() then return end\n", ""},
		guard{"the moment at which it ends", "", ", tonumber(r.suspended or 0)) end", ") end"})
}

func suspended(t testing.TB, edit func(*Client)) {
	h := newHarness(t)
	slow := func(cfg *Config) { cfg.Beat, cfg.TTL, cfg.ClaimWindow = time.Minute, 2*time.Minute, time.Minute }
	a, b := h.node("a", slow), h.node("b", slow)
	edit(a)
	edit(b)
	turn := h.turnOf(a, "t1")
	const pause = 1500 * time.Millisecond
	before := time.Now()
	dbtest.Must(t, b.Line(h.name).Suspend(h.ctx(), pause))
	after := time.Now() // it began between the two
	h.enter(b, "t2")
	h.release(turn, 1) // the turn that lasted ends
	if place := h.enter(a, "t3"); place.Granted || place.Position != 2 {
		t.Fatalf("during the standstill %+v", place)
	}
	h.awaitSubscribed("a", "b")
	if p := h.progress(a); p.Holder || p.Suspended <= 0 || p.Suspended > pause {
		t.Fatalf("during the standstill %+v", p)
	}
	h.release(h.nextIs(b, "t2"), 1)
	const tick = time.Millisecond // of the clock that Redis goes by
	if time.Since(before) < pause-tick || time.Since(after) > pause+slack+time.Second {
		t.Errorf("the line went on after %v of %v", time.Since(before), pause)
	}
	h.release(h.nextIs(a, "t3"), 1)
	if p := h.progress(a); p.Suspended >= 0 {
		t.Errorf("after the standstill %+v", p)
	}
}

// A joint ticket gets no turn while one of its lines stands still, and the end of the standstill can be called at any
// node.
func TestSuspend_OfOneLineHoldsJointTickets(t *testing.T) {
	testWithGuards(t, func(t testing.TB, edit func(*Client)) {
		h, a, b := newTwoNodes(t)
		edit(a)
		edit(b)
		late := Name{h.name.Partition, "20:00"}
		both := JointName(h.name.Partition, []string{h.name.Key, late.Key})
		dbtest.Must(t, b.Line(late).Suspend(h.ctx(), time.Minute))
		if place, err := a.Line(both).Enter(h.ctx(), Entry{Ticket: "both"}); err != nil || place.Granted {
			t.Fatalf("during the standstill %+v, %v", place, err)
		}
		dbtest.Must(t, b.Line(late).Suspend(h.ctx(), 0))
		turn, err := a.Line(both).Next(h.ctx())
		if err != nil || turn.Ticket() != "both" {
			t.Fatalf("got %v, %v", turn, err)
		}
		h.release(turn, 1)
	}, guard{"the look at the standstill of each line", "", " and not suspended() and pop_head()", " and pop_head()"})
}

// Who enters before the moment stands by lot, whoever comes later behind them.
func TestLot_CountsBeforeItsMomentOnly(t *testing.T) {
	testWithGuards(t, lots,
		guard{"the look at the clock", opEnter, "tonumber(till) > now and lot", "lot"},
		guard{"the numbers of the clock", opEnter, ">= 2 ^ 50 then", "< 0 then"})
}

func lots(t testing.TB, edit func(*Client)) {
	h := newHarness(t)
	a, b := h.node("a", nil), h.node("b", nil)
	edit(a)
	edit(b)
	dbtest.Must(t, a.Line(h.name).Suspend(h.ctx(), time.Minute))
	draw := func(c *Client, ticket string, lot int64, till time.Time) int64 {
		place, err := c.Line(h.name).Enter(h.ctx(), Entry{Ticket: ticket, Lot: lot, LotUntil: till})
		dbtest.Must(t, err)
		return place.Arrival
	}
	ahead, past := time.Now().Add(time.Minute), time.Now().Add(-time.Second)
	for _, ticket := range []struct {
		of  *Client
		id  string
		lot int64
	}{{a, "t1", 900}, {b, "t2", 7}, {a, "t3", LotsBelow - 1}, {b, "t4", 50}} {
		if got := draw(ticket.of, ticket.id, ticket.lot, ahead); got != ticket.lot {
			t.Fatalf("%s stands at %d, drew %d", ticket.id, got, ticket.lot)
		}
	}
	if again := draw(a, "t2", 3, ahead); again != 7 {
		t.Errorf("who entered again stands at %d, drew 7", again)
	}
	for _, late := range []struct {
		id   string
		till time.Time
	}{{"late", past}, {"behind", ahead}} { // the second finds somebody who stands by the clock
		if got := draw(b, late.id, 1, late.till); got < LotsBelow {
			t.Fatalf("%s stands at %d", late.id, got)
		}
	}
	want := []string{"t2", "t4", "t1", "t3", "late", "behind"}
	if got := order(h.progress(a)); !slices.Equal(got, want) {
		t.Errorf("the line is %v, want %v", got, want)
	}
}
