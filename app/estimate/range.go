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
	deviations = 1.645 // of the standard kind, to both sides of the likeliest
	steadyPace = 0.05  // so much a pace varies at least beside what was seen of it,
	newPace    = 0.3   // and by up to so much more, the longer the wait is beside the time that was seen
	youngPace  = 0.6   // and a line's first second differs from the rest by so much
	usualNoise = 0.5   // squared variation of moves, in size and time together, where few of them have shown it
	usualMoves = 2.0   // as many moves as that counts for
	crowdCost  = 3.0   // a line moves so many times faster once a crowd has pressed: presses take what turns need
	unseenPace = 3.0   // a line that has not moved is at most so many times slower than its turns say
	enoughSeen = 4     // moves after which a line speaks for others
	settleTime = 2 * time.Second
	answerTime = 500 * time.Millisecond // from a turn to the screen
)

// Outlook is what the next while of a line looks like, as seen at one moment. The zero Outlook knows nothing.
type Outlook struct {
	known      bool
	likely     float64       // people a second
	fast, slow float64       // the paces of late that differ by more than chance
	unsure     float64       // variance of the pace as a share of it
	seen       float64       // for how many seconds lines were watched for that
	noise      float64       // variance of the people gone to their mean
	end        time.Duration // added to the high end
}

// Between returns between which two times somebody has a result; false while nothing was measured.
// With fewer ahead no end is later, and the ends do not lie further apart but for rounding.
//
// It is the prediction interval of the time that n people take: n/pace, whose variance has a part that falls with n,
// for moves that differ in size and distance, and one that does not, for a pace that is not known well and will change.
func (o Outlook) Between(ahead Ahead) (Range, bool) {
	if !o.known {
		return Range{}, false
	}
	least, most := float64(max(ahead.Least, 1)), float64(max(ahead.Most, ahead.Least, 1))
	pace := o.pace(most)
	return Range{seconds(o.soonest(least, pace) / o.fast), seconds(o.latest(most, pace)/o.slow) + o.end}.outward(), true
}

// Likely returns the likeliest wait of somebody by so many people, to the second; 0 while nothing was measured.
func (o Outlook) Likely(ahead int) time.Duration {
	if !o.known {
		return 0
	}
	return seconds(float64(ahead) / o.likely).Round(time.Second)
}

// soonest is how many people's time the first n take at least, by a pace that varies so much.
func (o *Outlook) soonest(n, pace float64) float64 {
	return max(n-deviations*math.Sqrt(n*o.noise), 0) / (1 + deviations*math.Sqrt(pace) + deviations*deviations/2*pace)
}

// latest is how many people's time the first n take at most. Behind the standard deviations are the next terms of the
// quantile: of a sum of intervals, which is skewed as a gamma distribution is, and of a pace, as a log-normal one is.
func (o *Outlook) latest(n, pace float64) float64 {
	return n + deviations*math.Sqrt(n*o.noise+n*n*pace) + (deviations*deviations-1)/3*o.noise +
		n*pace*deviations*deviations/2
}

// pace is the variance of the pace while n people go, as a share of it.
func (o *Outlook) pace(n float64) float64 {
	return o.unsure + square(steadyPace+newPace*n/(n+o.likely*(o.seen+1)))
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
