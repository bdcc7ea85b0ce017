package estimate

import (
	"math"
	"slices"
	"sync"
	"time"
)

// Shown is what one person was shown: the first range, and the one shown whenever the number of people ahead has halved
// since. The zero Shown is nobody yet.
type Shown struct {
	ranges []shown
	next   int // the position at which the next range counts
}

// shown is a range that somebody was shown; thousands of people have some.
type shown struct {
	at        int64 // ns of the Unix time
	low, high int32 // s
}

// Note takes in what the person is shown at a position of 1 or more.
func (s *Shown) Note(now time.Time, position int, r Range) {
	if position < 1 || len(s.ranges) > 0 && position > s.next {
		return
	}
	s.ranges = append(s.ranges, shown{now.UnixNano(), int32(r.Low / time.Second), int32(r.High / time.Second)})
	s.next = position / 2
}

// Judgement is how good the ranges were that one person was shown.
type Judgement struct {
	Inside float64 // share of the ranges in which the wait ended, 0 to 1
	// mean width of the ranges as a share of the wait that followed, of those shown once settled in line; NaN where
	// none followed of a second or longer
	Width float64
}

// What the width of a range is taken of: those shown from settled on, since before that a crowd is still pressing, for
// waits of shortest and more, since times are said in whole seconds.
const (
	settled  = 2 * time.Second
	shortest = time.Second
)

// Judge holds the ranges against the end of the wait of a person who came at a moment; false for somebody who was shown
// none.
func (s *Shown) Judge(came, end time.Time) (Judgement, bool) {
	if len(s.ranges) == 0 {
		return Judgement{}, false
	}
	inside, wide, waits := 0, 0.0, 0
	for _, r := range s.ranges {
		waited := time.Duration(end.UnixNano() - r.at)
		shown := Range{time.Duration(r.low) * time.Second, time.Duration(r.high) * time.Second}
		if shown.Contains(waited) {
			inside++
		}
		if waited >= shortest && r.at-came.UnixNano() >= int64(settled) {
			wide += float64(shown.High-shown.Low) / float64(waited)
			waits++
		}
	}
	return Judgement{float64(inside) / float64(len(s.ranges)), wide / float64(waits)}, true
}

// judged is how many people an Accuracy remembers.
const judged = 1000

// Accuracy is how good the ranges were of the last thousand people who got a result. Its methods may be called at once
// from many goroutines.
type Accuracy struct {
	mu   sync.Mutex
	last []Judgement // a ring once it is full
	next int
}

// Figures sum up an Accuracy.
type Figures struct {
	People int     // who were judged; at most a thousand
	Inside float64 // sum of their shares: so many of People were served in the range that they were shown
	Width  float64 // median width as a share of the wait, once settled in line; NaN if nobody waited on from there
}

// Share returns the share of people served inside their range, 0 to 1; false if nobody was judged.
func (f Figures) Share() (float64, bool) { return f.Inside / float64(max(f.People, 1)), f.People > 0 }

// Add takes in one person.
func (a *Accuracy) Add(j Judgement) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.last) < judged {
		a.last = append(a.last, j)
		return
	}
	a.last[a.next] = j
	a.next = (a.next + 1) % judged
}

// Read returns the figures.
func (a *Accuracy) Read() Figures {
	a.mu.Lock()
	last := slices.Clone(a.last)
	a.mu.Unlock()
	f := Figures{People: len(last), Width: math.NaN()}
	var widths []float64
	for _, j := range last {
		f.Inside += j.Inside
		if !math.IsNaN(j.Width) {
			widths = append(widths, j.Width)
		}
	}
	if len(widths) > 0 {
		slices.Sort(widths)
		f.Width = widths[len(widths)/2]
	}
	return f
}
