package waiting

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

func TestSemaphore_LetsPeopleInInOrder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := newSemaphore(1, time.Minute)
		if err := d.acquire(t.Context()); err != nil {
			t.Fatal(err)
		}
		var order []int
		for i := range 20 {
			go func() {
				if err := d.acquire(t.Context()); err != nil {
					t.Error(err)
				}
				order = append(order, i) // one at a time is inside
				d.release()
			}()
			synctest.Wait()
		}
		d.release()
		synctest.Wait()
		if len(order) != 20 || !slices.IsSorted(order) {
			t.Errorf("came in as %v", order)
		}
	})
}

func TestSemaphore_RefusesWhoWaitsInVain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := newSemaphore(1, 6*time.Second)
		if err := d.acquire(t.Context()); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		if err := d.acquire(t.Context()); !errors.Is(err, ErrCrowded) || time.Since(began) != 6*time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := d.acquire(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v, want the end of its time", err)
		}
		d.release()
		if err := d.acquire(t.Context()); err != nil {
			t.Errorf("it stays taken: %v", err)
		}
	})
}

func TestSemaphore_ACrowdIsServedTwoAtATime(t *testing.T) {
	t.Parallel()
	const crowd = 100
	h := newHarness(t, crowd)
	room := h.room(Config{MaxConcurrent: 2})
	watches := make(chan *Watch, crowd)
	for i := range crowd {
		go func() {
			w, err := room.Enter(t.Context(), request(string(rune('A'+i)), "k"))
			if err != nil {
				t.Error(err)
			}
			watches <- w
		}()
	}
	for range crowd {
		w := <-watches
		if w == nil {
			continue
		}
		if status := resultWithin(t, w, 10*time.Second); status.State != Reserved {
			t.Errorf("got %+v", status)
		}
		w.Close()
	}
	if order := h.handler.arrivals(); len(order) != crowd || !slices.IsSorted(order) {
		t.Errorf("served %d, in order: %v", len(order), slices.IsSorted(order))
	}
}
