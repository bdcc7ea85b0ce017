package memory

import (
	"sync"
	"time"
)

// Clock is what a node knows of Redis' clock: never ahead of it, and behind it by a round trip at most. Between answers
// it goes on by the node's own clock. It is safe for concurrent use; the zero value knows nothing.
type Clock struct {
	mu    sync.Mutex
	at    int64     // µs of Redis' clock
	heard time.Time // when it showed that, by the node's clock; zero while Redis has never answered
}

// Learn notes an answer of Redis: when the call was sent, when the answer came, and what Redis' clock showed in
// between.
func (c *Clock) Learn(sent, got time.Time, shown int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	latest := shown + got.Sub(sent).Microseconds()
	if known := c.moment(got); !c.heard.IsZero() && shown < known && known <= latest {
		shown = known // closer, and right unless the clock was set
	}
	c.at, c.heard = shown, got
}

func (c *Clock) moment(now time.Time) int64 { return c.at + now.Sub(c.heard).Microseconds() }

// Read returns what Redis' clock shows (µs) at a moment of the node's clock; false if Redis has never answered.
func (c *Clock) Read(now time.Time) (int64, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.heard.IsZero() {
		return now.UnixMicro(), false
	}
	return c.moment(now), true
}

// Heard returns when Redis last answered, by the node's clock.
func (c *Clock) Heard() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.heard
}
