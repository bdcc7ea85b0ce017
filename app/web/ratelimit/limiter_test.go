package ratelimit

import (
	"strconv"
	"testing"
	"testing/synctest"
	"time"
)

func TestAKeyHasABurstAndThenAPace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(pace{burst: 3, every: 10 * time.Second})
		for try := range 3 {
			if wait := l.take("key"); wait != 0 {
				t.Fatalf("try %d waits for %v", try+1, wait)
			}
		}
		if wait := l.take("key"); wait != 10*time.Second {
			t.Errorf("the fourth waits for %v, want 10 s", wait)
		}
		if wait := l.take("another"); wait != 0 {
			t.Errorf("another key waits for %v", wait)
		}
		time.Sleep(4 * time.Second)
		if wait := l.take("key"); wait != 6*time.Second {
			t.Errorf("it waits for %v, want 6 s", wait)
		}
		time.Sleep(6 * time.Second)
		if wait := l.take("key"); wait != 0 {
			t.Errorf("after the returned time it waits for %v", wait)
		}
		if wait := l.take("key"); wait == 0 {
			t.Error("one more is allowed, not two")
		}
		l.giveBack("key")
		if wait := l.take("key"); wait != 0 {
			t.Errorf("a try that was given back waits for %v", wait)
		}
		l.forget("key")
		for range 3 {
			if wait := l.take("key"); wait != 0 {
				t.Errorf("after all is forgotten it waits for %v", wait)
			}
		}
	})
}

func TestMemoryIsBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(pace{burst: 1, every: time.Minute})
		l.most = 100
		for i := range 10_000 {
			l.take(strconv.Itoa(i))
			if len(l.free) > l.most {
				t.Fatalf("%d keys are remembered, want %d at most", len(l.free), l.most)
			}
		}
		if len(l.free) < l.most/2 {
			t.Errorf("only %d keys are remembered", len(l.free))
		}
		time.Sleep(time.Minute)
		l.free = map[uint64]time.Time{}
		for i := range l.most {
			l.take(strconv.Itoa(i))
		}
		time.Sleep(time.Minute)
		l.take("one more")
		if len(l.free) != 1 {
			t.Errorf("%d keys are remembered, want only the one that still waits", len(l.free))
		}
	})
}

func TestAnOfficeSignsInWithinAMinute(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(perAddress)
		for person := range 200 {
			if wait := l.take("one address"); wait != 0 {
				t.Fatalf("person %d, who mistypes, waits for %v", person+1, wait)
			}
		}
	})
}
