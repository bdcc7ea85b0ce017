package availability

import (
	"context"
	"errors"
	"log/slog"
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

// truth is a Source whose slots the test changes.
type truth struct {
	mu    sync.Mutex
	slots map[booking.SlotKey]booking.Occupancy
	reads atomic.Int64
	hold  chan struct{} // a reading waits for it after it has read, if set
	away  bool
}

func (s *truth) ListOccupancy(ctx context.Context, restaurantID int64, first, _ booking.Date) (map[booking.SlotKey]booking.Occupancy, error) {
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

func (s *truth) set(at booking.TimeOfDay, held int) booking.SlotKey {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := booking.SlotKey{RestaurantID: 1, Date: xmas, Time: at}
	s.slots[key] = booking.Occupancy{Capacity: 20, Held: held}
	return key
}

type rig struct {
	t      *testing.T
	rdb    *redis.Client
	prefix string
	truth  *truth
}

func newRig(t *testing.T) *rig {
	t.Helper()
	options, err := redis.ParseURL(dbtest.RedisURL(t))
	if err != nil {
		t.Fatal(err)
	}
	rdb := redis.NewClient(options)
	t.Cleanup(func() { _ = rdb.Close() })
	return &rig{t: t, rdb: rdb, prefix: dbtest.KeyPrefix(t), truth: &truth{slots: map[booking.SlotKey]booking.Occupancy{}}}
}

// cache is one more process of the installation.
func (r *rig) cache(full func(context.Context, booking.SlotKey, booking.Occupancy)) *Cache {
	c := Open(r.rdb, r.prefix, r.truth, slog.New(slog.DiscardHandler), full)
	r.t.Cleanup(c.Close)
	return c
}

func held(t *testing.T, c *Cache, at booking.TimeOfDay) int {
	t.Helper()
	slots, err := c.List(t.Context(), 1, xmas)
	if err != nil {
		t.Fatal(err)
	}
	return slots[at].Held
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	deadline := time.After(3 * time.Second)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-deadline:
			t.Fatal("never: " + what)
		case <-tick.C:
		}
	}
}

func TestAChangeIsSeenByEveryProcess(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	slot := r.truth.set(at19, 2)
	one, two := r.cache(nil), r.cache(nil)
	if held(t, one, at19) != 2 || held(t, two, at19) != 2 {
		t.Fatal("the first reading is wrong")
	}
	r.truth.set(at19, 6)
	one.Changed(slot)
	eventually(t, "both see the change", func() bool { return held(t, one, at19) == 6 && held(t, two, at19) == 6 })
}

func TestACrowdOfReadersAsksTheDatabaseOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.truth.set(at19, 2)
	c := r.cache(nil)
	var all sync.WaitGroup
	for range 200 {
		all.Go(func() {
			if _, err := c.List(t.Context(), 1, xmas); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := r.truth.reads.Load(); n != 1 {
		t.Errorf("%d readings", n)
	}
}

// While one caller reads a day again, the others are answered from what was read before.
func TestNobodyWaitsForASlowReading(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.truth.set(at19, 2)
	c := r.cache(nil)
	held(t, c, at19)
	reading := c.reading(day{1, xmas})
	reading.loading.Lock()
	eventually(t, "it is not fresh any more", func() bool { return !reading.kept.Load().within(freshFor) })
	if got := held(t, c, at19); got != 2 {
		t.Errorf("%d are held", got)
	}
	reading.loading.Unlock()
}

func TestAnOlderReadingNeverReplacesANewerOne(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	slot := r.truth.set(at19, 2)
	slow, quick, reader := r.cache(nil), r.cache(nil), r.cache(nil)

	r.truth.mu.Lock()
	release := make(chan struct{})
	r.truth.hold = release
	r.truth.mu.Unlock()
	slow.Changed(slot) // reads 2, and is held up before it stores
	eventually(t, "the slow one has read", func() bool { return r.truth.reads.Load() == 1 })
	r.truth.set(at19, 20)
	quick.Changed(slot)
	eventually(t, "the newer reading is there", func() bool { return held(t, reader, at19) == 20 })
	close(release)
	slow.Close() // the older one has been stored, or refused
	raw, err := r.rdb.HGet(t.Context(), slow.key(day{1, xmas}), string(at19)).Result()
	if err != nil {
		t.Fatal(err)
	}
	slots, err := decode(map[string]string{string(at19): raw})
	if err != nil || slots[at19].Held != 20 {
		t.Errorf("kept %q, %v", raw, err)
	}
}

func TestWhatIsLostIsBuiltAgain(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.truth.set(at19, 2)
	slot20 := r.truth.set(at20, 3)
	c, other := r.cache(nil), r.cache(nil)
	held(t, c, at19)
	if err := r.rdb.Del(t.Context(), c.key(day{1, xmas})).Err(); err != nil {
		t.Fatal(err)
	}
	c.Changed(slot20) // a refresh alone must not leave a hash that knows one slot only
	eventually(t, "the date is whole again", func() bool { return held(t, other, at19) == 2 && held(t, other, at20) == 3 })
}

func TestAFullSlotIsTold(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	told := make(chan booking.SlotKey, 10)
	c := r.cache(func(_ context.Context, slot booking.SlotKey, _ booking.Occupancy) { told <- slot })
	c.Changed(r.truth.set(at20, 5))
	slot := r.truth.set(at19, 20)
	c.Changed(slot)
	select {
	case got := <-told:
		if got != slot {
			t.Errorf("told of %v", got)
		}
	case <-time.After(3 * time.Second):
		t.Fatal("nobody was told")
	}
}

func TestWithoutRedisTheDatabaseAnswers(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.truth.set(at19, 2)
	r.rdb = redis.NewClient(&redis.Options{Addr: "127.0.0.1:1", MaxRetries: -1})
	t.Cleanup(func() { _ = r.rdb.Close() })
	if got := held(t, r.cache(nil), at19); got != 2 {
		t.Errorf("held %d", got)
	}
}

func TestEveryKeyExpires(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.truth.set(at19, 2)
	held(t, r.cache(nil), at19)
	keys, err := r.rdb.Keys(t.Context(), r.prefix+"*").Result()
	if err != nil || len(keys) != 2 {
		t.Fatalf("keys %v, %v", keys, err)
	}
	for _, key := range keys {
		if ttl := r.rdb.PTTL(t.Context(), key).Val(); ttl <= 0 {
			t.Errorf("%s lives for %v", key, ttl)
		}
	}
}
