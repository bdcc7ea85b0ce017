package waiting

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"lunchgo/db/dbtest"
)

func TestSemaphore_LetsPeopleInInOrder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := newSemaphore(1, time.Minute)
		dbtest.Must(t, d.acquire(t.Context(), ""))
		var order []int
		for i := range 20 {
			go func() {
				if err := d.acquire(t.Context(), ""); err != nil {
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
		dbtest.Must(t, d.acquire(t.Context(), ""))
		began := time.Now()
		if err := d.acquire(t.Context(), ""); !errors.Is(err, ErrCrowded) || time.Since(began) != 6*time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := d.acquire(ctx, ""); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v, want the end of its time", err)
		}
		d.release()
		if err := d.acquire(t.Context(), ""); err != nil {
			t.Errorf("it stays taken: %v", err)
		}
	})
}

// Whoever has waited in vain goes before those who came after their first time. The control: somebody of whom that is
// not known goes behind them, and so does one who comes back too late, or who was let in meanwhile.
func TestSemaphore_WhoWaitedInVainGoesFirst(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		again string
		after time.Duration
		want  string
	}{
		"comes back":     {"early", 3 * time.Second, "early late"},
		"is not known":   {"another", 3 * time.Second, "late another"},
		"comes too late": {"early", refusalLife, "late early"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newSemaphore(1, 6*time.Second)
				dbtest.Must(t, s.acquire(t.Context(), "inside"))
				if err := s.acquire(t.Context(), "early"); !errors.Is(err, ErrCrowded) {
					t.Fatalf("waited in vain: %v", err)
				}
				time.Sleep(test.after)
				var order []string
				for _, who := range []string{"late", test.again} {
					go func() {
						if err := s.acquire(t.Context(), who); err != nil {
							t.Error(err)
						}
						order = append(order, who) // one at a time is inside
						s.release()
					}()
					synctest.Wait()
				}
				s.release()
				synctest.Wait()
				if got := strings.Join(order, " "); got != test.want {
					t.Errorf("came in as %q, want %q", got, test.want)
				}
				if len(s.refused) != 0 && test.again == "early" {
					t.Errorf("%d refusals are still known", len(s.refused))
				}
			})
		})
	}
}

// A crowd takes 20 s to get in, and each waits 6 s and comes again after 3 s. Newcomers keep coming. Everybody gets in
// in about the order of their first time, and nobody has to come more than four times. The control: without memory
// somebody does.
func TestSemaphore_NobodyIsRefusedForEver(t *testing.T) {
	t.Parallel()
	if tries := mostTries(t, func(who string, _ int) string { return who }); tries > 4 {
		t.Errorf("somebody came %d times", tries)
	}
	if tries := mostTries(t, func(who string, try int) string { return fmt.Sprint(who, try) }); tries <= 4 {
		t.Errorf("without memory nobody came more than %d times", tries)
	}
}

// mostTries lets 200 people in, each for 100 ms, and then as many newcomers as get in, for a minute. It returns how
// often one of the first had to come.
func mostTries(t *testing.T, name func(who string, try int) string) (most int) {
	synctest.Test(t, func(t *testing.T) {
		s := newSemaphore(1, 6*time.Second)
		var crowd sync.WaitGroup
		var mu sync.Mutex
		person := func(who string, counts bool) {
			for try := 1; ; try++ {
				if s.acquire(t.Context(), name(who, try)) != nil {
					time.Sleep(3 * time.Second)
					continue
				}
				time.Sleep(100 * time.Millisecond)
				s.release()
				mu.Lock()
				defer mu.Unlock()
				if counts {
					most = max(most, try)
				}
				return
			}
		}
		for i := range 200 {
			crowd.Go(func() { person(fmt.Sprint("first ", i), true) })
		}
		for i := range 600 {
			time.Sleep(100 * time.Millisecond)
			crowd.Go(func() { person(fmt.Sprint("newcomer ", i), false) })
		}
		crowd.Wait()
	})
	return most
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
		if status := awaitResult(t, w); status.State != Reserved {
			t.Errorf("got %+v", status)
		}
		w.Close()
	}
	if order := h.handler.arrivals(); len(order) != crowd || !slices.IsSorted(order) {
		t.Errorf("served %d, in order: %v", len(order), slices.IsSorted(order))
	}
}
