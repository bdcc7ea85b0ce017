package db_test

import (
	"errors"
	"strconv"
	"sync"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/db"
	"lunchgo/db/dbtest"
)

// companionsAtOnce is how many companions say something at once.
const companionsAtOnce = 8

// sayAtOnce has more companions of a party of five say something than come along, at two servers at once, and returns
// how many were stored, and how many said it in vain.
func (h *harness) sayAtOnce(t *testing.T) (stored, refused int) {
	t.Helper()
	visit, _ := h.Visit(t, "18:00")
	h.MustExec(t, `UPDATE reservations SET party_size = 5, state = 'confirmed' WHERE id = $1`, visit)
	servers := []*db.ReservationStore{db.NewReservationStore(h.Instance(t)), db.NewReservationStore(h.Instance(t))}
	var mu sync.Mutex
	var all sync.WaitGroup
	for i := range companionsAtOnce {
		all.Go(func() {
			err := servers[i%2].AddCompanion(t.Context(), visit, booking.Companion{Allergies: strconv.Itoa(i)})
			mu.Lock()
			defer mu.Unlock()
			switch {
			case errors.Is(err, booking.ErrCompanionsFull):
				refused++
			case err != nil:
				t.Error(err)
			}
		})
	}
	all.Wait()
	res, err := h.Reservations.Find(t.Context(), visit)
	dbtest.Must(t, err)
	return len(res.Companions), refused
}

// What companions say at once is all stored, of as many as come along.
func TestCompanions_SayAllAtOnce(t *testing.T) {
	t.Parallel()
	if stored, refused := setup(t).sayAtOnce(t); stored != 4 || refused != 4 {
		t.Errorf("%d stored, %d refused", stored, refused)
	}
}

// Control: without the lock of the reservation some overwrite what others have said.
func TestCompanions_WithoutLock(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Weaken(db.LockReservation, dbtest.Replacing("FOR UPDATE OF r", ""))
	h.Weaken(db.StoreCompanions, dbtest.Meeting(companionsAtOnce))
	if stored, refused := h.sayAtOnce(t); stored != 1 || refused != 0 {
		t.Errorf("%d stored, %d refused: the test above proves nothing", stored, refused)
	}
}
