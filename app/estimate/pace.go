package estimate

import (
	"math"
	"time"
)

// mostMoves is how many moves of a line a Pace remembers.
const mostMoves = 16

// move is people who left the head of the line between two readings of it.
type move struct {
	at   time.Time
	gone int
}

// Pace is how fast one line moves, measured from outside: by how many people those at its end have moved up. That
// counts those who were served, by whichever process, and those who left. The zero Pace has seen nothing. It belongs to
// one goroutine.
type Pace struct {
	first   time.Time // when it was read first
	all     int       // people gone since then,
	moves   int       // at so many readings
	began   time.Time // when the first of the moves began
	seen    []move    // oldest first; only readings at which the line had moved
	length  int       // of the line at the last reading
	longest int       // of its lengths
	crowd   bool      // one pressed before the last reading
}

// Note takes in a reading of the line, which has moved by so many people since the reading before, and of which so many
// wait now.
func (p *Pace) Note(now time.Time, gone, length int) {
	pressed := p.crowd
	p.crowd = isCrowd(length-p.length+gone, gone, length)
	p.length, p.longest = length, max(p.longest, length)
	switch {
	case p.began.IsZero():
		p.first, p.began = now, now
	case gone > 0:
		p.add(move{now, gone})
	}
	if pressed && !p.crowd {
		p.forget()
	}
}

func (p *Pace) add(m move) {
	if len(p.seen) == mostMoves {
		p.began = p.seen[0].at
		p.seen = append(p.seen[:0], p.seen[1:]...)
	}
	p.seen = append(p.seen, m)
	p.all, p.moves = p.all+m.gone, p.moves+1
}

// Reading is what a reading of a line says beside how far it has moved.
type Reading struct {
	PerSecond float64       // people that its turns serve by their own account; 0 while none was measured
	Turn      time.Duration // from a person's turn to their result, at most
}

// few are no crowd, and their line does not speak for others: it may have moved as slowly as they came.
const few = 32

// isCrowd says whether those who came to a line between two readings, now of that length, are a crowd: their presses
// take what turns need. A line that keeps its length, and one to which a few come, has none.
func isCrowd(came, gone, length int) bool { return came >= few && came > 2*gone && 8*came > length }

// Outlook returns what is to come, as it looks now: by what the line has done, by what other lines have done before it,
// and, while neither says anything, by its turns.
func (p *Pace) Outlook(now time.Time, reading Reading, past Past) Outlook {
	n := len(p.seen)
	if n == 0 {
		o := past.outlook(reading)
		if quiet := now.Sub(p.began); !p.began.IsZero() && quiet > settleTime {
			o.end += quiet
		}
		return o
	}
	o := p.measured(past)
	gap := p.seen[n-1].at.Sub(p.began) / time.Duration(n)
	o.end = answerTime + min(reading.Turn, gap)
	if quiet := now.Sub(p.seen[n-1].at); quiet > 2*gap { // as long again
		o.end += quiet
	}
	return past.weigh(o, p.crowd)
}

// forget leaves the last move alone: those before it were of a line whose presses took what turns need.
func (p *Pace) forget() {
	if last := len(p.seen) - 1; last > 0 {
		p.began = p.since(last)
		p.seen = append(p.seen[:0], p.seen[last])
	}
}

// measured compares the pace of the last 2, 4, 8 and more moves with that of all: those that differ by more than chance
// bound what is to come.
func (p *Pace) measured(past Past) Outlook {
	gone, span := p.over(0)
	mean := float64(gone) / span.Seconds()
	noise := p.noise(past)
	o := Outlook{known: true, likely: mean, fast: mean, slow: mean, seen: span.Seconds(), noise: noise,
		unsure: noise / float64(gone)}
	for k := 2; k < len(p.seen); k *= 2 {
		gone, span := p.over(len(p.seen) - k)
		pace := float64(gone) / span.Seconds()
		chance := deviations * mean * math.Sqrt(noise/float64(gone))
		o.fast, o.slow = max(o.fast, pace-chance), min(o.slow, pace+chance)
	}
	return o
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
// time between them. What few moves show of that counts beside what is usual, and for more, since it is not known well.
func (p *Pace) noise(past Past) float64 {
	n := float64(len(p.seen))
	var size, gap, sizes, gaps float64
	for i, m := range p.seen {
		size, gap = size+float64(m.gone)/n, gap+m.at.Sub(p.since(i)).Seconds()/n
	}
	for i, m := range p.seen {
		sizes += square(float64(m.gone)/size - 1)
		gaps += square(m.at.Sub(p.since(i)).Seconds()/max(gap, 1e-3) - 1)
	}
	usual, moves := usualNoise*size, usualMoves
	if past.Lines > 0 {
		usual, moves = past.Noise, pastMoves
	}
	known := moves + n - 1
	return max(1, (usual*moves+size*(sizes+gaps))/known*(1+1/known))
}

func square(x float64) float64 { return x * x }
