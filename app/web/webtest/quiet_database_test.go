package webtest

import (
	"database/sql"
	"sync"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/db/dbtest"
)

// statements counts what a database has been asked since the last call, by PostgreSQL's own account; but for the
// waitlists' slow look for seats, which comes by itself now and then.
type statements struct {
	db *sql.DB
}

func (r *harness) countStatements(t *testing.T) statements {
	t.Helper()
	db, err := sql.Open("postgres", r.Setup.Database)
	dbtest.Must(t, err)
	t.Cleanup(func() { _ = db.Close() })
	if _, err := db.ExecContext(t.Context(), `CREATE EXTENSION pg_stat_statements`); err != nil {
		t.Fatal(err)
	}
	return statements{db}
}

func (s statements) taken(t *testing.T) (calls int, texts string) {
	t.Helper()
	err := s.db.QueryRowContext(t.Context(), `
		SELECT COALESCE(sum(calls), 0), COALESCE(string_agg(query, '; '), '')
		FROM pg_stat_statements
		WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database()) AND query NOT LIKE '%pg_stat_statements%'
			AND query NOT LIKE '%greatest(p.lead_minutes%'
			AND query NOT LIKE '%INTO line_logs%' -- of a line that has ended: stored once, whoever presses`,
	).Scan(&calls, &texts)
	dbtest.Must(t, err)
	_, err = s.db.ExecContext(t.Context(), `
		SELECT pg_stat_statements_reset(0, (SELECT oid FROM pg_database WHERE datname = current_database()), 0)`)
	dbtest.Must(t, err)
	return calls, texts
}

// settle waits until nothing is asked any more.
func (s statements) settle(t *testing.T) {
	t.Helper()
	quiet := 0
	dbtest.Eventually(t, "the last change is in the cache", func() bool {
		calls, _ := s.taken(t)
		if quiet++; calls > 0 {
			quiet = 0
		}
		return quiet == 10
	})
}

// refusals lets diners press on a slot that is sold out.
func (r *harness) refusals(t *testing.T, diners []person, slot booking.SlotKey) {
	t.Helper()
	var all sync.WaitGroup
	for _, who := range diners {
		all.Go(func() { r.press(t, who, "key-1", "wait=10", r.requestFor(slot, 2)).want(t, 409, "sold_out") })
	}
	all.Wait()
}

func TestPress_OnASoldOutSlotCostsNoSQL(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := r.slot("19:00")
	r.seat(t, r.diner(t, 0), slot, 5)
	r.seat(t, r.diner(t, 0), slot, 5)
	known := func() bool {
		o, err := r.Availability.List(t.Context(), slot.RestaurantID, slot.Date)
		return err == nil && o[slot.Time].Remaining() == 0
	}
	dbtest.Eventually(t, "the cache knows", known)
	diners := make([]person, 60)
	for i := range diners {
		diners[i] = r.diner(t, 0)
	}
	r.refusals(t, diners[:1], slot) // so that the nearest open slots are known as well
	database := r.countStatements(t)
	database.settle(t)

	r.refusals(t, diners[1:], slot)
	if calls, texts := database.taken(t); calls != 0 {
		t.Errorf("%d statements for %d refusals: %s", calls, len(diners)-1, texts)
	}

	// Where the cache is lost it is made anew, by one reading for all.
	keys, err := r.Redis.Keys(t.Context(), r.Setup.Config.Prefix+"*availability*").Result()
	if err != nil || len(keys) == 0 {
		t.Fatalf("no cache: %v, %v", keys, err)
	}
	dbtest.Must(t, r.Redis.Del(t.Context(), keys...).Err())
	dbtest.Eventually(t, "the cache is rebuilt", func() bool {
		again, err := r.Redis.Exists(t.Context(), keys...).Result()
		return known() && err == nil && again > 0
	})
	if calls, _ := database.taken(t); calls == 0 {
		t.Error("a lost cache cost no statement either: nothing is counted")
	}
}

func TestPress_OnATakenSeatCostsNoSQL(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	seats, slot := r.openRoom(t), r.slot("19:00")
	r.press(t, r.diner(t, 0), "key-1", "wait=10", r.at(slot, 2, seats["T1"])).want(t, 201, "")
	r.awaitSeat(t, slot, "T1", booking.SeatHeld)
	rivals := r.crowd(t, 60)
	// learns what is near
	r.press(t, rivals[0], "key-1", "wait=10", r.at(slot, 2, seats["T1"])).want(t, 409, "seat_taken")
	database := r.countStatements(t)
	database.settle(t)
	var all sync.WaitGroup
	for _, who := range rivals[1:] {
		all.Go(func() { r.press(t, who, "key-1", "wait=10", r.at(slot, 2, seats["T1"])).want(t, 409, "seat_taken") })
	}
	all.Wait()
	if calls, texts := database.taken(t); calls != 0 {
		t.Errorf("%d statements for %d refusals: %s", calls, len(rivals)-1, texts)
	}
}
