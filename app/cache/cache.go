// Package cache keeps answers for a moment, so that a crowd that asks the same question at once costs one answer.
package cache

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"
)

// patience is how long a fetch may take where Patience is zero.
const patience = 5 * time.Second

// Cache keeps up to Most values for Life each. While one value is fetched, all who ask for it wait for the same fetch.
// The fetch does not end with the request that began it, but has Patience of its own; whatever it does with its
// context, nobody waits longer. Errors are not kept.
type Cache[K comparable, V any] struct {
	Life     time.Duration
	Most     int
	Patience time.Duration // 5 s if zero
	Stale    *Stale        // nil: a value ends with its life

	mu     sync.Mutex
	values map[K]*entry[K, V]
}

// Stale lets callers go on with a value past its life: all but the one who fetches it anew, and that one too if the
// fetch fails. The next fetch is then due after another life.
type Stale struct {
	Ends func(error) bool // errors of a fetch that end a value, such as that it is there no more; nil: none
	For  time.Duration    // how long past its life a value may be used; 0: for ever
}

type entry[K comparable, V any] struct {
	key     K
	value   V
	known   bool         // the value was fetched
	at      time.Time    // when
	until   time.Time    // the next fetch is due
	pending *fetching[V] // nil while nobody fetches
}

// fetching is one fetch under way. What came of it is set when done closes.
type fetching[V any] struct {
	done  chan struct{}
	value V
	err   error
}

// Load returns the value of a key: the one that is kept, or the one that fetch returns. Returns fetch's error, ctx's
// when that ends before the fetch, and context.DeadlineExceeded when the fetch takes too long.
func (c *Cache[K, V]) Load(ctx context.Context, key K, fetch func(context.Context) (V, error)) (V, error) {
	c.mu.Lock()
	e := c.entry(key)
	usable := c.usable(e)
	if usable && (e.pending != nil || time.Now().Before(e.until)) {
		defer c.mu.Unlock()
		return e.value, nil
	}
	f, old := e.pending, e.value
	if f == nil {
		f = &fetching[V]{done: make(chan struct{})}
		e.pending = f
		go c.fill(context.WithoutCancel(ctx), e, f, fetch)
	}
	c.mu.Unlock()

	select {
	case <-f.done:
		return f.value, f.err
	case <-ctx.Done():
		if usable {
			return old, nil
		}
		var none V
		return none, ctx.Err()
	}
}

// usable says whether callers may go on with the value of an entry. The caller holds mu.
func (c *Cache[K, V]) usable(e *entry[K, V]) bool {
	switch {
	case !e.known:
		return false
	case c.Stale == nil:
		return time.Now().Before(e.until)
	}
	return c.Stale.For == 0 || time.Since(e.at) < c.Life+c.Stale.For
}

// Put gives a key a value that the caller has fetched. Who waits for a fetch gets it too: that fetch may have begun
// earlier.
func (c *Cache[K, V]) Put(key K, value V) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.entry(key)
	e.keep(value, c.Life)
	if f := e.pending; f != nil {
		e.pending = nil
		f.end(value, nil)
	}
}

// Amend changes the value of a key, if it has one, and leaves its age. A fetch under way, which may have begun before the
// change, only answers those who wait for it.
func (c *Cache[K, V]) Amend(key K, change func(V) V) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch e := c.values[key]; {
	case e == nil:
	case e.pending != nil:
		delete(c.values, key)
	case e.known:
		e.value = change(e.value)
	}
}

func (e *entry[K, V]) keep(value V, life time.Duration) {
	e.value, e.known, e.at = value, true, time.Now()
	e.until = e.at.Add(life)
}

func (f *fetching[V]) end(value V, err error) {
	f.value, f.err = value, err
	close(f.done)
}

// Peek returns the last value of a key, however old, without fetching it.
func (c *Cache[K, V]) Peek(key K) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.values[key]; e != nil {
		return e.value, e.known
	}
	var none V
	return none, false
}

// Forget lets the next Load of a key fetch it anew.
func (c *Cache[K, V]) Forget(key K) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.values, key)
}

// entry returns the entry of a key, made if there is none. The caller holds mu.
func (c *Cache[K, V]) entry(key K) *entry[K, V] {
	if e, ok := c.values[key]; ok {
		return e
	}
	if c.values == nil {
		c.values = map[K]*entry[K, V]{}
	}
	if len(c.values) >= c.Most {
		c.makeRoom()
	}
	e := &entry[K, V]{key: key}
	c.values[key] = e
	return e
}

// looks is how many values makeRoom looks at: it runs under the lock.
const looks = 64

// makeRoom drops what is past its life among some of the values and, if that is nothing, one that is not: which one
// hardly matters when all of them live for a moment. The caller holds mu.
func (c *Cache[K, V]) makeRoom() {
	now, seen := time.Now(), 0
	var some K
	for key, e := range c.values { // in any order
		some = key
		if e.pending == nil && !now.Before(e.until) {
			delete(c.values, key)
		}
		if seen++; seen == looks {
			break
		}
	}
	if len(c.values) >= c.Most {
		delete(c.values, some)
	}
}

// fill fetches the value of an entry for all who wait.
func (c *Cache[K, V]) fill(ctx context.Context, e *entry[K, V], f *fetching[V],
	fetch func(context.Context) (V, error)) {
	limit := cmp.Or(c.Patience, patience)
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var none V
	late := time.AfterFunc(limit, func() {
		c.settle(e, f, none, fmt.Errorf("cache: a fetch takes longer than %v: %w", limit, context.DeadlineExceeded))
	})
	defer late.Stop()
	value, err := rescued(ctx, fetch)
	c.settle(e, f, value, err)
}

// rescued makes a panic of fetch an error: nobody above would catch it.
func rescued[V any](ctx context.Context, fetch func(context.Context) (V, error)) (value V, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("cache: a fetch panicked: %v", p)
		}
	}()
	return fetch(ctx)
}

// settle tells all who wait what came of a fetch; what comes after it was given up is dropped.
func (c *Cache[K, V]) settle(e *entry[K, V], f *fetching[V], value V, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e.pending != f {
		return
	}
	goesOn := c.Stale != nil && c.usable(e) && (c.Stale.Ends == nil || !c.Stale.Ends(err))
	switch {
	case err == nil:
		e.keep(value, c.Life)
	case goesOn:
		value, err, e.until = e.value, nil, time.Now().Add(c.Life)
	case c.values[e.key] == e:
		delete(c.values, e.key)
	}
	e.pending = nil
	f.end(value, err)
}
