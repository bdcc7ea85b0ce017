package locks

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

func TestI07_APositionNeverRises(t *testing.T) {
	testWithGuards(t, positionsUnderChurn,
		placeOnReentry,
		guard{"the owner of who enters again", opEnter,
			"if value ~= values[k] then call('HSET', tickets, e.ticket, value) end",
			"",
		},
	)
}

// positionsUnderChurn serves a crowd of which everybody reloads the page and changes nodes all the time, while a node
// dies. Nobody's position may rise, and all are served in the order in which they came.
func positionsUnderChurn(t testing.TB, edit func(*Client)) {
	h := newHarness(t)
	nodes := []*Client{h.node("a", nil), h.node("b", nil), h.node("dying", nil)}
	for _, c := range nodes {
		edit(c)
	}
	const n = 40
	want := make([]string, n)
	for i := range n {
		want[i] = fmt.Sprintf("t%02d", i)
		h.enter(nodes[i%3], want[i])
	}
	h.release(h.next(nodes[0]), 1)
	h.release(h.next(nodes[1]), 1)
	turn := h.next(nodes[2]) // of the node that dies, which holds everybody up
	if turn.Ticket() != want[2] {
		t.Fatalf("%s has the turn, want %s", turn.Ticket(), want[2])
	}
	h.kill(nodes[2])
	random := rand.New(rand.NewPCG(7, 7))
	last := h.progress(nodes[0]).Positions
	reload := func(ticket string) {
		if place := h.enter(nodes[random.IntN(2)], ticket); place.Position > last[ticket] {
			t.Fatalf("%s entered again at position %d, stood at %d", ticket, place.Position, last[ticket])
		}
	}
	for _, ticket := range want[3:] { // before those of the dead node die with it
		reload(ticket)
	}
	for i, ticket := range want[3:] {
		next := h.nextOf(nodes[0], nodes[1])
		if next.Ticket() != ticket {
			t.Fatalf("%s has the turn, want %s", next.Ticket(), ticket)
		}
		for _, waiting := range want[min(i+4, n-1) : n-1] {
			if random.IntN(4) == 0 {
				reload(waiting)
			}
		}
		now := h.progress(nodes[0]).Positions
		for ticket, position := range now {
			if position > last[ticket] {
				t.Fatalf("%s fell back from %d to %d", ticket, last[ticket], position)
			}
		}
		last = now
		h.release(next, 1)
	}
}

func TestI07_TicketsOfAKilledNodeAreAdoptedInTheirPlace(t *testing.T) {
	testWithGuards(t, adoptedInPlace,
		numberOfKnownTicket)
}

func adoptedInPlace(t testing.TB, edit func(*Client)) {
	h, a, b := newTwoNodes(t)
	edit(b)
	turn := h.turnOf(b, "t1")
	before := h.enter(a, "t2")
	h.enter(b, "t3")
	h.kill(a)
	after := h.enter(b, "t2")
	if after.Arrival != before.Arrival || after.Position != before.Position {
		t.Fatalf("adopted at %+v, stood at %+v", after, before)
	}
	h.release(turn, 1)
	h.nextIs(b, "t2")
}

func TestAdoption_NotifiesFormerOwner(t *testing.T) {
	testWithGuards(t, adoptionLearntByMessage,
		guard{"the message", opEnter, "publish(e.owner, {kind = 'adopted', ticket = e.ticket}, session)", ""})
	testWithout(t, "messages", adoptionLearntByMessage, func(c *Client) { dropMessages(t, c) })
}

func adoptionLearntByMessage(t testing.TB, edit func(*Client)) {
	adopted(t, edit, func(cfg *Config) { cfg.Beat, cfg.TTL = time.Hour, 2*time.Hour })
}

// Without messages the former owner learns of an adoption by a beat.
func TestAdoption_IsLearntByBeat(t *testing.T) {
	testWithGuards(t, adoptionLearntByBeat, guard{"the mark in its answer", opBeat,
		"or owner and 'a' or lost",
		"or owner and 'w' or lost",
	})
}

func adoptionLearntByBeat(t testing.TB, edit func(*Client)) {
	adopted(t, func(c *Client) {
		dropMessages(t, c)
		edit(c)
	}, func(*Config) {})
}

// adopted lets a ticket go from one node to another and back; the first must learn of it.
func adopted(t testing.TB, edit func(*Client), times func(*Config)) {
	h := newHarness(t)
	j := newRecordingObserver()
	a := h.node("a", func(cfg *Config) { j.attach(cfg); times(cfg) })
	b := h.node("b", times)
	edit(a)
	edit(b)
	h.enter(a, "t1")
	entered := h.enter(a, "t2").ServerTime.UnixMicro()
	eventually(t, "the beat after the subscription",
		func() bool { return a.lastSeen(h.name, "t2") > entered })
	h.enter(b, "t2")
	eventually(t, "a knows that b owns t2", func() bool {
		return j.departures()["t2"] == Departure{Cause: Adopted}
	})
	if place := h.enter(a, "t2"); place.Position != 1 || place.Granted {
		t.Fatalf("back at a: %+v", place)
	}
}

func TestAdoption_DuringATurn(t *testing.T) {
	mustPass(t, func(t testing.TB) {
		h := newHarness(t)
		j := newRecordingObserver()
		a, b := h.node("a", nil), h.node("b", j.attach)
		first := h.enter(a, "t1")
		turn := h.next(a)
		again := h.enter(b, "t1")
		if !again.Granted || again.Fence != first.Fence {
			t.Fatalf("%+v, want the fence of %+v", again, first)
		}
		brief, cancel := context.WithTimeout(h.ctx(), 2*testTimes.Beat)
		defer cancel()
		if _, err := b.Line(h.name).Next(brief); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("two nodes have the same turn: %v", err)
		}
		h.release(turn, 1)
		eventually(t, "b knows that t1 was served", func() bool {
			return j.departures()["t1"] == Departure{Cause: Served}
		})
	})
}

func TestI07_ATicketHeldByADeadNodeWaitsAgainWhereItWasAdopted(t *testing.T) {
	testWithGuards(t, heldByTheDead, returnOfHolder)
}

func heldByTheDead(t testing.TB, edit func(*Client)) {
	h, a, b := newTwoNodes(t)
	edit(b)
	first := h.enter(a, "t1")
	h.enter(b, "t2")
	h.kill(a)
	if place := h.enter(b, "t1"); !place.Granted {
		t.Fatalf("%+v", place)
	}
	next := h.next(b)
	if next.Ticket() != "t1" || next.Arrival() != first.Arrival || next.Fence() <= first.Fence {
		t.Fatalf("%s has the turn, arrival %d, fence %d; want t1 again, %+v", next.Ticket(), next.Arrival(),
			next.Fence(), first)
	}
}
