package estimate

import (
	"math/rand/v2"
	"testing"
	"time"
)

// randomPace is a pace that has seen a line move at random.
func randomPace(random *rand.Rand) (Pace, time.Time) {
	var p Pace
	now := time.Unix(1_000_000, 0)
	for range random.IntN(100) {
		now = now.Add(time.Duration(random.IntN(5000)) * time.Millisecond)
		p.Note(now, random.IntN(1+random.IntN(200)), 100)
	}
	return p, now.Add(time.Duration(random.IntN(60)) * time.Second)
}

// Whatever a line has done: the ends are in order and never negative, they fall with the position, and they come
// closer; by less than they are rounded to at most.
func TestBetween_ShrinksAsThePositionFalls(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		p, now := randomPace(random)
		outlook := p.Outlook(now, Reading{PerSecond: float64(random.IntN(3)) * 100 * random.Float64()}, Past{})
		var behind Range
		for _, position := range []int{20_000, 5_000, 1_000, 400, 399, 100, 64, 10, 3, 2, 1, 0} {
			r, ok := outlook.Between(Ahead{position, position})
			if !ok {
				break
			}
			if r.Low < 0 || r.Low > r.High {
				t.Fatalf("%+v at %d of %+v", r, position, outlook)
			}
			rounding := 2 * grain(r.High)
			if behind.High > 0 && (r.Low > behind.Low || r.High > behind.High ||
				r.High-r.Low > behind.High-behind.Low+rounding) {
				t.Fatalf("%+v at %d, and behind it %+v, of %+v", r, position, behind, outlook)
			}
			behind = r
		}
	}
}

// Where a line may be closed early, only the low end says so.
func TestBetween_CountsFewerAheadAtItsLowEnd(t *testing.T) {
	t.Parallel()
	var p Pace
	now := time.Unix(1_000_000, 0)
	for range 20 {
		now = now.Add(time.Second)
		p.Note(now, 10, 100)
	}
	both, _ := p.Outlook(now, Reading{PerSecond: 0}, Past{}).Between(Ahead{1000, 1000})
	early, _ := p.Outlook(now, Reading{PerSecond: 0}, Past{}).Between(Ahead{100, 1000})
	if both.Low < 50*time.Second || early.Low > 15*time.Second || early.High != both.High {
		t.Errorf("%+v, and %+v where the line may be closed early", both, early)
	}
}

func TestOutlook_KnowsNothingBeforeAMeasurement(t *testing.T) {
	t.Parallel()
	var p Pace
	now := time.Unix(1_000_000, 0)
	p.Note(now, 0, 100)
	p.Note(now.Add(time.Second), 0, 100)
	if r, ok := p.Outlook(now, Reading{PerSecond: 0}, Past{}).Between(Ahead{5, 5}); ok {
		t.Errorf("it says %+v", r)
	}
	r, ok := p.Outlook(now, Reading{PerSecond: 10}, Past{}).Between(Ahead{100, 100})
	if !ok || r.Low != 0 || r.High < 10*time.Second {
		t.Errorf("of turns that serve 10 a second it says %+v, %v", r, ok)
	}
}

// A line that stops is slower the longer it stands still.
func TestOutlook_GrowsWhileNobodyMoves(t *testing.T) {
	t.Parallel()
	var p Pace
	now := time.Unix(1_000_000, 0)
	for range 20 {
		now = now.Add(time.Second)
		p.Note(now, 10, 100)
	}
	moving, _ := p.Outlook(now, Reading{PerSecond: 0}, Past{}).Between(Ahead{50, 50})
	stopped, _ := p.Outlook(now.Add(30*time.Second), Reading{PerSecond: 0}, Past{}).Between(Ahead{50, 50})
	if stopped.High < moving.High+30*time.Second {
		t.Errorf("%v after half a minute without a move, %v before", stopped.High, moving.High)
	}
	var past Past
	var next Pace
	past.Note(&p)
	next.Note(now, 0, 100)
	pressed, ok := next.Outlook(now, Reading{}, past).Between(Ahead{50, 50})
	stopped, _ = next.Outlook(now.Add(30*time.Second), Reading{}, past).Between(Ahead{50, 50})
	if !ok || pressed.Low > 5*time.Second || pressed.High < 5*time.Second || stopped.High < pressed.High+30*time.Second {
		t.Errorf("%+v at the press, by the line before, and %+v after half a minute without a move", pressed, stopped)
	}
}

func TestOutward_SaysWholeUnits(t *testing.T) {
	t.Parallel()
	for in, want := range map[Range]Range{
		{1500 * time.Millisecond, 2500 * time.Millisecond}: {time.Second, 3 * time.Second},
		{22 * time.Second, 31 * time.Second}:               {20 * time.Second, 35 * time.Second},
		{59 * time.Second, 61 * time.Second}:               {55 * time.Second, 70 * time.Second},
		{899 * time.Second, 901 * time.Second}:             {870 * time.Second, 960 * time.Second},
		{0, 0}:                                             {0, 0},
	} {
		if got := in.outward(); got != want {
			t.Errorf("%v is said as %v, want %v", in, got, want)
		}
	}
}
