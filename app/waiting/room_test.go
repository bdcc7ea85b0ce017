package waiting

import (
	"fmt"
	"slices"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/refusal"
	"lunchgo/db/dbtest"
)

func TestServe_AtOnceWhenTheTurnIsFree(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 10)
	status := awaitResult(t, enter(t, h.room(Config{}), request("ann", "k1")))
	if status.State != Reserved || status.Result.ReservationID != "for-ann" {
		t.Fatalf("got %+v", status)
	}
}

func TestServe_InOrderOfArrival(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 1000)
	turn := h.takeTurn()
	rooms := []*Room{h.room(Config{}), h.room(Config{})}
	var watches []*Watch
	for i := range 150 {
		watches = append(watches, enter(t, rooms[i%2], request(fmt.Sprintf("diner-%d", i), "k")))
	}
	dbtest.Eventually(t, "the last one stands at 150",
		func() bool { return watches[149].Status().Position == 150 })
	dbtest.Eventually(t, "the first one stands at 1 of 150", func() bool {
		first := watches[0].Status()
		return first.Position == 1 && first.Count == 150
	})
	dbtest.Must(t, turn.Release(t.Context(), 1))
	for _, w := range watches {
		if s := awaitResult(t, w); s.State != Reserved {
			t.Fatalf("got %+v", s)
		}
	}
	if !slices.IsSorted(h.handler.arrivals()) || len(h.handler.arrivals()) != 150 {
		t.Fatalf("served %d, not in order of arrival: %v", len(h.handler.arrivals()), h.handler.arrivals())
	}
}

func TestServe_OneTurnServesABatch(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 1000)
	turn := h.takeTurn()
	room := h.room(Config{})
	var watches []*Watch
	for i := range 100 {
		watches = append(watches, enter(t, room, request(fmt.Sprintf("diner-%d", i), "k")))
	}
	dbtest.Must(t, turn.Release(t.Context(), 1))
	for _, w := range watches {
		awaitResult(t, w)
	}
	if want := []int{64, 36}; !slices.Equal(h.handler.batchSizes(), want) {
		t.Fatalf("runs of %v, want %v", h.handler.batchSizes(), want)
	}
}

func TestClose_TicketsKeepTheirPlacesElsewhere(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 10)
	h.takeTurn()
	first, second := h.room(Config{}), h.room(Config{})
	ahead := enter(t, second, request("bob", "k"))
	mine := enter(t, first, request("ann", "k"))
	behind := enter(t, second, request("cem", "k"))
	signed := mine.Token()
	dbtest.Must(t, first.Close(t.Context()))
	if s, err := mine.Next(t.Context()); err != nil || !s.Reconnect {
		if s, err = mine.Next(t.Context()); err != nil || !s.Reconnect {
			t.Fatalf("the watcher of a closing room got %+v, %v", s, err)
		}
	}
	adopted, err := second.Watch(t.Context(), signed, "ann")
	dbtest.Must(t, err)
	defer adopted.Close()
	for want, w := range []*Watch{ahead, adopted, behind} {
		dbtest.Eventually(t, "the places are as they were",
			func() bool { return w.Status().Position == want+1 })
	}
}

func TestCloseLine_AnswersEveryoneAtOnce(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 2)
	turn := h.takeTurn()
	rooms := []*Room{h.room(Config{BatchSize: 2}), h.room(Config{BatchSize: 2})}
	var watches []*Watch
	for i := range 60 {
		watches = append(watches, enter(t, rooms[i%2], request(fmt.Sprintf("diner-%d", i), "k")))
	}
	dbtest.Must(t, turn.Release(t.Context(), 1))
	reserved, refused := 0, 0
	for _, w := range watches {
		switch s := awaitResult(t, w); {
		case s.State == Reserved:
			reserved++
		case s.Result.Code == booking.ErrSoldOut.Code && s.Result.OnHold == 7:
			refused++
		}
	}
	if reserved != 2 || refused < 50 {
		t.Fatalf("%d reserved, %d refused by the closing of the line", reserved, refused)
	}
	if len(h.handler.batchSizes()) > 6 {
		t.Errorf("%d runs were served after the line was closed", len(h.handler.batchSizes()))
	}
}

func TestServe_WhatIsUnavailableIsServedLaterInOrder(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 10)
	h.handler.fails = []error{ErrUnavailable, ErrOvertaken, ErrUnavailable}
	room := h.room(Config{})
	a, b := enter(t, room, request("ann", "k")), enter(t, room, request("bob", "k"))
	for _, w := range []*Watch{a, b} {
		if s := awaitResult(t, w); s.State != Reserved {
			t.Fatalf("got %+v", s)
		}
	}
	if !slices.IsSorted(h.handler.arrivals()) {
		t.Fatalf("served out of order: %v", h.handler.arrivals())
	}
}

func TestServe_OneBadRequestDoesNotFailItsBatch(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 10)
	h.handler.poison = "eve"
	turn := h.takeTurn()
	room := h.room(Config{})
	good, bad, last := enter(t, room, request("ann", "k")), enter(t, room, request("eve", "k")),
		enter(t, room, request("bob", "k"))
	dbtest.Must(t, turn.Release(t.Context(), 1))
	if s := awaitResult(t, bad); s.Result.Code != refusal.Unavailable.Code {
		t.Errorf("the bad request got %+v", s)
	}
	for _, w := range []*Watch{good, last} {
		if s := awaitResult(t, w); s.State != Reserved {
			t.Errorf("a good request got %+v", s)
		}
	}
}
