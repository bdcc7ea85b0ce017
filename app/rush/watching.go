package rush

import (
	"slices"
	"time"
)

// watching is how well the diners could see their line: how long each was shown a position that was not true any more,
// the longest for each, and how long after the turn each had the answer. Both are sorted.
type watching struct{ stale, late []time.Duration }

// add adds those of one slot who followed a ticket and got an answer. Its turns took place at the times of decided, since
// the moment of the rush.
func (w *watching) add(decided []Decision, answers []answer, pressed time.Time) {
	turns := make([]time.Duration, 0, len(decided))
	of := make(map[string]time.Duration, len(decided))
	for _, d := range decided {
		turns = append(turns, d.At.Sub(pressed))
		of[d.ReservationID] = d.At.Sub(pressed)
	}
	if len(turns) == 0 {
		return
	}
	slices.Sort(turns)
	for _, a := range answers {
		if !a.followed() {
			continue
		}
		turn, ok := of[a.ReservationID]
		switch {
		case a.Outcome == soldOut: // as soon as the last seats were given away, or at once for those who came after that
			turn = max(turns[len(turns)-1], a.Placed)
		case a.Outcome != reserved || !ok:
			continue
		}
		w.late = append(w.late, max(a.Answered-turn, 0))
		w.stale = append(w.stale, longestStale(a, turns))
	}
}

func (w *watching) sort() {
	slices.Sort(w.stale)
	slices.Sort(w.late)
}

// longestStale is the longest time in which a diner was shown a position though the line had moved since: from the
// first turn after a position was shown until another one was, or the answer. The turns are sorted.
func longestStale(a answer, turns []time.Duration) time.Duration {
	longest := time.Duration(0)
	for i, ms := range a.Moved {
		shown, until := time.Duration(ms)*time.Millisecond, a.Answered
		if i+1 < len(a.Moved) {
			until = time.Duration(a.Moved[i+1]) * time.Millisecond
		}
		next, _ := slices.BinarySearch(turns, shown+1)
		if next < len(turns) {
			longest = max(longest, until-turns[next])
		}
	}
	return longest
}
