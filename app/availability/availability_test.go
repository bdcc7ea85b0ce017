package availability

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/app/booking"
	"lunchgo/db/dbtest"
)

const (
	xmas = booking.Date("2026-12-24")
	at19 = booking.TimeOfDay("19:00")
	at20 = booking.TimeOfDay("20:00")
)

// fakeSource is a Source whose slots the test changes.
type fakeSource struct {
	mu    sync.Mutex
	slots map[booking.SlotKey]booking.Occupancy
	reads atomic.Int64
	some  atomic.Int64  // readings of some slots
	hold  chan struct{} // a reading waits for it after it has read, if set
	away  bool
}

func (s *fakeSource) ListOccupancy(ctx context.Context, restaurantID int64,
	first, _ booking.Date) (map[booking.SlotKey]booking.Occupancy, error) {
	s.reads.Add(1)
	s.mu.Lock()
	known := map[booking.SlotKey]booking.Occupancy{}
	for key, o := range s.slots {
		if key.RestaurantID == restaurantID && key.Date == first {
			known[key] = o
		}
	}
	hold, away := s.hold, s.away
	s.hold = nil
	s.mu.Unlock()
	if away {
		return nil, errors.New("the database is away")
	}
	if hold != nil {
		<-hold
	}
	return known, nil
}

func (s *fakeSource) ListSlots(_ context.Context, restaurantID int64, date booking.Date,
	times []booking.TimeOfDay) (map[booking.TimeOfDay]booking.Occupancy, bool, error) {
	s.some.Add(1)
	s.mu.Lock()
	defer s.mu.Unlock()
	known, alone := map[booking.TimeOfDay]booking.Occupancy{}, true
	for key, o := range s.slots {
		if key.RestaurantID == restaurantID && key.Date == date && slices.Contains(times, key.Time) {
			known[key.Time] = o
			alone = alone && o.Waitlisted == 0
		}
	}
	return known, alone, nil
}

// wait has somebody wait for seats in a slot, of which three are held.
func (s *fakeSource) wait(at booking.TimeOfDay) booking.SlotKey {
	key := s.set(at, 3)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.slots[key] = booking.Occupancy{Capacity: 20, Held: 3, Waitlisted: 1}
	return key
}

// holdNext lets the next reading wait until the channel is closed.
func (s *fakeSource) holdNext() (release chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hold = make(chan struct{})
	return s.hold
}

func (s *fakeSource) set(at booking.TimeOfDay, held int) booking.SlotKey {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := booking.SlotKey{RestaurantID: 1, Date: xmas, Time: at}
	s.slots[key] = booking.Occupancy{Capacity: 20, Held: held, Waitlisted: s.slots[key].Waitlisted}
	return key
}

var discard = slog.New(slog.DiscardHandler)

type harness struct {
	t      *testing.T
	rdb    *redis.Client
	prefix string
	source *fakeSource
}

func newHarness(t *testing.T) *harness {
	t.Helper()
	options, err := redis.ParseURL(dbtest.RedisURL(t))
	dbtest.Must(t, err)
	rdb := redis.NewClient(options)
	t.Cleanup(func() { _ = rdb.Close() })
	return &harness{t: t, rdb: rdb, prefix: dbtest.KeyPrefix(t),
		source: &fakeSource{slots: map[booking.SlotKey]booking.Occupancy{}}}
}

// cache is one more process of the installation.
func (h *harness) cache(full func(context.Context, booking.SlotKey, booking.Occupancy)) *Cache {
	c := Open(h.rdb, h.prefix, h.source, slog.New(slog.DiscardHandler), full)
	h.t.Cleanup(c.Close)
	return c
}

func held(t *testing.T, c *Cache, at booking.TimeOfDay) int {
	t.Helper()
	slots, err := c.List(t.Context(), 1, xmas)
	dbtest.Must(t, err)
	return slots[at].Held
}

func TestChanged_EveryProcessSeesTheChange(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	slot := h.source.set(at19, 2)
	one, two := h.cache(nil), h.cache(nil)
	if held(t, one, at19) != 2 || held(t, two, at19) != 2 {
		t.Fatal("the first reading is wrong")
	}
	h.source.set(at19, 6)
	one.Changed(slot)
	dbtest.Eventually(t, "both see the change", func() bool { return held(t, one, at19) == 6 && held(t, two, at19) == 6 })
}

func TestList_ACrowdOfReadersAsksTheDatabaseOnce(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.source.set(at19, 2)
	c := h.cache(nil)
	var all sync.WaitGroup
	for range 200 {
		all.Go(func() {
			if _, err := c.List(t.Context(), 1, xmas); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := h.source.reads.Load(); n != 1 {
		t.Errorf("%d readings", n)
	}
}

// While one caller reads a day again, the others are answered from what was read before.
func TestList_NobodyWaitsForASlowReading(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.source.set(at19, 2)
	c := h.cache(nil)
	held(t, c, at19)
	release := h.source.holdNext()
	h.rdb.Del(t.Context(), c.key(day{1, xmas})) // so that the next reading is of the source
	var slow sync.WaitGroup
	defer slow.Wait()
	defer close(release)
	dbtest.Eventually(t, "it is read again", func() bool {
		slow.Go(func() { _, _ = c.List(t.Context(), 1, xmas) })
		return h.source.reads.Load() == 2
	})
	if got := held(t, c, at19); got != 2 {
		t.Errorf("%d are held", got)
	}
}

// A day that the database does not tell in time is an error for all who ask, after the time of one reading.
func TestList_NobodyWaitsForADatabaseThatHangs(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.source.set(at19, 2)
	c := h.cache(nil)
	c.days.Patience = 200 * time.Millisecond
	release := h.source.holdNext()
	defer close(release)
	var all sync.WaitGroup
	begun := time.Now()
	for range 50 {
		all.Go(func() {
			if _, err := c.List(t.Context(), 1, xmas); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%v, want a time-out", err)
			}
		})
	}
	all.Wait()
	if took := time.Since(begun); took > 25*c.days.Patience {
		t.Errorf("they waited for %v, as if one after the other", took)
	}
}

// A reading that is stored late, after a newer one was, changes nothing.
func TestVersions_AnOlderReadingNeverReplacesANewerOne(t *testing.T) {
	t.Parallel()
	if got := storeOutOfOrder(t, writeScript); got != 20 {
		t.Errorf("%d seats are held, want those of the newer reading, 20", got)
	}
}

// The control: without the check of the versions, the older reading replaces the newer one.
func TestVersions_WithoutTheCheckTheOlderReadingWins(t *testing.T) {
	t.Parallel()
	const check = "if not old or tonumber(string.match(old, '^%d+')) <= version then"
	unchecked := strings.Replace(writeLua, check, "if true then", 1)
	if unchecked == writeLua {
		t.Fatal("the script has no such check")
	}
	if got := storeOutOfOrder(t, redis.NewScript(unchecked)); got != 2 {
		t.Errorf("%d seats are held: the control shows no race", got)
	}
}

// storeOutOfOrder lets a process read 2 held seats and another one 20 after that, lets the later one store first, and
// returns how many seats are held according to Redis then.
func storeOutOfOrder(t *testing.T, write *redis.Script) int {
	t.Helper()
	h := newHarness(t)
	slot := h.source.set(at19, 2)
	slow, quick := h.cache(nil), h.cache(nil)
	slow.write, quick.write = write, write

	release := h.source.holdNext()
	slow.Changed(slot)
	dbtest.Eventually(t, "the slow one has read", func() bool { return h.source.reads.Load() == 1 })
	h.source.set(at19, 20)
	quick.Changed(slot)
	quick.Close() // it has stored
	if got := held(t, h.cache(nil), at19); got != 20 {
		t.Fatalf("%d seats are held before the late write", got)
	}
	close(release)
	slow.Close() // it has stored, or was refused
	raw, err := h.rdb.HGet(t.Context(), slow.key(day{1, xmas}), string(at19)).Result()
	dbtest.Must(t, err)
	slots, err := decode(map[string]string{string(at19): raw})
	dbtest.Must(t, err)
	return slots[at19].Held
}

func TestList_RebuildsALostHash(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.source.set(at19, 2)
	slot20 := h.source.set(at20, 3)
	c, other := h.cache(nil), h.cache(nil)
	held(t, c, at19)
	dbtest.Must(t, h.rdb.Del(t.Context(), c.key(day{1, xmas})).Err())
	c.Changed(slot20) // a refresh alone must not leave a hash that knows one slot only
	dbtest.Eventually(t, "the date is whole again",
		func() bool { return held(t, other, at19) == 2 && held(t, other, at20) == 3 })
}

func TestOpen_CallsBackForAFullSlot(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	called := make(chan booking.SlotKey, 10)
	c := h.cache(func(_ context.Context, slot booking.SlotKey, _ booking.Occupancy) { called <- slot })
	c.Changed(h.source.set(at20, 5))
	slot := h.source.set(at19, 20)
	c.Changed(slot)
	select {
	case got := <-called:
		if got != slot {
			t.Errorf("called for %v", got)
		}
	case <-time.After(dbtest.Patience):
		t.Fatal("nobody was called")
	}
}

func TestList_WithoutRedisTheDatabaseAnswers(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.source.set(at19, 2)
	h.rdb = redis.NewClient(&redis.Options{Addr: "127.0.0.1:1", MaxRetries: -1})
	t.Cleanup(func() { _ = h.rdb.Close() })
	if got := held(t, h.cache(nil), at19); got != 2 {
		t.Errorf("held %d", got)
	}
}

func TestKeys_AllExpire(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.source.set(at19, 2)
	held(t, h.cache(nil), at19)
	keys, err := h.rdb.Keys(t.Context(), h.prefix+"*").Result()
	if err != nil || len(keys) != 2 {
		t.Fatalf("keys %v, %v", keys, err)
	}
	for _, key := range keys {
		if ttl := h.rdb.PTTL(t.Context(), key).Val(); ttl <= 0 {
			t.Errorf("%s lives for %v", key, ttl)
		}
	}
}
