package ratelimit

import (
	"strconv"
	"testing"
	"testing/synctest"
	"time"
)

func TestMemory_ABucketHasABurstAndThenAPace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := newMemory()
		b := bucket{"key", pace{burst: 3, every: 10 * time.Second}}
		for try := range 3 {
			if wait := m.take(b); wait != 0 {
				t.Fatalf("try %d waits for %v", try+1, wait)
			}
		}
		if wait := m.take(b); wait != 10*time.Second {
			t.Errorf("the fourth waits for %v, want 10 s", wait)
		}
		if wait := m.take(bucket{"another", b.pace}); wait != 0 {
			t.Errorf("another key waits for %v", wait)
		}
		time.Sleep(4 * time.Second)
		if wait := m.take(b); wait != 6*time.Second {
			t.Errorf("it waits for %v, want 6 s", wait)
		}
		time.Sleep(6 * time.Second)
		if wait := m.take(b); wait != 0 {
			t.Errorf("after the returned time it waits for %v", wait)
		}
		if wait := m.take(b); wait == 0 {
			t.Error("one more is allowed, not two")
		}
		m.undoTake(b)
		if wait := m.take(b); wait != 0 {
			t.Errorf("a try that was given back waits for %v", wait)
		}
		m.forget(b)
		for range 3 {
			if wait := m.take(b); wait != 0 {
				t.Errorf("after all is forgotten it waits for %v", wait)
			}
		}
	})
}

func TestMemory_IsBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := newMemory()
		m.most = 100
		of := func(i int) bucket { return bucket{strconv.Itoa(i), pace{burst: 1, every: time.Minute}} }
		for i := range 10_000 {
			m.take(of(i))
			if len(m.full) > m.most {
				t.Fatalf("%d keys are remembered, want %d at most", len(m.full), m.most)
			}
		}
		if len(m.full) < m.most/2 {
			t.Errorf("only %d keys are remembered", len(m.full))
		}
		time.Sleep(time.Minute)
		m.full = map[uint64]time.Time{}
		for i := range m.most {
			m.take(of(i))
		}
		time.Sleep(time.Minute)
		m.take(of(-1))
		if len(m.full) != 1 {
			t.Errorf("%d keys are remembered, want only the one that still waits", len(m.full))
		}
	})
}

func TestMemory_AnOfficeSignsInWithinAMinute(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := newMemory()
		for person := range 200 {
			if wait := m.take(bucket{"one address", signInsOfAddress}); wait != 0 {
				t.Fatalf("person %d, who mistypes, waits for %v", person+1, wait)
			}
		}
	})
}
