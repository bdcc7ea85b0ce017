package db

import (
	"errors"
	"sync"
	"testing"
	"time"

	"lunchgo/app/rehearsal"
)

// One rehearsal runs in the installation, however many begin at once; without the lock several do.
func TestRehearsals_OneAtATime(t *testing.T) {
	t.Parallel()
	for name, guarded := range map[string]bool{"guarded": true, "control": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := setup(t)
			by := h.diners(t, 1, 0)[0]
			together := meeting(2)
			if guarded {
				h.weakenGuard(lockRehearsals, together)
			} else {
				h.weakenGuard(lockRehearsals, instead(`SELECT 1`))
				h.weakenGuard(insertRehearsal, together)
			}
			errs := make([]error, 2)
			var both sync.WaitGroup
			for i := range errs {
				both.Go(func() {
					_, errs[i] = NewRehearsalStore(h.DB).Begin(t.Context(), rehearsal.Start{RestaurantID: h.restaurant.ID, By: by, Life: time.Minute, AnHour: 9})
				})
			}
			both.Wait()
			if guarded && !errors.Is(errors.Join(errs...), rehearsal.ErrRunning) {
				t.Errorf("%v", errs)
			}
			want := map[bool]int{true: 1, false: 2}[guarded]
			if n := h.count(t, `SELECT count(*) FROM rehearsals`); n != want {
				t.Errorf("%d run, want %d; %v", n, want, errs)
			}
		})
	}
}

// A restaurant has so many in an hour, and one whose process died ends with its lease.
func TestRehearsals_LimitAndLease(t *testing.T) {
	t.Parallel()
	h := setup(t)
	s := NewRehearsalStore(h.DB)
	start := rehearsal.Start{RestaurantID: h.restaurant.ID, By: h.diners(t, 1, 0)[0], AnHour: 2} // the lease ends at once
	users := h.count(t, `SELECT count(*) FROM users`)
	for range 2 {
		id, err := s.Begin(t.Context(), start)
		if err != nil {
			t.Fatal(err)
		}
		if stage, err := s.Open(t.Context(), id, h.restaurant, 5); err != nil || len(stage.Guests) != 5 {
			t.Fatalf("%+v, %v", stage, err)
		}
	}
	if _, err := s.Begin(t.Context(), start); !errors.Is(err, rehearsal.ErrTooMany) {
		t.Errorf("a third in an hour: %v", err)
	}
	if n := h.count(t, `SELECT count(*) FROM users`); n != users {
		t.Errorf("%d users, %d before", n, users)
	}
	if n := h.count(t, `SELECT count(*) FROM restaurants WHERE shadow`); n != 0 {
		t.Errorf("%d copies are left", n)
	}
}
