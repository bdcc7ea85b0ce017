package locks

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

// A position never rises.
func TestI07_APositionNeverRises(t *testing.T) {
	testWithGuards(t, positionsUnderChurn,
		guard{"the place of who enters again", opEnter, "    adopt(owner)\n    set_owner()", "    call('ZREM', waiting, ticket)\n    adopt(owner)\n    set_owner()"},
		guard{"the life of a ticket that was adopted", opEnter, "call('ZADD', alive, deadline, ticket)", "call('ZADD', alive, now + 1, ticket)"},
	)
}

// positionsUnderChurn serves a crowd of which everybody reloads the page and changes nodes all the time, while a node dies.
// Nobody's position may rise, and all are served in the order in which they came.
func positionsUnderChurn(t testing.TB, edit func(*Client)) {
	skipIfShort(t)
	r := newHarness(t)
	nodes := []*Client{r.node("a", nil), r.node("b", nil), r.node("dying", nil)}
	for _, c := range nodes {
		edit(c)
	}
	const n = 40
	want := make([]string, n)
	for i := range n {
		want[i] = fmt.Sprintf("t%02d", i)
		r.enter(nodes[i%3], want[i])
	}
	r.release(r.next(nodes[0]), 1)
	r.release(r.next(nodes[1]), 1)
	turn := r.next(nodes[2]) // of the node that dies, which holds everybody up
	if turn.Ticket() != want[2] {
		t.Fatalf("%s has the turn, want %s", turn.Ticket(), want[2])
	}
	r.kill(nodes[2])
	random := rand.New(rand.NewPCG(7, 7))
	last := r.progress(nodes[0]).Positions
	reload := func(ticket string) {
		if place := r.enter(nodes[random.IntN(2)], ticket); place.Position > last[ticket] {
			t.Fatalf("%s entered again at position %d, stood at %d", ticket, place.Position, last[ticket])
		}
	}
	for _, ticket := range want[3:] { // before those of the dead node die with it
		reload(ticket)
	}
	for i, ticket := range want[3:] {
		next := r.nextOf(nodes[0], nodes[1])
		if next.Ticket() != ticket {
			t.Fatalf("%s has the turn, want %s", next.Ticket(), ticket)
		}
		for _, waiting := range want[min(i+4, n-1) : n-1] {
			if random.IntN(4) == 0 {
				reload(waiting)
			}
		}
		now := r.progress(nodes[0]).Positions
		for ticket, position := range now {
			if position > last[ticket] {
				t.Fatalf("%s fell back from %d to %d", ticket, last[ticket], position)
			}
		}
		last = now
		r.release(next, 1)
	}
}

// Tickets of a killed node are adopted in their place.
func TestI07_TicketsOfAKilledNodeAreAdoptedInTheirPlace(t *testing.T) {
	testWithGuards(t, adoptedInPlace,
		guard{"the number of a known ticket", opEnter, "if known_arrival then arrival = known_arrival elseif", "if"})
}

func adoptedInPlace(t testing.TB, edit func(*Client)) {
	r := newHarness(t)
	a, b := r.node("a", nil), r.node("b", nil)
	edit(b)
	r.enter(b, "t1")
	turn := r.next(b)
	before := r.enter(a, "t2")
	r.enter(b, "t3")
	r.kill(a)
	after := r.enter(b, "t2")
	if after.Arrival != before.Arrival || after.Position != before.Position {
		t.Fatalf("adopted at %+v, stood at %+v", after, before)
	}
	r.release(turn, 1)
	if next := r.next(b); next.Ticket() != "t2" {
		t.Fatalf("next is %s, want t2", next.Ticket())
	}
}

// Adoption tells the node before.
func TestAdoption_NotifiesFormerOwner(t *testing.T) {
	testWithGuards(t, toldByMessage,
		guard{"the message", opEnter, "publish(owner, {kind = 'adopted', ticket = ticket}, session)", ""})
	testWithout(t, "messages", toldByMessage, func(c *Client) { dropMessages(t, c) })
}

func toldByMessage(t testing.TB, edit func(*Client)) {
	adopted(t, edit, func(cfg *Config) { cfg.Beat, cfg.TTL = time.Hour, 2*time.Hour })
}

// Without messages a beat tells of an adoption.
func TestAdoption_IsLearntByBeat(t *testing.T) {
	testWithGuards(t, toldByBeat, guard{"the mark in its answer", opBeat, "or owner and 'a' or lost", "or owner and 'w' or lost"})
}

func toldByBeat(t testing.TB, edit func(*Client)) {
	adopted(t, func(c *Client) {
		dropMessages(t, c)
		edit(c)
	}, func(*Config) {})
}

// adopted lets a ticket go from one node to another and back; the first must learn of it.
func adopted(t testing.TB, edit func(*Client), times func(*Config)) {
	r := newHarness(t)
	j := newRecordingObserver()
	a := r.node("a", func(cfg *Config) { j.attach(cfg); times(cfg) })
	b := r.node("b", times)
	edit(a)
	edit(b)
	r.enter(a, "t1")
	r.enter(a, "t2")
	channel := lineKeys(r.prefix, r.name).channel + "a"
	eventually(t, 5*time.Second, "a listens", func() bool { return r.rdb.PubSubNumSub(r.ctx(), channel).Val()[channel] == 1 })
	r.enter(b, "t2")
	eventually(t, 3*time.Second, "a knows that b lends t2", func() bool {
		return j.departures()["t2"] == Departure{Cause: Adopted}
	})
	if place := r.enter(a, "t2"); place.Position != 1 || place.Granted {
		t.Fatalf("back at a: %+v", place)
	}
}

// A turn that goes on elsewhere.
func TestAdoption_DuringATurn(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	j := newRecordingObserver()
	a, b := r.node("a", nil), r.node("b", j.attach)
	first := r.enter(a, "t1")
	turn := r.next(a)
	again := r.enter(b, "t1")
	if !again.Granted || again.Fence != first.Fence {
		t.Fatalf("%+v, want the fence of %+v", again, first)
	}
	brief, cancel := context.WithTimeout(r.ctx(), 2*testTimes.Beat)
	defer cancel()
	if _, err := b.Line(r.name).Next(brief); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("two nodes have the same turn: %v", err)
	}
	r.release(turn, 1)
	eventually(t, 5*time.Second, "b knows that t1 was served", func() bool {
		return j.departures()["t1"] == Departure{Cause: Served}
	})
}

// A ticket held by a dead node stands again where it was adopted.
func TestI07_ATicketHeldByADeadNodeStandsAgainWhereItWasAdopted(t *testing.T) {
	testWithGuards(t, heldByTheDead, guard{
		"the return of a holder that was adopted", "", "if call('ZSCORE', alive, ticket) then", "if false then",
	})
}

func heldByTheDead(t testing.TB, edit func(*Client)) {
	r := newHarness(t)
	a, b := r.node("a", nil), r.node("b", nil)
	edit(b)
	first := r.enter(a, "t1")
	r.enter(b, "t2")
	r.kill(a)
	if place := r.enter(b, "t1"); !place.Granted {
		t.Fatalf("%+v", place)
	}
	next := r.next(b)
	if next.Ticket() != "t1" || next.Arrival() != first.Arrival || next.Fence() <= first.Fence {
		t.Fatalf("%s has the turn, arrival %d, fence %d; want t1 again, %+v", next.Ticket(), next.Arrival(), next.Fence(), first)
	}
}
