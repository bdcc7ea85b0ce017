package locks

import (
	"context"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// stallLimit is how long the tests' process and their Redis may need for one answer on a machine that is not too busy:
// half a beat of testTimes. Where each step takes longer, a lease may end before its holder has renewed it.
const stallLimit = 100 * time.Millisecond

// stalls notes when the machine was too busy to run the tests.
var stalls stallMeter

type stallMeter struct {
	mu    sync.Mutex
	heard time.Time // the last answer of Redis
	stall time.Time // the end of the last stall
}

// watch asks Redis for an answer again and again, until ctx ends.
func (m *stallMeter) watch(ctx context.Context, rdb *redis.Client) {
	tick := time.NewTicker(stallLimit / 10)
	defer tick.Stop()
	m.note()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			rdb.Ping(ctx)
			m.note()
		}
	}
}

func (m *stallMeter) note() {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	if !m.heard.IsZero() && now.Sub(m.heard) > stallLimit {
		m.stall = now
	}
	m.heard = now
}

// since reports whether the machine has stalled since a moment, or does so now.
func (m *stallMeter) since(begun time.Time) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.stall.After(begun) || time.Since(m.heard) > stallLimit
}
