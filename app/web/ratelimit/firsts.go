package ratelimit

import (
	"sync"
	"time"
)

// firstLife is how long somebody's first counts as that. A bucket that is asked for it later has it back by then.
const firstLife = time.Minute

// firsts knows who came in the last minute, and what of that is not counted yet. Its zero value is ready.
type firsts struct {
	mu    sync.Mutex
	came  map[string]*first // by the key of their bucket
	swept int               // how many were left when the old ones were removed last
}

type first struct {
	at        time.Time
	uncounted *once
}

// note notes that somebody comes. It says whether they are the first in a minute, and returns the first where that is
// not counted yet: it counts from now on.
func (f *firsts) note(one once) (before *once, isFirst bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := time.Now()
	known := f.came[one.first.key]
	if known != nil && now.Sub(known.at) < firstLife {
		before, known.uncounted = known.uncounted, nil
		return before, false
	}
	if f.came == nil || len(f.came) > 2*f.swept+1024 {
		f.sweep(now)
	}
	f.came[one.first.key] = &first{now, &one}
	return nil, true
}

// sweep removes those who came long ago, each time their number has doubled.
func (f *firsts) sweep(now time.Time) {
	recent := map[string]*first{}
	for key, known := range f.came {
		if now.Sub(known.at) < firstLife {
			recent[key] = known
		}
	}
	f.came, f.swept = recent, len(recent)
}
