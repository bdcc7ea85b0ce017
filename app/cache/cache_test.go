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

func TestACrowdCostsOneFetch(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := cache.Cache[string, int]{Life: time.Second, Most: 10}
		var fetched atomic.Int32
		fetch := func(context.Context) (int, error) {
			time.Sleep(100 * time.Millisecond)
			return int(fetched.Add(1)), nil
		}
		var crowd sync.WaitGroup
		for range 100 {
			crowd.Go(func() {
				if got, err := m.Load(t.Context(), "k", fetch); got != 1 || err != nil {
					t.Errorf("got %d, %v", got, err)
				}
			})
		}
		crowd.Wait()
		time.Sleep(time.Second)
		if got, _ := m.Load(t.Context(), "k", fetch); got != 2 {
			t.Errorf("a second later it is %d, want it fetched anew", got)
		}
		m.Forget("k")
		if got, _ := m.Load(t.Context(), "k", fetch); got != 3 {
			t.Errorf("forgotten it is %d, want it fetched anew", got)
		}
	})
}

func TestTheOneWhoFetchesMayLeave(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := cache.Cache[string, int]{Life: time.Second, Most: 10}
		ctx, leave := context.WithCancel(t.Context())
		go m.Load(ctx, "k", func(ctx context.Context) (int, error) {
			time.Sleep(time.Second)
			return 7, ctx.Err()
		})
		synctest.Wait()
		leave()
		got, err := m.Load(t.Context(), "k", nil)
		if got != 7 || err != nil {
			t.Errorf("the one who waits gets %d, %v", got, err)
		}
	})
}

func TestErrorsAreNotKept(t *testing.T) {
	t.Parallel()
	m := cache.Cache[string, int]{Life: time.Hour, Most: 10}
	away := errors.New("away")
	if _, err := m.Load(t.Context(), "k", func(context.Context) (int, error) { return 0, away }); err != away {
		t.Errorf("err = %v, want %v", err, away)
	}
	if got, err := m.Load(t.Context(), "k", func(context.Context) (int, error) { return 1, nil }); got != 1 || err != nil {
		t.Errorf("then %d, %v", got, err)
	}
}

func TestItStaysSmall(t *testing.T) {
	t.Parallel()
	m := cache.Cache[int, string]{Life: time.Hour, Most: 8}
	fetched := 0
	load := func(n int) {
		_, _ = m.Load(t.Context(), n, func(context.Context) (string, error) {
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
