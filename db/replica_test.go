package db

import (
	"errors"
	"testing"
	"time"

	"lunchgo/app/guests"
	"lunchgo/app/keyset"
	"lunchgo/app/reports"
	"lunchgo/db/dbtest"
)

// What may be old is read from the replica while it follows, and from the primary when it does not; everything else is read
// from the primary.
func TestReplica_ReadsWhatMayBeOld(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it starts two PostgreSQL")
	}
	primary := dbtest.PrivatePostgres(t)
	if err := migrated(primary.URL); err != nil {
		t.Fatal(err)
	}
	replica := dbtest.Replica(t, primary)
	changes := make(chan error, 100)
	h := newHarness(openTest(t, Config{URL: primary.URL, ReplicaURL: replica.URL, ReplicaChanged: func(err error) { changes <- err }}),
		primary.URL)
	h.open(t, testRestaurant())
	var inRecovery, other int
	read := func(db *DB) error {
		return db.get(t.Context(), &inRecovery, `SELECT pg_is_in_recovery()::int`)
	}
	until(t, "the replica is read from", func() bool { return h.readOld(t.Context(), read) == nil && inRecovery == 1 })
	if err := h.get(t.Context(), &other, `SELECT pg_is_in_recovery()::int`); err != nil || other != 0 {
		t.Errorf("what must not be old is read from the replica: %v", err)
	}
	h.readsOfStaff(t)

	// A replica that stands still is left within the second.
	if err := h.replica.db.exec(t.Context(), `SELECT pg_wal_replay_pause()`); err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	for h.readOld(t.Context(), read); inRecovery == 1; h.readOld(t.Context(), read) {
		h.diners(t, 1, 0)
		if time.Since(begun) > replicaMaxAge+slack {
			t.Fatal("the replica is read from that is behind")
		}
	}
	until(t, "it is said that the replica is behind", func() bool {
		h.diners(t, 1, 0)
		_ = h.readOld(t.Context(), read)
		return len(changes) > 0
	})
	if err := <-changes; !errors.Is(err, errReplicaBehind) {
		t.Errorf("got %v, want %v", err, errReplicaBehind)
	}
	if err := h.replica.db.exec(t.Context(), `SELECT pg_wal_replay_resume()`); err != nil {
		t.Fatal(err)
	}
	until(t, "the replica is read from again", func() bool { return h.readOld(t.Context(), read) == nil && inRecovery == 1 })
	if err := <-changes; err != nil {
		t.Errorf("got %v, want nil", err)
	}

	replica.Kill()
	until(t, "the primary is read from", func() bool {
		if err := h.readOld(t.Context(), read); err != nil {
			t.Fatalf("a reader is refused because the replica is away: %v", err)
		}
		return inRecovery == 0 && len(changes) == 1
	})
	h.readsOfStaff(t)
}

// readsOfStaff makes the reports and the list of guests.
func (h *harness) readsOfStaff(t *testing.T) {
	t.Helper()
	if _, err := NewReportStore(h.DB).ReadFacts(t.Context(), h.restaurant, reports.Filter{Period: reports.Period{From: "2040-05-01", To: "2040-05-31"}, Weekday: -1}); err != nil {
		t.Error(err)
	}
	if _, err := NewGuestStore(h.DB).ListGuests(t.Context(), h.restaurant.ID, guests.Search{}, keyset.Request{}); err != nil {
		t.Error(err)
	}
}

// until waits for something that comes by itself.
func until(t *testing.T, what string, met func() bool) {
	t.Helper()
	for deadline := time.Now().Add(15 * time.Second); !met(); {
		if time.Now().After(deadline) {
			t.Fatalf("not in time: %s", what)
		}
	}
}
