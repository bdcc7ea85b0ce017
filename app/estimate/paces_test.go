package estimate

import (
	"math"
	"math/rand/v2"
	"time"
)

// pace is a way of serving a line: how many people's turn comes in a step of simulated time. pressing is true while the
// crowd still presses.
type pace func(random *rand.Rand, at time.Duration, pressing bool) int

const step = 50 * time.Millisecond

// perSecond serves that many people a second, one by one, at random moments.
func perSecond(rate float64) pace {
	return func(random *rand.Rand, _ time.Duration, _ bool) int {
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
	return func(random *rand.Rand, at time.Duration, _ bool) int {
		if at < next {
			return 0
		}
		next = at + time.Duration((0.5+random.Float64())*float64(d))
		return 1 + random.IntN(size)
	}
}

// crowded serves a third as fast while the crowd presses: presses cost the server what turns would.
func crowded(rate float64) pace {
	return func(random *rand.Rand, at time.Duration, pressing bool) int {
		if pressing {
			return perSecond(rate/3)(random, at, false)
		}
		return perSecond(rate)(random, at, false)
	}
}

// slowing serves half as fast after every halfLife.
func slowing(rate float64, halfLife time.Duration) pace {
	return func(random *rand.Rand, at time.Duration, _ bool) int {
		return perSecond(rate*math.Exp2(-at.Seconds()/halfLife.Seconds()))(random, at, false)
	}
}

// stalls serves as another pace does, and now and then for a while nobody.
func stalls(other pace, apart, lasting time.Duration) pace {
	var until, next time.Duration
	return func(random *rand.Rand, at time.Duration, pressing bool) int {
		if next == 0 || at >= next {
			if next > 0 {
				until = at + time.Duration((0.5+random.Float64())*float64(lasting))
			}
			next = until + time.Duration((0.5+random.Float64())*float64(apart))
		}
		if at < until {
			return 0
		}
		return other(random, at, pressing)
	}
}

// bursts serves full batches for a while and then nobody for another.
func bursts(size int) pace {
	var change time.Duration
	on := false
	return func(random *rand.Rand, at time.Duration, _ bool) int {
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
	return func(random *rand.Rand, at time.Duration, _ bool) int {
		if at >= change {
			now = rate * (0.5 + random.Float64())
			change = at + time.Duration(10+random.IntN(30))*time.Second
		}
		return perSecond(now)(random, at, false)
	}
}

// drifting serves at a rate that wanders.
func drifting(rate float64) pace {
	now := rate
	return func(random *rand.Rand, at time.Duration, _ bool) int {
		now *= 1 + 0.02*random.NormFloat64()
		now = min(max(now, rate/3), rate*3)
		return perSecond(now)(random, at, false)
	}
}
