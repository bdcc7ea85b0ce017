package estimate

import (
	"math"
	"time"
)

// mostMoves is how many moves of a line a Pace remembers.
const mostMoves = 64

// move is people who left the head of the line between two readings of it.
type move struct {
	at   time.Time
	gone int
}

// Pace is how fast one line moves, measured from outside: by how many people those at its end have moved up. That
// counts those who were served, by whichever process, and those who left. The zero Pace has seen nothing. It belongs to
// one goroutine.
type Pace struct {
	began time.Time // when the first of the moves began
	seen  []move    // oldest first; only readings at which the line had moved
}

// Note takes in a reading of the line, which has moved by so many people since the reading before.
func (p *Pace) Note(now time.Time, gone int) {
	if p.began.IsZero() {
		p.began = now
		return
	}
	if gone <= 0 {
		return
	}
	if len(p.seen) == mostMoves {
		p.began = p.seen[0].at
		p.seen = append(p.seen[:0], p.seen[1:]...)
	}
	p.seen = append(p.seen, move{now, gone})
}

// Outlook returns what is to come, as it looks now. turns is how many people a second the line's turns serve by their
// own account, 0 while no turn was measured: it counts until the line has moved often enough.
func (p *Pace) Outlook(now time.Time, turns float64) Outlook {
	n := len(p.seen)
	if n == 0 && turns <= 0 {
		return Outlook{}
	}
	o := Outlook{known: true, fast: math.Inf(1), slow: math.Inf(1), noise: 1, end: answerTime}
	if n > 0 {
		p.compare(&o)
		gap := p.seen[n-1].at.Sub(p.began) / time.Duration(n)
		o.end += gap
		if quiet := now.Sub(p.seen[n-1].at); quiet > 2*gap { // as long again
			o.end += quiet
		}
	}
	if n < enoughSeen {
		o.fast, o.end = math.Inf(1), o.end+settleTime
		if turns > 0 {
			o.slow = min(o.slow, turns/unseenPace)
		}
	}
	return o
}

// compare holds the pace of the last 2, 4, 8 and more moves against that of all: those that differ by more than chance
// bound what is to come.
func (p *Pace) compare(o *Outlook) {
	gone, span := p.over(0)
	mean := float64(gone) / span.Seconds()
	o.noise, o.fast, o.slow, o.seen = p.noise(), mean, mean, span
	for k := 2; k < len(p.seen); k *= 2 {
		gone, span := p.over(len(p.seen) - k)
		pace := float64(gone) / span.Seconds()
		chance := deviations * mean * math.Sqrt(o.noise/float64(gone))
		o.fast, o.slow = max(o.fast, pace-chance), min(o.slow, pace+chance)
	}
}

// over returns how many people went in the moves from index i on, and in which time.
func (p *Pace) over(i int) (gone int, span time.Duration) {
	for _, m := range p.seen[i:] {
		gone += m.gone
	}
	return gone, max(p.seen[len(p.seen)-1].at.Sub(p.since(i)), time.Millisecond)
}

// since is when the move of index i began.
func (p *Pace) since(i int) time.Time {
	if i == 0 {
		return p.began
	}
	return p.seen[i-1].at
}

// noise returns the variance of how many people are gone after a time to their mean: moves differ in size, and in the
// time between them.
func (p *Pace) noise() float64 {
	sizes, gaps := make([]float64, len(p.seen)), make([]float64, len(p.seen))
	for i, m := range p.seen {
		sizes[i], gaps[i] = float64(m.gone), m.at.Sub(p.since(i)).Seconds()
	}
	size, ofSizes := variation(sizes)
	_, ofGaps := variation(gaps)
	return max(1, size*(ofSizes+ofGaps))
}

// variation returns the mean and the squared coefficient of variation.
func variation(values []float64) (mean, squared float64) {
	for _, v := range values {
		mean += v / float64(len(values))
	}
	if mean == 0 {
		return 0, 0
	}
	for _, v := range values {
		squared += (v - mean) * (v - mean) / (mean * mean) / float64(len(values))
	}
	return mean, squared
}
