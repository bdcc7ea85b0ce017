package closing_test

import (
	"sync"
	"testing"
	"time"

	"lunchgo/app/closing"
	dbclosing "lunchgo/db/closing"
	"lunchgo/db/dbtest"
	"lunchgo/db/pg"
	"lunchgo/db/testkit"
)

// takenAtOnce has two instances take the cancellations of a closed day, both of which have read what is due before one
// of them writes, and returns how many they took in all.
func takenAtOnce(t *testing.T, take func(string) string, await int) (taken int) {
	t.Helper()
	h := testkit.Setup(t)
	at := h.StartingIn(72 * time.Hour)
	for range 3 {
		h.Confirmed(t, at)
	}
	h.MustExec(t, `INSERT INTO closures (restaurant_id, closed_on) VALUES ($1, $2)`, at.RestaurantID, string(at.Date))
	order := closing.Order{RestaurantID: at.RestaurantID, Hours: closing.Hours{Date: at.Date},
		StaffID: h.Person(t).ID, Now: time.Now()}
	dbtest.Must(t, dbclosing.NewStore(h.Pool).Note(t.Context(), order))
	holder, err := h.SQL().BeginTxx(t.Context(), nil)
	dbtest.Must(t, err)
	defer func() { _ = holder.Rollback() }()
	if await > 0 {
		_, err = holder.ExecContext(t.Context(), `SELECT FROM day_cancellations FOR UPDATE`)
		dbtest.Must(t, err)
	}
	var mu sync.Mutex
	var taking sync.WaitGroup
	for range 2 {
		instance := testkit.OpenAt(t, pg.Config{URL: h.URL})
		instance.Weaken(dbclosing.TakeDayCancellations, take)
		taking.Go(func() {
			tasks, err := dbclosing.NewStore(instance).Take(t.Context(), 0, time.Now(), 10)
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			taken += len(tasks)
		})
	}
	dbtest.AwaitLocks(t, h.SQL(), await)
	dbtest.Must(t, holder.Rollback())
	taking.Wait()
	return taken
}

func TestTakeDayCancellations_OnceByTwoInstances(t *testing.T) {
	t.Parallel()
	if n := takenAtOnce(t, dbtest.Intact, 0); n != 3 {
		t.Errorf("%d were taken, want each of 3 once", n)
	}
}

func TestTakeDayCancellations_TwiceWithoutTheirLock(t *testing.T) {
	t.Parallel()
	if n := takenAtOnce(t, dbtest.Replacing("FOR UPDATE OF c SKIP LOCKED", ""), 2); n != 6 {
		t.Errorf("%d were taken, want each of 3 twice: the test above proves nothing", n)
	}
}
