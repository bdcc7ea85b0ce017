package waiting

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

func TestPressIsServedAtOnceWhenTheTurnIsFree(t *testing.T) {
	t.Parallel()
	p := newPlace(t, 10)
	status := settledWithin(t, press(t, p.room(Config{}), wish("ann", "k1")), 2*time.Second)
	if status.State != Reserved || status.Result.ReservationID != "for-ann" {
		t.Fatalf("got %+v", status)
	}
}

func TestThoseWhoWaitAreServedInOrderOfArrival(t *testing.T) {
	t.Parallel()
	p := newPlace(t, 1000)
	turn := p.rival()
	rooms := []*Room{p.room(Config{}), p.room(Config{})}
	var watches []*Watch
	for i := range 150 {
		watches = append(watches, press(t, rooms[i%2], wish(fmt.Sprintf("diner-%d", i), "k")))
	}
	eventually(t, 3*time.Second, "the last one stands at 150", func() bool { return watches[149].Status().Position == 150 })
	eventually(t, 3*time.Second, "the first one stands at 1 of 150", func() bool {
		first := watches[0].Status()
		return first.Position == 1 && first.Count == 150
	})
	if err := turn.Release(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	for _, w := range watches {
		if s := settledWithin(t, w, 10*time.Second); s.State != Reserved {
			t.Fatalf("got %+v", s)
		}
	}
	if !slices.IsSorted(p.server.order) || len(p.server.order) != 150 {
		t.Fatalf("served %d, not in order of arrival: %v", len(p.server.order), p.server.order)
	}
}

func TestOneTurnServesARunOfThoseBehindIt(t *testing.T) {
	t.Parallel()
	p := newPlace(t, 1000)
	turn := p.rival()
	room := p.room(Config{})
	var watches []*Watch
	for i := range 100 {
		watches = append(watches, press(t, room, wish(fmt.Sprintf("diner-%d", i), "k")))
	}
	if err := turn.Release(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	for _, w := range watches {
		settledWithin(t, w, 5*time.Second)
	}
	if want := []int{64, 36}; !slices.Equal(p.server.runs, want) {
		t.Fatalf("runs of %v, want %v", p.server.runs, want)
	}
}

func TestAClosedRoomsTicketsKeepTheirPlacesElsewhere(t *testing.T) {
	t.Parallel()
	p := newPlace(t, 10)
	p.rival()
	first, second := p.room(Config{}), p.room(Config{})
	ahead := press(t, second, wish("bob", "k"))
	mine := press(t, first, wish("ann", "k"))
	behind := press(t, second, wish("cem", "k"))
	pass := mine.Token()
	if err := first.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s, err := mine.Next(t.Context()); err != nil || !s.Reconnect {
		if s, err = mine.Next(t.Context()); err != nil || !s.Reconnect {
			t.Fatalf("the watcher of a closing room got %+v, %v", s, err)
		}
	}
	adopted, err := second.Watch(t.Context(), pass, "ann")
	if err != nil {
		t.Fatal(err)
	}
	defer adopted.Close()
	for want, w := range []*Watch{ahead, adopted, behind} {
		eventually(t, 2*time.Second, "the places are as they were", func() bool { return w.Status().Position == want+1 })
	}
}

func TestAClosedLineAnswersEveryoneAtOnce(t *testing.T) {
	t.Parallel()
	p := newPlace(t, 2)
	turn := p.rival()
	rooms := []*Room{p.room(Config{Run: 2}), p.room(Config{Run: 2})}
	var watches []*Watch
	for i := range 60 {
		watches = append(watches, press(t, rooms[i%2], wish(fmt.Sprintf("diner-%d", i), "k")))
	}
	if err := turn.Release(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	reserved, told := 0, 0
	for _, w := range watches {
		switch s := settledWithin(t, w, 3*time.Second); {
		case s.State == Reserved:
			reserved++
		case s.Result.Code == CodeSoldOut && s.Result.OnHold == 7:
			told++
		}
	}
	if reserved != 2 || told < 50 {
		t.Fatalf("%d reserved, %d told by the closing of the line", reserved, told)
	}
	if len(p.server.runs) > 6 {
		t.Errorf("%d runs were served after the line was closed", len(p.server.runs))
	}
}

func TestWhatCannotBeServedNowIsServedLaterInOrder(t *testing.T) {
	t.Parallel()
	p := newPlace(t, 10)
	p.server.fails = []error{ErrUnavailable, ErrOvertaken, ErrUnavailable}
	room := p.room(Config{})
	a, b := press(t, room, wish("ann", "k")), press(t, room, wish("bob", "k"))
	for _, w := range []*Watch{a, b} {
		if s := settledWithin(t, w, 10*time.Second); s.State != Reserved {
			t.Fatalf("got %+v", s)
		}
	}
	if !slices.IsSorted(p.server.order) {
		t.Fatalf("served out of order: %v", p.server.order)
	}
}

func TestOneBadWishDoesNotFailItsRun(t *testing.T) {
	t.Parallel()
	p := newPlace(t, 10)
	p.server.poison = "eve"
	turn := p.rival()
	room := p.room(Config{})
	good, bad, last := press(t, room, wish("ann", "k")), press(t, room, wish("eve", "k")), press(t, room, wish("bob", "k"))
	if err := turn.Release(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	if s := settledWithin(t, bad, 5*time.Second); s.Result.Code != CodeUnavailable {
		t.Errorf("the bad wish got %+v", s)
	}
	for _, w := range []*Watch{good, last} {
		if s := settledWithin(t, w, 5*time.Second); s.State != Reserved {
			t.Errorf("a good wish got %+v", s)
		}
	}
}
