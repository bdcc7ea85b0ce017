package estimate

import (
	"math/rand/v2"
	"testing"
	"time"
)

// pace is a way of serving a line: how many people are served in a step of simulated time.
type pace func(random *rand.Rand, at time.Duration) int

const step = 50 * time.Millisecond

// perSecond serves that many people a second, one by one, at random moments.
func perSecond(rate float64) pace {
	return func(random *rand.Rand, _ time.Duration) int {
		served := 0
		for left := rate * step.Seconds(); left > 0; left-- {
			if random.Float64() < left {
				served++
			}
		}
		return served
	}
}

// turns serves up to size people in turns that last about d each.
func turns(size int, d time.Duration) pace {
	var next time.Duration
	return func(random *rand.Rand, at time.Duration) int {
		if at < next {
			return 0
		}
		next = at + time.Duration((0.5+random.Float64())*float64(d))
		return 1 + random.IntN(size)
	}
}

// bursts serves full batches for a while and then nobody for another.
func bursts(size int) pace {
	var change time.Duration
	on := false
	return func(random *rand.Rand, at time.Duration) int {
		if at >= change {
			on = !on
			change = at + time.Duration(random.IntN(4000)+500)*time.Millisecond
		}
		if !on || random.IntN(4) > 0 {
			return 0
		}
		return size
	}
}

// changing serves at a rate that is another one now and then: up to three times faster or slower.
func changing(rate float64) pace {
	var change time.Duration
	now := rate
	return func(random *rand.Rand, at time.Duration) int {
		if at >= change {
			now = rate * (0.5 + random.Float64())
			change = at + time.Duration(10+random.IntN(30))*time.Second
		}
		return perSecond(now)(random, at)
	}
}

// drifting serves at a rate that wanders.
func drifting(rate float64) pace {
	now := rate
	return func(random *rand.Rand, at time.Duration) int {
		now *= 1 + 0.02*random.NormFloat64()
		now = min(max(now, rate/3), rate*3)
		return perSecond(now)(random, at)
	}
}

// person is somebody in the simulated line, who is shown ranges and, to compare, single numbers.
type person struct{ ranges, single Shown }

// simulation is a crowd that presses within a second and waits for a pace.
type simulation struct {
	random *rand.Rand
	crowd  int
	serve  pace
	leaves float64 // share of those in line that leaves in a second

	line  []*person
	meter Pace
	gone  int     // since the last reading, as seen from the end of the line
	known Outlook // as of the last reading
	read  time.Time

	ranges, single Accuracy
}

func (s *simulation) run() {
	start, entered, nextRead := time.Unix(0, 0), 0, time.Duration(0)
	for at := time.Duration(0); entered < s.crowd || len(s.line) > 0; at += step {
		now := start.Add(at)
		for ; entered < s.crowd && time.Duration(entered) < at*time.Duration(s.crowd)/time.Second; entered++ {
			s.line = append(s.line, new(person))
			s.show(now, len(s.line))
		}
		s.end(now, min(s.serve(s.random, at), len(s.line)))
		s.leave()
		if at >= nextRead {
			nextRead = at + max(250*time.Millisecond, time.Duration(len(s.line))*300*time.Microsecond)
			s.look(now)
		}
	}
}

// look reads the line, as a queue's refresh does.
func (s *simulation) look(now time.Time) {
	s.meter.Note(now, s.gone)
	s.gone, s.known, s.read = 0, s.meter.Outlook(now, 0), now
	for i := range s.line {
		s.show(now, i+1)
	}
}

// show shows the person at a position what they may expect.
func (s *simulation) show(now time.Time, position int) {
	p := s.line[position-1]
	if r, ok := s.known.Between(Ahead{position, position}); ok {
		p.ranges.Note(now, position, r)
		p.single.Note(now, position, s.meter.single(position))
	}
}

// end serves people.
func (s *simulation) end(now time.Time, served int) {
	for _, p := range s.line[:served] {
		if j, ok := p.ranges.Judge(now); ok {
			s.ranges.Add(j)
		}
		if j, ok := p.single.Judge(now); ok {
			s.single.Add(j)
		}
	}
	s.line = s.line[served:]
	s.gone += served
}

// leave lets somebody go who does not want to wait any longer.
func (s *simulation) leave() {
	if len(s.line) > 1 && s.random.Float64() < s.leaves*step.Seconds()*float64(len(s.line)) {
		i := s.random.IntN(len(s.line) - 1)
		s.line = append(s.line[:i:i], s.line[i+1:]...)
		s.gone++
	}
}

// single is an estimate by one number: right to the second.
func (p *Pace) single(position int) Range {
	gone, span := p.over(0)
	d := seconds(float64(position) / float64(gone) * span.Seconds()).Truncate(time.Second)
	return Range{d, d + time.Second}
}

// Nine of ten ranges hold, at whichever pace a line moves. The control is a single number: where waits are long or a
// pace is not even, it does not.
func TestOutlook_HoldsNineOfTen(t *testing.T) {
	t.Parallel()
	const asGood = 1.0 // a second is as good as a range where a line moves evenly, and fast
	for name, c := range map[string]struct {
		crowd  int
		leaves float64
		pace   func() pace
		single float64 // share at most that a number gets right
		width  float64 // of the ranges at most, as a share of the waits
	}{
		"steady":               {600, 0, func() pace { return perSecond(20) }, asGood, 2.5},
		"steady, some leave":   {600, 0.002, func() pace { return perSecond(20) }, asGood, 2.5},
		"fast":                 {1000, 0, func() pace { return perSecond(500) }, asGood, 6},
		"one by one, slowly":   {60, 0, func() pace { return perSecond(0.5) }, 0.2, 4.5},
		"a few turns a second": {300, 0, func() pace { return turns(3, 400*time.Millisecond) }, 0.7, 3},
		"slow full turns":      {2000, 0, func() pace { return turns(64, 2*time.Second) }, 0.2, 3},
		"bursts":               {1000, 0, func() pace { return bursts(32) }, 0.7, 4},
		"changing":             {1000, 0, func() pace { return changing(30) }, 0.8, 2.5},
		"drifting":             {1000, 0, func() pace { return drifting(30) }, 0.8, 2.5},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(1, 2))
			const runs = 20
			var share, single, width float64
			for range runs {
				s := simulation{random: random, crowd: c.crowd, leaves: c.leaves, serve: c.pace()}
				s.run()
				ranges := s.ranges.Read()
				one, _ := ranges.Share()
				other, _ := s.single.Read().Share()
				share, single, width = share+one/runs, single+other/runs, width+ranges.Width/runs
			}
			t.Logf("in range %.1f %%, by a number %.1f %%, width %.0f %%", 100*share, 100*single, 100*width)
			if share < 0.9 {
				t.Errorf("%.1f %% were served in their range, want 90 %%", 100*share)
			}
			if single > c.single {
				t.Errorf("a single number was right for %.1f %%: the control shows nothing", 100*single)
			}
			if !(width <= c.width) {
				t.Errorf("ranges are %.0f %% as wide as the waits", 100*width)
			}
		})
	}
}
