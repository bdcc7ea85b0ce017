// Package estimate says how long somebody in a line still has to wait: between which two times, from what was seen of
// the line. It also judges itself: how many people were served inside the ranges that they were shown. It knows no
// line, no clock and no goroutine.
package estimate

import (
	"math"
	"time"
)

// Range is between which two times, from now, a wait ends. Both are whole seconds.
type Range struct{ Low, High time.Duration }

// Contains says whether a wait of d was inside the range.
func (r Range) Contains(d time.Duration) bool { return r.Low <= d && d <= r.High }

// Clamp returns d, or the end of the range that is nearest to it.
func (r Range) Clamp(d time.Duration) time.Duration { return min(max(d, r.Low), r.High) }

// Ahead is by how many people a line has to move until somebody has a result: at least and at most. They differ where
// the line may be closed before their turn. Both count the person themselves.
type Ahead struct{ Least, Most int }

// How far apart the ends of a range lie, and what is added to it.
const (
	deviations = 2.0 // of the standard kind, to both sides of the mean
	driftPace  = 1.1 // the pace to come is at most so many times faster or slower than any seen lately,
	// and by up to so much more often, the longer the wait is beside the time that was seen
	newPace    = 0.6
	unseenPace = 3.0             // a line that has hardly moved is at most so many times slower than its turns say
	enoughSeen = 4               // moves after which the line speaks for itself
	settleTime = 2 * time.Second // until then: from a crowd's press until turns follow one another
	answerTime = time.Second     // from a turn to the screen
)

// Outlook is what the next while of a line looks like, as seen at one moment. The zero Outlook knows nothing.
type Outlook struct {
	known      bool
	fast, slow float64       // people a second
	seen       time.Duration // how long the line was watched for that
	noise      float64       // variance of the people gone to their mean
	end        time.Duration // added to the high end
}

// Between returns between which two times somebody has a result; false while nothing was measured. With fewer ahead
// neither end is later, and the ends do not lie further apart but for rounding.
func (o Outlook) Between(ahead Ahead) (Range, bool) {
	if !o.known {
		return Range{}, false
	}
	least, most := float64(max(ahead.Least, 1)), float64(max(ahead.Most, ahead.Least, 1))
	low := max(least-deviations*math.Sqrt(o.noise*least), 0) / o.fast
	high := (most + deviations*math.Sqrt(o.noise*most)) / o.slow
	return Range{seconds(low / o.drift(low)), seconds(high*o.drift(high)) + o.end}.outward(), true
}

// drift is how many times faster or slower the line may become in a wait of so many seconds.
func (o Outlook) drift(wait float64) float64 {
	return driftPace + newPace*wait/(wait+o.seen.Seconds()+1)
}

// longest bounds an estimate: nobody waits longer.
const longest = 24 * time.Hour

func seconds(s float64) time.Duration {
	return time.Duration(min(s, longest.Seconds()) * float64(time.Second))
}

// outward rounds a range to what is worth saying, the low end down and the high end up. So a page need not change
// whenever a line moves by one.
func (r Range) outward() Range {
	low, high := r.Low.Truncate(grain(r.Low)), r.High.Truncate(grain(r.High))
	if high < r.High {
		high += grain(r.High)
	}
	return Range{low, high}
}

// grain is the unit in which a time is said. Each divides the limits at which the next begins, so that rounded times
// keep their order.
func grain(d time.Duration) time.Duration {
	switch {
	case d < 20*time.Second:
		return time.Second
	case d < time.Minute:
		return 5 * time.Second
	case d < 5*time.Minute:
		return 10 * time.Second
	case d < 15*time.Minute:
		return 30 * time.Second
	}
	return time.Minute
}
