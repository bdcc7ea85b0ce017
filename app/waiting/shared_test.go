package waiting

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"lunchgo/db/dbtest"
	"lunchgo/locks"
)

// quickLines has beats short enough for a test to wait for some.
var quickLines = locks.Config{
	Beat: 200 * time.Millisecond, TTL: 2 * time.Second, ClaimWindow: time.Second, Lease: 3 * time.Second,
}

func TestOneTurnServesTheTicketsOfEveryProcess(t *testing.T) {
	t.Parallel()
	p := newPlace(t, 1000)
	turn := p.rival()
	rooms := []*Room{p.room(Config{}), p.room(Config{})}
	var watches []*Watch
	for i := range 100 {
		watches = append(watches, press(t, rooms[i%2], wish(fmt.Sprintf("diner-%d", i), "k")))
	}
	if err := turn.Release(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	for i, w := range watches {
		if s := settledWithin(t, w, 5*time.Second); s.Result.ReservationID != fmt.Sprintf("for-diner-%d", i) {
			t.Errorf("diner %d: %+v", i, s)
		}
	}
	if want := []int{64, 36}; !slices.Equal(p.server.runs, want) || !slices.IsSorted(p.server.order) {
		t.Errorf("runs of %v in order %v, want %v in order of arrival", p.server.runs, p.server.order, want)
	}
}

func TestAnAbsentDinersPlaceIsKeptAndPassedOver(t *testing.T) {
	t.Parallel()
	p := newPlace(t, 10)
	turn := p.rival()
	cfg := Config{Present: 100 * time.Millisecond, Grace: 20 * time.Second}
	here, there := p.room(cfg), p.room(cfg)
	ann, err := here.Enter(t.Context(), wish("ann", "k"))
	if err != nil {
		t.Fatal(err)
	}
	pass := ann.Token()
	bob := press(t, here, wish("bob", "k"))
	ann.Close()
	eventually(t, 5*time.Second, "ann is parked", func() bool {
		ann.lane.mu.Lock()
		defer ann.lane.mu.Unlock()
		return ann.standing.parked
	})
	if s := bob.Status(); s.Position != 2 || s.Count != 2 {
		t.Errorf("bob stands at %+v, want behind ann, who may return", s)
	}
	behind := press(t, here, wish("cem", "k"))
	if s := behind.Status(); s.Position != 3 {
		t.Errorf("cem stands at %+v", s)
	}
	if err := turn.Release(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	for _, w := range []*Watch{bob, behind} {
		if s := settledWithin(t, w, 5*time.Second); s.State != Reserved {
			t.Errorf("got %+v", s)
		}
	}
	back, err := there.Watch(t.Context(), pass, "ann")
	if err != nil {
		t.Fatal(err)
	}
	defer back.Close()
	if s := settledWithin(t, back, 5*time.Second); s.Result.ReservationID != "for-ann" {
		t.Errorf("ann is back: %+v", s)
	}
	if order := p.server.order; len(order) != 3 || order[2] >= order[0] {
		t.Errorf("served in order %v, want ann's number, the lowest, last", order)
	}
}

func TestAParkedDinerWhoReturnsInTimeStandsWhereTheyStood(t *testing.T) {
	t.Parallel()
	p := newPlace(t, 10)
	p.rival()
	room := p.room(Config{Present: 100 * time.Millisecond, Grace: 20 * time.Second})
	ann, err := room.Enter(t.Context(), wish("ann", "k"))
	if err != nil {
		t.Fatal(err)
	}
	bob := press(t, room, wish("bob", "k"))
	pass := ann.Token()
	ann.Close()
	eventually(t, 5*time.Second, "ann is parked", func() bool {
		p, err := room.lines.Line(evening).Progress(t.Context())
		return err == nil && len(p.Positions) == 1
	})
	back, err := room.Watch(t.Context(), pass, "ann")
	if err != nil {
		t.Fatal(err)
	}
	defer back.Close()
	if a, b := back.Status().Position, bob.Status().Position; a != 1 || b != 2 {
		t.Errorf("ann stands at %d, bob at %d", a, b)
	}
}

func TestNobodyIsToldToWaitLongerThanThereIsSomethingLeft(t *testing.T) {
	t.Parallel()
	p := newPlace(t, 2)
	p.rival()
	room := p.room(Config{})
	var last *Watch
	for i := range 12 {
		last = press(t, room, wish(fmt.Sprintf("diner-%d", i), "k"))
	}
	const perPerson = 3 * time.Second // before anything was measured
	eventually(t, 5*time.Second, "the last of twelve waits for the two that can be served, and no longer", func() bool {
		s := last.Status()
		return s.Position == 12 && s.Estimate == 2*perPerson
	})
	p.server.mu.Lock()
	p.server.seats = 100
	p.server.mu.Unlock()
	eventually(t, 5*time.Second, "with more seats it waits for all ahead", func() bool {
		return last.Status().Estimate == 12*perPerson
	})
}

func TestALossOfAllDataCostsNobodyThePlace(t *testing.T) {
	t.Parallel()
	p := newPlaceAt(t, dbtest.PrivateRedisURL(t), 100)
	p.rival()
	rooms := []*Room{p.room(Config{Lines: quickLines}), p.room(Config{Lines: quickLines})}
	var watches []*Watch
	for i := range 20 {
		watches = append(watches, press(t, rooms[i%2], wish(fmt.Sprintf("diner-%d", i), "k")))
	}
	if err := p.rdb.FlushAll(t.Context()).Err(); err != nil {
		t.Fatal(err)
	}
	again := press(t, rooms[0], wish("diner-0", "k")) // pressed before anything is restored: another ticket
	newcomer := press(t, rooms[1], wish("newcomer", "k"))
	for _, w := range append(slices.Clone(watches), newcomer) {
		if s := settledWithin(t, w, 20*time.Second); s.State != Reserved {
			t.Errorf("got %+v", s)
		}
	}
	settledWithin(t, again, 20*time.Second)
	order := p.server.order
	if !slices.IsSorted(order[:20]) || len(order) < 21 || order[19] > slices.Min(order[20:]) {
		t.Errorf("served in order %v, want those who were in line first", order)
	}
	pass := watches[7].Token()
	found, err := rooms[0].Watch(t.Context(), pass, "diner-7")
	if err != nil {
		t.Fatalf("a restored ticket: %v", err)
	}
	defer found.Close()
	if s := found.Status(); s.Result.ReservationID != "for-diner-7" {
		t.Errorf("found %+v", s)
	}
}
