package favourites_test

import (
	"errors"
	"sync"
	"testing"

	"lunchgo/app/favourites"
	"lunchgo/app/keyset"
	"lunchgo/db/dbtest"
	dbfavourites "lunchgo/db/favourites"
	"lunchgo/db/testkit"
)

// saversAtOnce is how often a diner saves at once.
const saversAtOnce = 6

// saveAtOnce has a diner, who can save one restaurant, save two at two servers, each several times at once, and returns
// how many are saved.
func saveAtOnce(t *testing.T, h *testkit.Harness) int {
	t.Helper()
	diner, ids := h.Diners(t, 1, 0)[0], []int64{h.Restaurant.ID, h.AnotherRestaurant(t)}
	var all sync.WaitGroup
	for i := range saversAtOnce {
		store := dbfavourites.NewStore(h.Instance(t))
		store.Most = 1
		all.Go(func() {
			if err := store.Save(t.Context(), diner, ids[i%2]); err != nil && !errors.Is(err, favourites.ErrTooMany) {
				t.Error(err)
			}
		})
	}
	all.Wait()
	saved, err := dbfavourites.NewStore(h.Pool).List(t.Context(), diner, keyset.Request{})
	dbtest.Must(t, err)
	return len(saved.Items)
}

// A diner saves no more than they can, however many at once, and each once.
func TestFavourites_AreBounded(t *testing.T) {
	t.Parallel()
	if n := saveAtOnce(t, testkit.Setup(t)); n != 1 {
		t.Errorf("%d are saved", n)
	}
}

// Control: without the lock of the account both are saved.
func TestFavourites_WithoutLockOfTheAccount(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	h.Weaken(dbfavourites.LockSaver, dbtest.Replacing("FOR NO KEY UPDATE", ""))
	h.Weaken(dbfavourites.InsertFavourite, dbtest.Meeting(saversAtOnce))
	if n := saveAtOnce(t, h); n != 2 {
		t.Errorf("%d are saved: the test above proves nothing", n)
	}
}
