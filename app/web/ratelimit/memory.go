package ratelimit

import (
	"hash/maphash"
	"maps"
	"sync"
	"time"
)

// mostKeys is how many buckets a process remembers at once: some megabytes.
const mostKeys = 50_000

// memory counts in this process. Of each bucket it keeps a single time: when the bucket is full again. (This is the
// generic cell rate algorithm, a leaky bucket without a clock that ticks.)
type memory struct {
	seed maphash.Seed
	most int

	mu   sync.Mutex
	full map[uint64]time.Time // by the hash of a key, so that long keys take no more room than short ones
}

func newMemory() *memory {
	return &memory{seed: maphash.MakeSeed(), most: mostKeys, full: map[uint64]time.Time{}}
}

// take takes one from each of the buckets, or none from any of them. It returns 0, or how long it takes until all have
// one.
func (m *memory) take(buckets ...bucket) (wait time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	for _, b := range buckets {
		wait = max(wait, m.after(b, now).Sub(now)-time.Duration(b.burst)*b.every)
	}
	if wait > 0 {
		return wait
	}
	for _, b := range buckets {
		full := m.after(b, now)
		m.makeRoom(now)
		m.full[m.hash(b)] = full
	}
	return 0
}

// takeOnce takes one from a bucket for a mark that is new, and one from the bucket for repeats for a mark of before.
func (m *memory) takeOnce(mark bucket, first, repeat bucket) (wait time.Duration) {
	if m.take(mark) > 0 {
		return m.take(repeat)
	}
	if wait = m.take(first); wait > 0 {
		m.forget(mark)
	}
	return wait
}

// after is when a bucket will be full again once one is taken from it. The caller holds mu.
func (m *memory) after(b bucket, now time.Time) time.Time {
	full := m.full[m.hash(b)]
	if full.Before(now) {
		full = now
	}
	return full.Add(b.every)
}

// undoTake undoes a take.
func (m *memory) undoTake(b bucket) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if full, known := m.full[m.hash(b)]; known {
		m.full[m.hash(b)] = full.Add(-b.every)
	}
}

// forget fills a bucket.
func (m *memory) forget(b bucket) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.full, m.hash(b))
}

func (m *memory) hash(b bucket) uint64 { return maphash.String(m.seed, b.key) }

// makeRoom keeps memory within bounds: buckets that are full go and, while that is not enough, others, whosever they
// are. To forgive some beats to turn everybody away whom nobody remembers. The caller holds mu.
func (m *memory) makeRoom(now time.Time) {
	if len(m.full) < m.most {
		return
	}
	maps.DeleteFunc(m.full, func(_ uint64, full time.Time) bool { return !full.After(now) })
	for hash := range m.full {
		if len(m.full) <= m.most*3/4 { // well below, so that the next ones need not look through all again
			return
		}
		delete(m.full, hash)
	}
}
