package ratelimit

import (
	"sync"
	"time"
)

// A crowd is more than crowdSize people within crowdTime, and whoever comes in the crowdTime after that.
const (
	crowdSize = 20
	crowdTime = 100 * time.Millisecond
)

// crowd knows whether many people come at once. Its zero value is ready.
type crowd struct {
	mu    sync.Mutex
	since time.Time
	n     int  // people since then
	goes  bool // there was a crowd just before
}

// comes counts somebody who comes, and says whether they are one of a crowd.
func (c *crowd) comes() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := time.Now(); now.Sub(c.since) > crowdTime {
		c.goes = c.n > crowdSize && now.Sub(c.since) <= 2*crowdTime
		c.since, c.n = now, 0
	}
	c.n++
	return c.goes || c.n > crowdSize
}
