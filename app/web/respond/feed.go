package respond

import (
	"context"
	"sync"
	"time"
)

// readTimeout bounds one reading of a feed.
const readTimeout = 5 * time.Second

// Feeds read things again and again while somebody watches them. However many watch one thing, it is read once, by a
// goroutine that ends with the last of them. Their methods may be called at once from many goroutines.
type Feeds[K comparable, V any] struct {
	Every time.Duration // from one reading to the next
	// Read reads a thing. It gets the value of before. What cannot be read just now is read again.
	Read func(ctx context.Context, key K, last V) (V, error)
	Same func(a, b V) bool // says that watchers need not hear of b after a
	// Slowest lets a thing that costs much be read less often than Every, up to this time from one reading to the next:
	// so that it takes a fiftieth of the time. 0: it is read each Every, whatever it costs.
	Slowest time.Duration
	// Shown is how long it took to show a value to its watchers, which is added to the time of reading it; nil:
	// nothing.
	Shown func(value V) time.Duration

	mu   sync.Mutex
	open map[K]*feed[V]
}

// restFactor is how many times as long as a reading takes it is until the next one.
const restFactor = 50

// feed is one thing that is read.
type feed[V any] struct {
	watchers int
	stop     context.CancelFunc

	mu      sync.Mutex
	version int // rises with every value that differs from the one before; 0 is none yet
	value   V
	changed chan struct{} // closed and replaced when there is another value
}

// FeedWatcher watches one thing. It belongs to one goroutine. Close it.
type FeedWatcher[V any] struct {
	feed  *feed[V]
	seen  int
	Close func()
}

// Watch watches the thing of a key. The first reading gets the value start, if nobody watches the thing yet.
func (f *Feeds[K, V]) Watch(key K, start V) *FeedWatcher[V] {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.open == nil {
		f.open = map[K]*feed[V]{}
	}
	watched := f.open[key]
	if watched == nil {
		ctx, stop := context.WithCancel(context.Background())
		watched = &feed[V]{stop: stop, value: start, changed: make(chan struct{})}
		f.open[key] = watched
		go f.keepReading(ctx, key, watched)
	}
	watched.watchers++
	return &FeedWatcher[V]{feed: watched, Close: sync.OnceFunc(func() { f.leave(key, watched) })}
}

func (f *Feeds[K, V]) leave(key K, watched *feed[V]) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if watched.watchers--; watched.watchers == 0 {
		watched.stop()
		delete(f.open, key)
	}
}

func (f *Feeds[K, V]) keepReading(ctx context.Context, key K, watched *feed[V]) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-timer.C:
		case <-ctx.Done():
			return
		}
		began, last := time.Now(), watched.last()
		reading, cancel := context.WithTimeout(ctx, readTimeout)
		value, err := f.Read(reading, key, last)
		cancel()
		took := time.Since(began)
		if err == nil && watched.publish(value, f.Same) && f.Shown != nil {
			took += f.Shown(last) // the new value is not shown yet
		}
		timer.Reset(time.Until(began.Add(f.pause(took))))
	}
}

// pause is the time from the beginning of a reading to that of the next one.
func (f *Feeds[K, V]) pause(took time.Duration) time.Duration {
	return max(f.Every, min(restFactor*took, f.Slowest))
}

func (d *feed[V]) last() V {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.value
}

// publish says whether the watchers hear of the value.
func (d *feed[V]) publish(value V, same func(a, b V) bool) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.version > 0 && same(d.value, value) {
		return false
	}
	d.version++
	d.value = value
	close(d.changed)
	d.changed = make(chan struct{})
	return true
}

// Next waits for a value that this watcher has not seen: for the first time the one that is there. Returns ctx's error
// when that ends first.
func (w *FeedWatcher[V]) Next(ctx context.Context) (V, error) {
	for {
		w.feed.mu.Lock()
		value, version, changed := w.feed.value, w.feed.version, w.feed.changed
		w.feed.mu.Unlock()
		if version > w.seen {
			w.seen = version
			return value, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			var none V
			return none, ctx.Err()
		}
	}
}
