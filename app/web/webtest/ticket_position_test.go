package webtest

import (
	"database/sql"
	"testing"

	"lunchgo/db/dbtest"
)

// Who is being served has a place in the line all the same: the first. A locked table has the turn last.
func TestTicket_PositionWhileTheTurnIsServed(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	unlock := r.lockSlots(t)
	who := r.diner(t, 0)
	first := r.press(t, who, "key-1", "respond-async", r.requestFor(r.slot("19:00"), 2)).want(t, 202, "")
	polled := r.get(t, who, "/api/tickets/"+first.text(t, "ticket")).want(t, 200, "")
	waited := r.press(t, who, "key-1", "wait=0", r.requestFor(r.slot("19:00"), 2)).want(t, 429, "waiting")
	for _, a := range []answer{first, polled, waited} {
		if a.number(t, "position") != 1 || a.number(t, "waitingCount") != 1 {
			t.Errorf("while it is served: %s", a.raw)
		}
	}
	unlock()
	r.press(t, who, "key-1", "wait=10", r.requestFor(r.slot("19:00"), 2)).want(t, 201, "")
}

// lockSlots has every turn last until the returned function is called.
func (r *harness) lockSlots(t *testing.T) (unlock func()) {
	t.Helper()
	pool, err := sql.Open("postgres", r.Setup.Database)
	dbtest.Must(t, err)
	t.Cleanup(func() { pool.Close() })
	tx, err := pool.BeginTx(t.Context(), nil)
	if err == nil {
		_, err = tx.ExecContext(t.Context(), `LOCK TABLE slots IN SHARE MODE`)
	}
	dbtest.Must(t, err)
	return func() { dbtest.Must(t, tx.Rollback()) }
}
