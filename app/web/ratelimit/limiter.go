package ratelimit

import (
	"hash/maphash"
	"maps"
	"sync"
	"time"
)

// pace allows burst tries at once, and one more after every.
type pace struct {
	burst int
	every time.Duration
}

// mostKeys is how many keys a limiter remembers at once: some megabytes.
const mostKeys = 50_000

// limiter counts the tries of keys. Of each it keeps a single time: when all of its tries are free again. (This is the
// generic cell rate algorithm, a leaky bucket without a clock that ticks.)
type limiter struct {
	pace
	seed maphash.Seed
	most int

	mu   sync.Mutex
	free map[uint64]time.Time // by the hash of a key, so that long keys take no more room than short ones
}

func newLimiter(p pace) *limiter {
	return &limiter{pace: p, seed: maphash.MakeSeed(), most: mostKeys, free: map[uint64]time.Time{}}
}

// take uses up one of a key's tries. It returns 0, or how long it takes until there is one.
func (l *limiter) take(key string) (wait time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	hash, now := maphash.String(l.seed, key), time.Now()
	free, known := l.free[hash]
	if free.Before(now) {
		free = now
	}
	free = free.Add(l.every)
	if wait := free.Sub(now) - time.Duration(l.burst)*l.every; wait > 0 {
		return wait
	}
	if !known {
		l.makeRoom(now)
	}
	l.free[hash] = free
	return 0
}

// giveBack undoes a take.
func (l *limiter) giveBack(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	hash := maphash.String(l.seed, key)
	if free, known := l.free[hash]; known {
		l.free[hash] = free.Add(-l.every)
	}
}

// forget gives a key all of its tries back.
func (l *limiter) forget(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.free, maphash.String(l.seed, key))
}

// makeRoom keeps memory within bounds: keys whose tries are all free go and, while that is not enough, others, whoever
// they are. To forgive some beats to turn everybody away whom nobody remembers.
func (l *limiter) makeRoom(now time.Time) {
	if len(l.free) < l.most {
		return
	}
	maps.DeleteFunc(l.free, func(_ uint64, free time.Time) bool { return !free.After(now) })
	for hash := range l.free {
		if len(l.free) <= l.most*3/4 { // well below, so that the next ones need not look through all again
			return
		}
		delete(l.free, hash)
	}
}
