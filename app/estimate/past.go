package estimate

import (
	"math"
	"time"
)

// Past is at which paces earlier lines moved: the older, the less it counts. The zero Past knows none. It is a value:
// small, and the same to the program that stores it.
type Past struct {
	Lines  float64 `json:"lines"`  // sum of their weights: the newest counts 1, each before it pastFades as much
	Mean   float64 `json:"mean"`   // of the logarithm of the pace in people a second
	Spread float64 `json:"spread"` // weighted sum of its squared deviations
	Noise  float64 `json:"noise"`  // mean of the variance of the people gone to their mean
}

// What is held of the next line by those before it.
const (
	pastFades   = 0.9
	usualSpread = 0.5 // standard deviation of the logarithm of paces, where few lines have shown it
	spreadLines = 3.0 // as many lines as that counts for
	pastMoves   = 4.0 // as many moves of a line as the noise of those before it counts for
)

// Note takes in a line that is over; false if it was too short, or moved too seldom, to speak for others. Its last move
// does not count: that may be of those for whom nothing was left, who are answered at once.
func (p *Past) Note(line *Pace) bool {
	if line.moves <= enoughSeen || line.longest < few {
		return false
	}
	n := len(line.seen) - 1
	span := max(line.since(n).Sub(line.first), time.Millisecond)
	off := math.Log(float64(line.all-line.seen[n].gone)/span.Seconds()) - p.Mean
	p.Lines, p.Spread = p.Lines*pastFades+1, p.Spread*pastFades
	p.Mean += off / p.Lines
	p.Spread += off * off * (p.Lines - 1) / p.Lines
	noise := usualNoise * float64(line.all) / float64(line.moves)
	if before := (Pace{began: line.began, seen: line.seen[:n]}); n > 0 {
		noise = before.noise(Past{})
	}
	p.Noise += (noise - p.Noise) / p.Lines
	return true
}

// variance is that of the logarithm of the next line's pace.
func (p Past) variance() float64 {
	between := (usualSpread*usualSpread*spreadLines + p.Spread) / (spreadLines + p.Lines - 1)
	return between * (1 + 1/p.Lines)
}

// outlook is that of a line that has not moved yet.
func (p Past) outlook(reading Reading) Outlook {
	o := Outlook{noise: max(p.Noise, 1), end: answerTime}
	switch {
	case p.Lines > 0:
		o.known, o.likely, o.unsure = true, math.Exp(p.Mean), p.variance()
		o.fast, o.slow, o.seen = o.likely, o.likely, longPast.Seconds()
	case reading.PerSecond > 0:
		o.known, o.likely, o.fast, o.slow = true, reading.PerSecond, math.Inf(1), reading.PerSecond/unseenPace
		o.end += settleTime
	}
	return o
}

// weigh sets what a line has shown beside what those before it did: the less sure, the less either counts. A line's
// first seconds are not like those to come; and once a crowd has pressed, it moves up to crowdCost times as fast.
func (p Past) weigh(o Outlook, crowd bool) Outlook {
	o.unsure += square(youngPace) / (1 + o.seen)
	if crowd {
		o.fast *= crowdCost
	}
	if p.Lines == 0 {
		return o
	}
	own, past, mean := o.unsure, p.variance(), math.Log(o.likely)
	if crowd {
		own, mean = own+square(math.Log(crowdCost)/2/deviations), mean+math.Log(crowdCost)/3
	}
	shift := math.Exp((mean*past+p.Mean*own)/(own+past)) / o.likely
	o.likely, o.fast, o.slow = o.likely*shift, o.fast*shift, o.slow*shift
	o.unsure = own * past / (own + past)
	return o
}

// longPast is for how long lines were watched that are over.
const longPast = time.Minute
