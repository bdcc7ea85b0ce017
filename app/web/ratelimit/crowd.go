package ratelimit

import (
	"sync"
	"time"
)

// A crowd is more than crowdSize people within crowdTime.
const (
	crowdSize = 50
	crowdTime = 100 * time.Millisecond
)

// crowd knows whether many come at once. Its zero value is ready.
type crowd struct {
	mu    sync.Mutex
	since time.Time
	n     int
}

// comes counts somebody who comes, and says whether they are one of a crowd.
func (c *crowd) comes() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := time.Now(); now.Sub(c.since) > crowdTime {
		c.since, c.n = now, 0
	}
	c.n++
	return c.n > crowdSize
}
