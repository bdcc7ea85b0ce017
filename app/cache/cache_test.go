package cache_test

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"lunchgo/app/cache"
)

func TestLoad_OneFetchForACrowd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := cache.Cache[string, int]{Life: time.Second, Most: 10}
		var fetched atomic.Int32
		fetch := func(context.Context) (int, error) {
			time.Sleep(100 * time.Millisecond)
			return int(fetched.Add(1)), nil
		}
		var crowd sync.WaitGroup
		for range 100 {
			crowd.Go(func() {
				if got, err := c.Load(t.Context(), "k", fetch); got != 1 || err != nil {
					t.Errorf("got %d, %v", got, err)
				}
			})
		}
		crowd.Wait()
		time.Sleep(time.Second)
		if got, _ := c.Load(t.Context(), "k", fetch); got != 2 {
			t.Errorf("a second later it is %d, want it fetched anew", got)
		}
		c.Forget("k")
		if got, _ := c.Load(t.Context(), "k", fetch); got != 3 {
			t.Errorf("forgotten it is %d, want it fetched anew", got)
		}
	})
}

func TestLoad_FetchOutlivesItsCaller(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := cache.Cache[string, int]{Life: time.Second, Most: 10}
		ctx, leave := context.WithCancel(t.Context())
		go c.Load(ctx, "k", func(ctx context.Context) (int, error) {
			time.Sleep(time.Second)
			return 7, ctx.Err()
		})
		synctest.Wait()
		leave()
		got, err := c.Load(t.Context(), "k", nil)
		if got != 7 || err != nil {
			t.Errorf("the one who waits gets %d, %v", got, err)
		}
	})
}

func TestLoad_ErrorsAreNotKept(t *testing.T) {
	t.Parallel()
	c := cache.Cache[string, int]{Life: time.Hour, Most: 10}
	away := errors.New("away")
	if _, err := c.Load(t.Context(), "k", func(context.Context) (int, error) { return 0, away }); err != away {
		t.Errorf("err = %v, want %v", err, away)
	}
	if got, err := c.Load(t.Context(), "k", func(context.Context) (int, error) { return 1, nil }); got != 1 ||
		err != nil {
		t.Errorf("then %d, %v", got, err)
	}
}

func TestLoad_KeepsAtMostMost(t *testing.T) {
	t.Parallel()
	c := cache.Cache[int, string]{Life: time.Hour, Most: 8}
	fetched := 0
	load := func(n int) {
		_, _ = c.Load(t.Context(), n, func(context.Context) (string, error) {
			fetched++
			return strconv.Itoa(n), nil
		})
	}
	for n := range 1000 {
		load(n)
	}
	fetched = 0
	for n := range 1000 {
		load(n)
	}
	if fetched < 1000-8 {
		t.Errorf("%d of 1,000 were fetched anew, want all but the 8 that may be kept", fetched)
	}
}

// A fetch that heeds no deadline keeps nobody longer than Patience, and what it returns at last is dropped.
func TestLoad_HungFetchEndsInTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := cache.Cache[string, int]{Life: time.Hour, Most: 10, Patience: 2 * time.Second}
		began := time.Now()
		var waiters sync.WaitGroup
		for range 10 {
			waiters.Go(func() {
				_, err := c.Load(context.Background(), "k", func(context.Context) (int, error) {
					time.Sleep(time.Minute)
					return 1, nil
				})
				if took := time.Since(began); !errors.Is(err, context.DeadlineExceeded) || took != 2*time.Second {
					t.Errorf("%v after %v", err, took)
				}
			})
		}
		waiters.Wait()
		time.Sleep(time.Minute)
		if got, ok := c.Peek("k"); ok {
			t.Errorf("%d is kept, which came too late", got)
		}
	})
}

func TestLoad_PanicIsAnError(t *testing.T) {
	t.Parallel()
	c := cache.Cache[string, int]{Life: time.Hour, Most: 10}
	if _, err := c.Load(t.Context(), "k", func(context.Context) (int, error) { panic("oh") }); err == nil {
		t.Error("a panic is no error")
	}
	if got, err := c.Load(t.Context(), "k", func(context.Context) (int, error) { return 1, nil }); got != 1 ||
		err != nil {
		t.Errorf("then %d, %v", got, err)
	}
}

var errGone = errors.New("gone")

func staleCache() *cache.Cache[string, int] {
	return &cache.Cache[string, int]{Life: time.Second, Most: 10,
		Stale: &cache.Stale{Ends: func(err error) bool { return errors.Is(err, errGone) }}}
}

func returns(value int, err error) func(context.Context) (int, error) {
	return func(context.Context) (int, error) { return value, err }
}

// While one caller fetches a value anew, the others go on with the old one.
func TestStale_OthersGoOnMeanwhile(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := staleCache()
		_, _ = c.Load(t.Context(), "k", returns(1, nil))
		time.Sleep(time.Second)
		fetched := make(chan int)
		go func() {
			got, _ := c.Load(t.Context(), "k", func(context.Context) (int, error) {
				time.Sleep(100 * time.Millisecond)
				return 2, nil
			})
			fetched <- got
		}()
		synctest.Wait()
		if got, err := c.Load(t.Context(), "k", nil); got != 1 || err != nil {
			t.Errorf("another gets %d, %v, want the old value at once", got, err)
		}
		if got := <-fetched; got != 2 {
			t.Errorf("who fetches gets %d, want the new value", got)
		}
	})
}

// A value that cannot be fetched anew stays for another life, unless the error ends it.
func TestStale_GoesOnWithoutItsSource(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := staleCache()
		_, _ = c.Load(t.Context(), "k", returns(1, nil))
		time.Sleep(time.Second)
		if got, err := c.Load(t.Context(), "k", returns(0, errors.New("away"))); got != 1 || err != nil {
			t.Errorf("while its source is away it is %d, %v", got, err)
		}
		if got, err := c.Load(t.Context(), "k", nil); got != 1 || err != nil {
			t.Errorf("right after that it is %d, %v, want no other fetch", got, err)
		}
		time.Sleep(time.Second)
		if _, err := c.Load(t.Context(), "k", returns(0, errGone)); !errors.Is(err, errGone) {
			t.Errorf("err = %v, want %v", err, errGone)
		}
		if _, ok := c.Peek("k"); ok {
			t.Error("what is gone is kept")
		}
	})
}

// A value that may be stale for a while ends after that, also while fetches fail.
func TestStale_EndsAfterItsTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		away := errors.New("away")
		c := cache.Cache[string, int]{Life: time.Second, Most: 10, Stale: &cache.Stale{For: 2 * time.Second}}
		c.Put("k", 7)
		fail := func(context.Context) (int, error) { return 0, away }
		for age := time.Duration(0); age < 3*time.Second; age += 100 * time.Millisecond {
			if got, err := c.Load(t.Context(), "k", fail); got != 7 || err != nil {
				t.Fatalf("after %v: %d, %v", age, got, err)
			}
			time.Sleep(100 * time.Millisecond)
		}
		if _, err := c.Load(t.Context(), "k", fail); err != away {
			t.Errorf("past its time: %v", err)
		}
	})
}

// What is put while a fetch is under way is newer than what that fetch brings.
func TestPut_CountsMoreThanAFetchUnderWay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := cache.Cache[string, int]{Life: time.Minute, Most: 10}
		slow := func(context.Context) (int, error) {
			time.Sleep(time.Second)
			return 1, nil
		}
		waiting := make(chan int)
		go func() {
			got, _ := c.Load(t.Context(), "k", slow)
			waiting <- got
		}()
		synctest.Wait()
		c.Put("k", 2)
		if got := <-waiting; got != 2 {
			t.Errorf("who waits gets %d", got)
		}
		time.Sleep(2 * time.Second)
		if got, _ := c.Load(t.Context(), "k", nil); got != 2 {
			t.Errorf("in the end it is %d", got)
		}
	})
}

// What is amended is no younger than before; a fetch under way, which began before, is not kept.
func TestAmend_LeavesTheAge(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := cache.Cache[string, int]{Life: time.Minute, Most: 10}
		next := 0
		fetch := func(context.Context) (int, error) {
			time.Sleep(time.Second)
			next++
			return next, nil
		}
		load := func() int {
			got, err := c.Load(t.Context(), "k", fetch)
			if err != nil {
				t.Error(err)
			}
			return got
		}
		add := func(n int) int { return n + 10 }
		c.Amend("k", add) // nothing is known
		if got := load(); got != 1 {
			t.Fatalf("first %d", got)
		}
		time.Sleep(50 * time.Second)
		if c.Amend("k", add); load() != 11 {
			t.Errorf("amended it is %d", load())
		}
		time.Sleep(20 * time.Second)
		waiting := make(chan int)
		go func() { waiting <- load() }()
		synctest.Wait()
		c.Amend("k", add)
		if got, then := <-waiting, load(); got != 2 || then != 3 {
			t.Errorf("who waits gets %d, the next one %d", got, then)
		}
	})
}
