package booking

import (
	"slices"
	"time"
)

// Seats that come free are kept for a waitlist entry that was passed often enough, so that nobody is passed for ever;
// and never for long, so that no entry leaves seats empty. Both bounds are these numbers, whoever waits and however
// many.
const (
	// MaxPasses is how many parties can overtake an entry that waits for more seats than come free at once, entries
	// behind it and diners who book, before seats are kept for it.
	MaxPasses = 3
	// KeepTime is how long the seats of a slot are kept for entries, from when the first of them is free. If they do
	// not suffice by then, everybody can have them: the entry stays where it is on the list, and its passes count from
	// 0 again.
	KeepTime = 30 * time.Minute
	// RestTime is how long after that the slot keeps no seats for anybody.
	RestTime = 30 * time.Minute
	// MaxKeeps is how often seats are kept for one entry.
	MaxKeeps = 2
	// KeepEnd is how long before its slot stops taking reservations nothing is kept for an entry any more.
	KeepEnd = time.Hour
)

// KeepBefore returns when the last seats can be kept for an entry whose slot begins at start.
func (r Restaurant) KeepBefore(start time.Time) time.Time { return start.Add(-r.lead() - KeepEnd) }

// KeepPhase says what a party that waits can expect of seats that come free.
type KeepPhase string

// The phases of an entry.
const (
	KeepCounts KeepPhase = "counts" // seats are kept for it when it was passed MaxPasses times
	KeepRuns   KeepPhase = "runs"   // seats are kept for it
	KeepSpent  KeepPhase = "spent"  // they were MaxKeeps times
	KeepLate   KeepPhase = "late"   // its slot begins too soon
)

// Phase returns the phase of a waiting entry.
func (e Entry) Phase(now time.Time) KeepPhase {
	switch {
	case now.Before(e.KeptUntil):
		return KeepRuns
	case e.Keeps >= MaxKeeps:
		return KeepSpent
	case !now.Before(e.KeepBefore):
		return KeepLate
	}
	return KeepCounts
}

// Keep is a span in which seats are kept for an entry.
type Keep struct {
	Index int // of the entry in its list
	Until time.Time
}

// isDue returns whether an entry that was passed some times has seats kept for it as soon as some are free.
func (l WaitingEntry) isDue(passes int, now time.Time) bool {
	rests := now.Before(l.SlotsKeptUntil.Add(RestTime))
	return passes >= MaxPasses && l.Keeps < MaxKeeps && !rests && now.Before(l.KeepBefore)
}

// isKept returns whether seats are kept for an entry.
func (l WaitingEntry) isKept(now time.Time) bool { return now.Before(l.KeptUntil) }

// blocks returns whether nobody may overtake an entry of the list.
func (s *allocator) blocks(i int) bool {
	return s.list[i].isKept(s.now) || s.list[i].isDue(s.Passes[i], s.now)
}

// blockIfDue keeps the slots of an entry free of those who would overtake it.
func (s *allocator) blockIfDue(i int) {
	if !s.blocks(i) {
		return
	}
	until := s.endOf(i)
	for _, at := range s.list[i].Times {
		if until.After(s.KeptUntil[at]) {
			s.KeptUntil[at] = until
		}
	}
}

// endOf returns when keeping seats for an entry ends.
func (s *allocator) endOf(i int) time.Time {
	entry := s.list[i]
	switch {
	case entry.isKept(s.now):
		return entry.KeptUntil
	case entry.KeepBefore.Before(s.now.Add(KeepTime)):
		return entry.KeepBefore
	}
	return s.now.Add(KeepTime)
}

// begin lists the entries for which keeping seats begins: those that are due and have a free seat in one of their
// slots. They begin together, and no other begins in their slots before those have rested.
func (s *allocator) begin() {
	for _, i := range s.skipped {
		if !s.list[i].isKept(s.now) && s.list[i].isDue(s.Passes[i], s.now) &&
			s.mayBegin(s.list[i].Times[0]) > 0 && slices.ContainsFunc(s.list[i].Times, s.hasFree) {
			s.Begins = append(s.Begins, Keep{Index: i, Until: s.endOf(i)})
		}
	}
}

// countPassesLeft notes in which slots seats will be kept for an entry once it was passed often enough.
func (s *allocator) countPassesLeft() {
	for _, i := range s.skipped {
		if s.blocks(i) || !s.list[i].isDue(MaxPasses, s.now) {
			continue
		}
		if s.PassesLeft == nil {
			s.PassesLeft = map[TimeOfDay]int{}
		}
		left := MaxPasses - s.Passes[i]
		for _, at := range s.list[i].Times {
			if fewest, ok := s.PassesLeft[at]; !ok || left < fewest {
				s.PassesLeft[at] = left
			}
		}
	}
}

// mayBegin returns how many covers may still begin in a slot beside those that are offered.
func (s *allocator) mayBegin(at TimeOfDay) int { return s.rooms[at].mayBegin() - s.Arriving[at] }

// hasFree returns whether a slot has a free seat that is not offered.
func (s *allocator) hasFree(at TimeOfDay) bool {
	taken := s.rooms[at].Seats.With(s.OfferedSeats[at])
	return s.Remaining[at] > 0 && (len(s.plan) == 0 || s.plan.Free(taken) > 0)
}
