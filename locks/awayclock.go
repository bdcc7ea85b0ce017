package locks

import (
	"sync"
	"time"
)

// farClock is what a node knows of Redis' clock: never ahead of it, and behind it by no more than a round trip. Between
// answers it goes on by the node's own. It is safe for concurrent use.
type farClock struct {
	mu   sync.Mutex
	at   int64     // µs of Redis' clock
	asOf time.Time // of the node's; zero while Redis has never answered
}

// learn notes an answer: when it was asked for, when it came, and what Redis' clock said in between.
func (f *farClock) learn(sent, got time.Time, said int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	latest := said + got.Sub(sent).Microseconds()
	if known := f.moment(got); !f.asOf.IsZero() && said < known && known <= latest {
		said = known // nearer, and right unless the clock was set
	}
	f.at, f.asOf = said, got
}

// moment holds mu.
func (f *farClock) moment(now time.Time) int64 { return f.at + now.Sub(f.asOf).Microseconds() }

// read says what Redis' clock shows at a moment of the node's; false if Redis has never answered.
func (f *farClock) read(now time.Time) (int64, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.asOf.IsZero() {
		return now.UnixMicro(), false
	}
	return f.moment(now), true
}
