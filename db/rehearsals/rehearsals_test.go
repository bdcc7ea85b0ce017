package rehearsals_test

import (
	"errors"
	"fmt"
	"strconv"
	"sync"
	"testing"
	"time"

	"lunchgo/app/receipt"
	"lunchgo/app/rehearsal"
	"lunchgo/db/dbtest"
	"lunchgo/db/linelog"
	"lunchgo/db/rehearsals"
	"lunchgo/db/testkit"
)

// One rehearsal of a restaurant runs, however many begin at once; without the lock several do.
func TestRehearsals_OneAtATime(t *testing.T) {
	t.Parallel()
	for name, guarded := range map[string]bool{"guarded": true, "control": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := testkit.Setup(t)
			by := h.Diners(t, 1, 0)[0]
			together := dbtest.Meeting(2)
			if guarded {
				h.Weaken(rehearsals.LockRehearsals, together)
			} else {
				h.Weaken(rehearsals.LockRehearsals, dbtest.Instead(`SELECT 1`))
				h.Weaken(rehearsals.InsertRehearsal, together)
			}
			errs := make([]error, 2)
			var both sync.WaitGroup
			for i := range errs {
				both.Go(func() {
					_, errs[i] = rehearsals.NewStore(h.Pool, h.Slots).Begin(t.Context(),
						rehearsal.Start{RestaurantID: h.Restaurant.ID, By: by,
							Life: time.Minute, AnHour: 9, AtATime: 2})
				})
			}
			both.Wait()
			if guarded && !errors.Is(errors.Join(errs...), rehearsal.ErrRunning) {
				t.Errorf("%v", errs)
			}
			want := map[bool]int{true: 1, false: 2}[guarded]
			if n := h.Count(t, `SELECT count(*) FROM rehearsals`); n != want {
				t.Errorf("%d run, want %d; %v", n, want, errs)
			}
		})
	}
}

// So many rehearsals run in the installation, of whatever restaurants.
func TestRehearsals_SoManyInTheInstallation(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	s, by := rehearsals.NewStore(h.Pool, h.Slots), h.Diners(t, 1, 0)[0]
	for n := range 3 {
		r := h.Restaurant
		r.Slug = "house-" + strconv.Itoa(n)
		id, err := h.Seeds.PutRestaurant(t.Context(), r, nil)
		dbtest.Must(t, err)
		_, err = s.Begin(t.Context(), rehearsal.Start{RestaurantID: id, By: by, Life: time.Minute, AnHour: 9,
			AtATime: 2})
		if want := map[bool]error{true: rehearsal.ErrElsewhere}[n == 2]; !errors.Is(err, want) {
			t.Errorf("restaurant %d: %v, want %v", n, err, want)
		}
	}
}

// A restaurant has so many in an hour, and what a process that died has left goes, whatever it had made by then. Its
// line's log is not stored, before or after that.
func TestRehearsals_LimitAndLease(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	s := rehearsals.NewStore(h.Pool, h.Slots)
	by := h.Diners(t, 1, 0)[0]
	start := rehearsal.Start{RestaurantID: h.Restaurant.ID, By: by, AnHour: 2, AtATime: 2} // the lease ends at once
	copied := rehearsal.Copy{Of: h.Restaurant.ID, Restaurant: h.Restaurant,
		Plan: rehearsal.Plan{Date: "2030-01-04", Time: "19:00", Guests: 5}}
	users, dishes := h.Count(t, `SELECT count(*) FROM users`), h.Count(t, `SELECT count(*) FROM menu_items`)
	part := receipt.Part{LogID: "L", Entries: []string{"e"}}
	for range 2 {
		id, err := s.Begin(t.Context(), start)
		dbtest.Must(t, err)
		stage, err := s.Open(t.Context(), id, copied)
		if err != nil || len(stage.Guests) != 5 || stage.Slot.Time != "19:00" || len(stage.Menu) != dishes {
			t.Fatalf("%+v, %v", stage, err)
		}
		// it died before it noted that
		h.MustExec(t, `UPDATE rehearsals SET shadow_id = NULL WHERE id = $1 AND shadow_id % 2 = 0`, id)
		part.Line = fmt.Sprintf("r%d-2030-01-04-1900", stage.Slot.RestaurantID)
	}
	if _, err := s.Begin(t.Context(), start); !errors.Is(err, rehearsal.ErrTooMany) {
		t.Errorf("a third in an hour: %v", err)
	}
	if n := h.Count(t, `SELECT count(*) FROM users`); n != users {
		t.Errorf("%d users, %d before", n, users)
	}
	if n := h.Count(t, `SELECT count(*) FROM restaurants WHERE shadow`); n != 0 {
		t.Errorf("%d copies are left", n)
	}
	h.MustExec(t, `UPDATE rehearsals SET shadow_id = substring($1 FROM 2 FOR strpos($1, '-') - 2)::bigint`, part.Line)
	logs := linelog.NewStore(h.Pool)
	for line, want := range map[string]int{part.Line: 0, fmt.Sprintf("r%d-2030-01-04-1900", h.Restaurant.ID): 1,
		"coupon-5": 1} {
		part := part
		part.Line = line
		dbtest.Must(t, logs.StorePart(t.Context(), part))
		if n := h.Count(t, `SELECT count(*) FROM line_log_entries WHERE line = $1`, line); n != want {
			t.Errorf("%d entries of %s, want %d", n, line, want)
		}
	}
}
