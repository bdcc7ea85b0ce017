package ratelimit

import (
	"crypto/rand"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/db/dbtest"
)

// counters are those of n processes on one Redis.
func counters(t *testing.T, rdb redis.UniversalClient, n int) []*counter {
	t.Helper()
	prefix := dbtest.KeyPrefix(t)
	all := make([]*counter, n)
	for i := range all {
		all[i] = newCounter(rdb, prefix, slog.New(slog.DiscardHandler))
	}
	return all
}

func openRedis(t *testing.T, address string) redis.UniversalClient {
	t.Helper()
	options, err := redis.ParseURL(address)
	dbtest.Must(t, err)
	options.MaxRetries, options.DialerRetries = -1, 1
	client := redis.NewClient(options)
	t.Cleanup(func() { _ = client.Close() })
	return client
}

// passed takes n times, spread over the processes, at the same moment, and says how often it was allowed.
func passed(t *testing.T, all []*counter, n int, take func(of *counter, i int) time.Duration) int {
	t.Helper()
	var allowed atomic.Int64
	var crowd sync.WaitGroup
	for i := range n {
		crowd.Go(func() {
			if take(all[i%len(all)], i) == 0 {
				allowed.Add(1)
			}
		})
	}
	crowd.Wait()
	return int(allowed.Load())
}

var hourly = pace{burst: 7, every: time.Hour}

func TestCounter_CountsOverAllProcesses(t *testing.T) {
	t.Parallel()
	for name, rdb := range map[string]func(*testing.T) redis.UniversalClient{
		"one server": func(t *testing.T) redis.UniversalClient { return openRedis(t, dbtest.RedisURL(t)) },
		"cluster": func(t *testing.T) redis.UniversalClient {
			client := redis.NewClusterClient(dbtest.RedisCluster(t).Options())
			t.Cleanup(func() { _ = client.Close() })
			return client
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all := counters(t, rdb(t), 2)
			for person := range 3 {
				b := bucket{fmt.Sprintf("{press:%d}", person), hourly}
				if got := passed(t, all, 200, func(of *counter, _ int) time.Duration {
					return of.take(t.Context(), b)
				}); got != 7 {
					t.Errorf("%d of 200 passed two processes at once, want 7", got)
				}
			}
			// The control: two processes of different installations count apart.
			apart := append(counters(t, rdb(t), 1), counters(t, rdb(t), 1)...)
			b := bucket{"{press:x}", hourly}
			if got := passed(t, apart, 200, func(of *counter, _ int) time.Duration {
				return of.take(t.Context(), b)
			}); got != 14 {
				t.Errorf("%d of 200 passed two processes that count apart, want 14", got)
			}
		})
	}
}

func TestCounter_TakesFromAllOrNone(t *testing.T) {
	t.Parallel()
	r := counters(t, openRedis(t, dbtest.RedisURL(t)), 1)[0]
	for name, take := range map[string]func(...bucket) time.Duration{
		"in Redis":  func(b ...bucket) time.Duration { return r.take(t.Context(), b...) },
		"in memory": newMemory().take,
	} {
		narrow, wide := bucket{"{x}:narrow", pace{1, time.Hour}}, bucket{"{x}:wide", pace{3, time.Hour}}
		if wait := take(narrow, wide); wait != 0 {
			t.Errorf("%s: the first waits for %v", name, wait)
		}
		if wait := take(narrow, wide); wait < 59*time.Minute || wait > time.Hour {
			t.Errorf("%s: the second waits for %v, want about an hour", name, wait)
		}
		for range 2 { // what was refused took nothing from the wide one
			if wait := take(wide); wait != 0 {
				t.Errorf("%s: the wide one waits for %v", name, wait)
			}
		}
		if take(wide) == 0 {
			t.Errorf("%s: the wide one holds four", name)
		}
	}
}

func TestCounter_CountsARepeatOnce(t *testing.T) {
	t.Parallel()
	rdb := openRedis(t, dbtest.RedisURL(t))
	away := openRedis(t, "redis://127.0.0.1:1")
	for name, r := range map[string]*counter{"in Redis": counters(t, rdb, 1)[0], "in memory": counters(t, away, 1)[0]} {
		press := func(key string) time.Duration {
			return r.takeOnce(t.Context(), once{bucket{"{a}:" + key, pace{1, time.Minute}},
				bucket{"{a}", pace{2, time.Hour}}, bucket{"{a}:repeats", pace{10, time.Hour}}})
		}
		for i := range 11 {
			if wait := press("first"); wait != 0 {
				t.Fatalf("%s: repeat %d waits for %v", name, i, wait)
			}
		}
		if press("first") == 0 {
			t.Errorf("%s: repeats have no bound", name)
		}
		if wait := press("second"); wait != 0 {
			t.Errorf("%s: another press waits for %v", name, wait)
		}
		for range 2 { // a refused press is not remembered as one that passed
			if press("third") == 0 {
				t.Errorf("%s: a third press passes", name)
			}
		}
	}
}

func TestCounter_GivesBackAndForgives(t *testing.T) {
	t.Parallel()
	r := counters(t, openRedis(t, dbtest.RedisURL(t)), 1)[0]
	own, all := bucket{"{s}:own", pace{2, time.Hour}}, bucket{"{s}:all", pace{3, time.Hour}}
	take := func() bool { return r.take(t.Context(), own, all) == 0 }
	passes := func(n int) bool { // and no more
		for range n {
			if !take() {
				return false
			}
		}
		return !take()
	}
	if !passes(2) {
		t.Fatal("two of own's should pass")
	}
	r.undoTake(t.Context(), own, all)
	if !passes(1) {
		t.Fatal("one that was given back should pass")
	}
	r.forgive(t.Context(), own, all)
	if !passes(2) {
		t.Fatal("own should be full again, and all have two")
	}
}

func TestCounter_KeysExpire(t *testing.T) {
	t.Parallel()
	rdb := openRedis(t, dbtest.RedisURL(t))
	r := counters(t, rdb, 1)[0]
	b := bucket{"{a}", pace{5, time.Minute}}
	r.take(t.Context(), b)
	r.takeOnce(t.Context(), once{bucket{"{a}:k", pace{1, markLife}}, b, bucket{"{a}:repeats", b.pace}})
	r.takeOnce(t.Context(), once{bucket{"{a}:k", pace{1, markLife}}, b, bucket{"{a}:repeats", b.pace}})
	r.take(t.Context(), b)
	r.undoTake(t.Context(), b)
	release, ok := newLeases(r).open(t.Context(), "a", 5)
	if !ok {
		t.Fatal("no lease")
	}
	defer release()
	keys, err := rdb.Keys(t.Context(), r.prefix+"*").Result()
	if err != nil || len(keys) != 4 {
		t.Fatalf("%q, %v", keys, err)
	}
	for _, key := range keys {
		if ttl := rdb.PTTL(t.Context(), key).Val(); ttl <= 0 || ttl > markLife {
			t.Errorf("%s lives for %v", key, ttl)
		}
	}
}

// No limit outlasts its own window, although it was used while Redis' clock was an hour ahead.
func TestCounter_OutlastsNoWindow(t *testing.T) {
	t.Parallel()
	rdb := openRedis(t, dbtest.RedisURL(t))
	r := counters(t, rdb, 1)[0]
	b := bucket{"{a}", pace{3, 100 * time.Millisecond}}
	ahead := func(key string) {
		t.Helper()
		dbtest.Must(t, rdb.Set(t.Context(), r.prefix+key, time.Now().Add(time.Hour).UnixMicro(), 2*time.Hour).Err())
	}
	for name, take := range map[string]func() time.Duration{
		"always": func() time.Duration { return r.take(t.Context(), b) },
		"once": func() time.Duration {
			return r.count(t.Context(), once{bucket{"{a}:" + rand.Text(), pace{1, markLife}}, b, b})
		},
	} {
		ahead(b.key)
		if wait := take(); wait <= 0 || wait > b.every {
			t.Errorf("%s: it waits for %v, want %v at most", name, wait, b.every)
		}
		dbtest.Within(t, 10*time.Second, name+" passes again", func() bool { return take() == 0 })
	}
	l := newLeases(r)
	lost := redis.Z{Score: float64(time.Now().Add(time.Hour).UnixMilli()), Member: "of a process that died"}
	dbtest.Must(t, rdb.ZAdd(t.Context(), l.key("ann"), lost).Err())
	release, ok := l.open(t.Context(), "ann", 1)
	if !ok {
		t.Fatal("a stream that ended an hour ahead counts")
	}
	release()
}

// While Redis cannot count, each process counts for itself, and says so once.
func TestCounter_CountsInMemoryWithoutRedis(t *testing.T) {
	t.Parallel()
	server := dbtest.PrivateRedis(t)
	rdb := openRedis(t, server.URL)
	var written lockedText
	r := newCounter(rdb, "x:", slog.New(slog.NewTextHandler(&written, nil)))
	b := bucket{"{a}", hourly}
	check := func(why string) {
		t.Helper()
		if got := passed(t, []*counter{r}, 50, func(of *counter, _ int) time.Duration {
			return of.take(t.Context(), b)
		}); got != 7 {
			t.Errorf("%s: %d passed, want 7", why, got)
		}
		if release, ok := newLeases(r).open(t.Context(), "a", 1); !ok {
			t.Errorf("%s: no stream", why)
		} else {
			release()
		}
		r.memory = newMemory()
	}
	dbtest.Must(t, rdb.ConfigSet(t.Context(), "maxmemory", "1").Err())
	check("Redis has no memory")
	server.Kill()
	check("Redis is gone")
	if n := strings.Count(written.String(), "level=WARN"); n != 1 {
		t.Errorf("%d warnings:\n%s", n, written.String())
	}
}

// A crowd costs fewer round trips than it has people.
func TestBatcher_SendsACrowdTogether(t *testing.T) {
	t.Parallel()
	rdb := openRedis(t, dbtest.RedisURL(t))
	trips := &roundTrips{}
	rdb.AddHook(trips)
	r := counters(t, rdb, 1)[0]
	got := passed(t, []*counter{r}, 1000, func(of *counter, i int) time.Duration {
		return of.take(t.Context(), bucket{"{" + strconv.Itoa(i) + "}", hourly})
	})
	if n := trips.n.Load(); got != 1000 || n > 500 {
		t.Errorf("%d passed in %d round trips", got, n)
	}
}
