package booking

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// party has seats of an evening.
type party struct {
	size  int
	times []TimeOfDay
	seats []int64
}

// waitingDay is a random history of a day of three slots with one waitlist, and what was seen of it. What it counts it
// counts without the rule's own counters.
type waitingDay struct {
	*rand.Rand
	now      time.Time
	capacity int
	plan     SeatPlan
	held     []party
	list     Waitlist
	next     int64
	noKeeps  bool // control: seats that are kept stay so, as before there was a bound
	noEnd    time.Duration

	passes     map[string]int          // of each entry since seats were last kept for it, except while its slots rest
	keptUntil  map[TimeOfDay]time.Time // when the seats of a slot were last kept
	empty      map[TimeOfDay]bool      // free seats that nobody can have
	empties    map[TimeOfDay][]emptySpan
	mostPasses int
	longest    time.Duration // that seats were free and nobody's within KeepTime and RestTime
	late       bool          // seats were kept in the last hour of their slot
	oversold   bool
}

// emptySpan is a time in which seats of a slot were free and nobody's.
type emptySpan struct{ from, to time.Time }

// emptyWithin returns how long seats of a slot were empty within KeepTime and RestTime up to now.
func (d *waitingDay) emptyWithin(at TimeOfDay) (sum time.Duration) {
	from := d.now.Add(-KeepTime - RestTime)
	for _, span := range d.empties[at] {
		if span.from.Before(from) {
			span.from = from
		}
		sum += max(0, span.to.Sub(span.from))
	}
	return sum
}

var dayTimes = []TimeOfDay{"12:00", "13:00", "14:00"}

// startOf returns when a slot of the day begins: the first four hours after the start of the history.
func startOf(at TimeOfDay) time.Time {
	return morning.Add(time.Duration(4+slices.Index(dayTimes, at)) * time.Hour)
}

func newWaitingDay(seed uint64) *waitingDay {
	d := &waitingDay{Rand: rand.New(rand.NewPCG(seed, 19)), now: morning, passes: map[string]int{},
		keptUntil: map[TimeOfDay]time.Time{}, empty: map[TimeOfDay]bool{}, empties: map[TimeOfDay][]emptySpan{}}
	d.capacity = 8 + d.IntN(5)
	if seed%2 == 0 { // tables for two, each with its neighbour for four
		d.capacity = 8
		for id := range int64(4) {
			d.plan = append(d.plan, Seat{ID: id + 1, Places: 2, Partners: []int64{(id ^ 1) + 1}})
		}
	}
	return d
}

func (d *waitingDay) rooms() map[TimeOfDay]Vacancy {
	rooms := map[TimeOfDay]Vacancy{}
	for _, at := range dayTimes {
		o := Occupancy{Capacity: d.capacity}
		for _, p := range d.held {
			if slices.Contains(p.times, at) {
				o.Held += p.size
				o.Seats = o.Seats.With(p.seats)
			}
		}
		d.oversold = d.oversold || o.Held > d.capacity
		rooms[at] = o.Vacancy()
	}
	return rooms
}

// span returns one to three slots in a row.
func (d *waitingDay) span() []TimeOfDay {
	first := d.IntN(3)
	return dayTimes[first : first+1+d.IntN(3-first)]
}

func (d *waitingDay) state(times []TimeOfDay) SlotState {
	rooms := d.rooms()
	state := SlotState{Plan: d.plan, Waitlist: slices.Clone(d.list), Times: times, Vacancies: rooms, Now: d.now}
	for _, at := range times {
		state.Slots = append(state.Slots, Occupancy{Capacity: d.capacity, Held: d.capacity - rooms[at].Free,
			Seats: rooms[at].Seats})
	}
	return state
}

// book lets a diner book, and reports whether that works.
func (d *waitingDay) book(size int, times []TimeOfDay) bool {
	state := d.state(times)
	outcomes, _ := Decide(state, []Request{{UserID: "x", IdempotencyKey: "k", PartySize: size}})
	if !outcomes[0].Reserves() {
		return false
	}
	d.seat(party{size, times, outcomes[0].SeatIDs}, 1<<60)
	for i := range d.list {
		if slices.Contains(outcomes[0].Passed, d.list[i].ID) {
			d.list[i].Passes++
		}
	}
	return true
}

// seat gives a party its seats, past all entries before it.
func (d *waitingDay) seat(p party, number int64) {
	d.held = append(d.held, p)
	for _, entry := range d.list {
		rests := d.now.Before(d.keptUntilIn(entry.Times).Add(RestTime))
		if entry.Number < number && share(entry.Times, p.times) && !rests {
			d.passes[entry.ID]++
		}
	}
}

// keptUntilIn returns when the seats of one of some slots were last kept.
func (d *waitingDay) keptUntilIn(times []TimeOfDay) (latest time.Time) {
	for _, at := range times {
		if d.keptUntil[at].After(latest) {
			latest = d.keptUntil[at]
		}
	}
	return latest
}

// offer does what the transaction that makes offers does.
func (d *waitingDay) offer() {
	got := d.list.Allocate(d.plan, d.rooms(), d.now)
	var rest Waitlist
	for i, entry := range d.list {
		if n := slices.Index(got.Offered, i); n >= 0 {
			delete(d.passes, entry.ID)
			d.seat(party{entry.PartySize, entry.Times, got.SeatIDs[n]}, entry.Number)
			continue
		}
		entry.Passes = got.Passes[i]
		if begin := slices.IndexFunc(got.Begins, func(k Keep) bool { return k.Index == i }); begin >= 0 && !d.noKeeps {
			entry.Passes, entry.Keeps, entry.KeptUntil = 0, entry.Keeps+1, got.Begins[begin].Until
			for _, at := range entry.Times {
				if entry.KeptUntil.After(d.keptUntil[at]) {
					d.keptUntil[at] = entry.KeptUntil
				}
			}
		}
		rest = append(rest, entry)
	}
	for i, entry := range rest {
		rest[i].SlotsKeptUntil = d.keptUntilIn(entry.Times)
		if begun := slices.IndexFunc(d.list, func(e WaitingEntry) bool {
			return e.ID == entry.ID && e.Keeps < entry.Keeps
		}); begun >= 0 {
			d.mostPasses, d.passes[entry.ID] = max(d.mostPasses, d.passes[entry.ID]), 0
		}
		if entry.Keeps < MaxKeeps && d.now.Before(entry.KeepBefore) && d.plan.CanSeat(nil, entry.PartySize) {
			d.mostPasses = max(d.mostPasses, d.passes[entry.ID])
		}
	}
	d.list = rest
}

// look sees which slots have free seats that nobody can have, neither a diner who books nor an entry that gets an
// offer. Where that is so before and after some time, it was so all the time: what changes by time alone changes once.
func (d *waitingDay) look(passed time.Duration) {
	rooms := d.rooms()
	goes := d.list.Allocate(d.plan, rooms, d.now).Offered
	for _, at := range dayTimes {
		outcomes, _ := Decide(d.state([]TimeOfDay{at}), []Request{{UserID: "y", IdempotencyKey: "k", PartySize: 1}})
		var full *SoldOutError
		given := slices.ContainsFunc(goes, func(i int) bool { return slices.Contains(d.list[i].Times, at) })
		was := d.empty[at]
		d.empty[at] = rooms[at].Free > 0 && !given && d.plan.CanSeat(rooms[at].Seats, 1) &&
			errors.As(outcomes[0].Err, &full)
		if d.empty[at] && was && passed > 0 {
			d.empties[at] = append(d.empties[at], emptySpan{d.now.Add(-passed), d.now})
			d.longest = max(d.longest, d.emptyWithin(at))
		}
		d.late = d.late || d.empty[at] && !d.now.Before(startOf(at).Add(-KeepEnd))
	}
}

// run plays the history until the last slot begins. Somebody looks after every step.
func (d *waitingDay) run() {
	for d.now.Before(startOf(dayTimes[2])) {
		switch d.IntN(5) {
		case 0:
			times := d.span()
			if len(d.list) >= 6 { // one gives up
				d.list = slices.Delete(d.list, 0, 1)
			}
			d.next++
			d.list = append(d.list,
				WaitingEntry{ID: fmt.Sprint("e", d.next), Number: d.next, UserID: fmt.Sprint("u", d.next),
					PartySize: 1 + d.IntN(6), Times: times, SlotsKeptUntil: d.keptUntilIn(times),
					KeepBefore: startOf(times[0]).Add(d.noEnd - KeepEnd)})
		case 1, 2:
			d.book(1+d.IntN(3), d.span())
		case 3:
			if n := len(d.held); n > 0 {
				at := d.IntN(n)
				d.held = slices.Delete(d.held, at, at+1)
			}
		default:
			step := time.Duration(d.IntN(600)) * time.Second
			d.now = d.now.Add(step)
			d.look(step) // before anything else happens
		}
		d.offer()
		d.look(0)
	}
}

// Whatever happens, in slots alone and together, with and without named seats: no seat is free and nobody's for longer
// than KeepTime before the slot rests for RestTime, nor in the last hour; and nobody is passed more than MaxPasses
// times before seats are kept for them, but while one of their slots rests.
func TestWaitlist_KeepsAreBoundedBothWays(t *testing.T) {
	t.Parallel()
	mostPasses, longest := 0, time.Duration(0)
	for seed := range uint64(80) {
		d := newWaitingDay(seed)
		d.run()
		if d.mostPasses > MaxPasses || d.longest > KeepTime || d.late || d.oversold {
			t.Fatalf("seed %d: passed %d times, empty for %v, in the last hour %t, oversold %t", seed, d.mostPasses,
				d.longest, d.late, d.oversold)
		}
		for _, entry := range d.list {
			if entry.Keeps > MaxKeeps || entry.Passes > MaxPasses {
				t.Fatalf("seed %d: %+v", seed, entry)
			}
		}
		mostPasses, longest = max(mostPasses, d.mostPasses), max(longest, d.longest)
	}
	if mostPasses != MaxPasses || longest < KeepTime*9/10 {
		t.Errorf("passed %d times, empty for %v at most: the bounds were not tried", mostPasses, longest)
	}
}

// Control: the same histories find seats that stay empty when keeping has no end, and parties that are passed without
// bound when nothing is kept.
func TestWaitlist_BoundsAreFoundMissing(t *testing.T) {
	t.Parallel()
	longest, most := time.Duration(0), 0
	late := false
	for seed := range uint64(12) {
		endless := newWaitingDay(seed)
		endless.noKeeps, endless.noEnd = true, KeepEnd
		endless.run()
		longest, late = max(longest, endless.longest), late || endless.late
		never := newWaitingDay(seed)
		never.noEnd = -24 * time.Hour
		never.run()
		for _, n := range never.passes {
			most = max(most, n)
		}
	}
	if longest < KeepTime+KeepTime/2 || !late {
		t.Errorf("without an end seats were empty for %v, in the last hour %t: the test above proves nothing", longest,
			late)
	}
	if most <= MaxPasses {
		t.Errorf("where nothing is kept nobody was passed more than %d times: the test above proves nothing", most)
	}
}
