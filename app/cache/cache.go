// Package cache remembers answers for a moment, so that a crowd that asks the same question at once costs one answer.
package cache

import (
	"context"
	"errors"
	"sync"
	"time"
)

// patience is how long a fetch may take. It does not end with the request that began it: others wait for it too.
const patience = 5 * time.Second

// errAborted is what those get who waited for a fetch that panicked.
var errAborted = errors.New("memo: the fetch was aborted")

// Cache keeps up to Most values for Life each. While one caller fetches a value, the others who ask for it wait. What could
// not be fetched is not kept.
type Cache[K comparable, V any] struct {
	Life time.Duration
	Most int

	mu   sync.Mutex
	kept map[K]*entry[V]
}

type entry[V any] struct {
	done  chan struct{} // closed once the rest is set
	until time.Time
	value V
	err   error
}

// Load returns the value of a key: the one that is kept, or the one that fetch returns. Returns fetch's error, or ctx's
// when that ends while another caller fetches.
func (m *Cache[K, V]) Load(ctx context.Context, key K, fetch func(context.Context) (V, error)) (V, error) {
	e, isNew := m.entry(key)
	if isNew {
		m.fill(ctx, key, e, fetch)
	}
	select {
	case <-e.done:
		return e.value, e.err
	case <-ctx.Done():
		var none V
		return none, ctx.Err()
	}
}

// Forget lets the next Load of a key fetch it anew.
func (m *Cache[K, V]) Forget(key K) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.kept, key)
}

func (m *Cache[K, V]) entry(key K) (e *entry[V], isNew bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e, ok := m.kept[key]; ok && !e.past(time.Now()) {
		return e, false
	}
	if m.kept == nil {
		m.kept = map[K]*entry[V]{}
	}
	if len(m.kept) >= m.Most {
		m.makeRoom()
	}
	e = &entry[V]{done: make(chan struct{})}
	m.kept[key] = e
	return e, true
}

func (e *entry[V]) past(now time.Time) bool {
	select {
	case <-e.done:
		return !now.Before(e.until)
	default:
		return false
	}
}

// looks is how many values makeRoom looks at: it runs under the lock.
const looks = 64

// makeRoom drops what is past its life among some of the values and, if that is nothing, one that is not: which one
// hardly matters when all of them live for a moment.
func (m *Cache[K, V]) makeRoom() {
	now, seen := time.Now(), 0
	var some K
	for key, e := range m.kept {
		some = key
		if e.past(now) {
			delete(m.kept, key)
		}
		if seen++; seen == looks {
			break
		}
	}
	if len(m.kept) >= m.Most {
		delete(m.kept, some)
	}
}

func (m *Cache[K, V]) fill(ctx context.Context, key K, e *entry[V], fetch func(context.Context) (V, error)) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	e.err = errAborted
	defer func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		if e.err != nil && m.kept[key] == e {
			delete(m.kept, key)
		}
		e.until = time.Now().Add(m.Life)
		close(e.done)
	}()
	e.value, e.err = fetch(ctx)
}

// Peek returns the value of a key if it is kept.
func (m *Cache[K, V]) Peek(key K) (V, bool) {
	m.mu.Lock()
	e := m.kept[key]
	m.mu.Unlock()
	var none V
	if e == nil {
		return none, false
	}
	select {
	case <-e.done:
		return e.value, e.err == nil
	default:
		return none, false
	}
}
