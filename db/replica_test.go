package db

import (
	"errors"
	"testing"
	"time"

	"lunchgo/app/guests"
	"lunchgo/app/keyset"
	"lunchgo/app/reports"
	"lunchgo/db/dbtest"
	"lunchgo/db/embedded"
)

// replicated is a harness with a replica of which it reads where a read came from.
type replicated struct {
	*harness
	server  *embedded.Server // the replica's
	changes chan error
}

func setupReplicated(t *testing.T) replicated {
	t.Helper()
	primary := dbtest.PrivatePostgres(t)
	if err := migrated(primary.URL); err != nil {
		t.Fatal(err)
	}
	r := replicated{server: dbtest.Replica(t, primary), changes: make(chan error, 100)}
	db := openTest(t, Config{URL: primary.URL, ReplicaURL: r.server.URL, ReplicaChanged: func(err error) { r.changes <- err }})
	r.harness = newHarness(db, primary.URL)
	r.open(t, testRestaurant())
	return r
}

// fromReplica says whether what may be old is read from the replica now.
func (r replicated) fromReplica(t *testing.T) (yes bool) {
	t.Helper()
	if err := r.readOld(t.Context(), func(db *DB) error {
		return db.get(t.Context(), &yes, `SELECT pg_is_in_recovery()`)
	}); err != nil {
		t.Fatalf("a reader is refused: %v", err)
	}
	return yes
}

// What may be old is read from the replica while it follows, and from the primary when it does not; everything else is read
// from the primary.
func TestReplica_ReadsWhatMayBeOld(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it starts two PostgreSQL")
	}
	r := setupReplicated(t)
	until(t, "the replica is read from", func() bool { return r.fromReplica(t) })
	r.readsOfStaff(t)
	for _, query := range []string{listAllGuests, listCells} {
		if r.replica.db.statements.find(query) == nil || r.statements.find(query) != nil {
			t.Errorf("not read from the replica: %s", query)
		}
	}
	var elsewhere bool
	if err := r.get(t.Context(), &elsewhere, `SELECT pg_is_in_recovery()`); err != nil || elsewhere {
		t.Errorf("what must not be old is read from the replica: %v", err)
	}
	r.standsStill(t)
	r.server.Kill()
	until(t, "the primary is read from", func() bool { return !r.fromReplica(t) && len(r.changes) == 1 })
	r.readsOfStaff(t)
}

// standsStill stops the replica, which is left within the second, and lets it go on.
func (r replicated) standsStill(t *testing.T) {
	t.Helper()
	if err := r.replica.db.exec(t.Context(), `SELECT pg_wal_replay_pause()`); err != nil {
		t.Fatal(err)
	}
	for begun := time.Now(); r.fromReplica(t); r.diners(t, 1, 0) {
		if time.Since(begun) > replicaMaxAge+slack {
			t.Fatal("the replica is read from that is behind")
		}
	}
	until(t, "it is said that the replica is behind", func() bool {
		r.diners(t, 1, 0)
		return !r.fromReplica(t) && len(r.changes) > 0
	})
	if err := <-r.changes; !errors.Is(err, errReplicaBehind) {
		t.Errorf("got %v, want %v", err, errReplicaBehind)
	}
	if err := r.replica.db.exec(t.Context(), `SELECT pg_wal_replay_resume()`); err != nil {
		t.Fatal(err)
	}
	until(t, "the replica is read from again", func() bool { return r.fromReplica(t) })
	if err := <-r.changes; err != nil {
		t.Errorf("got %v, want nil", err)
	}
}

// readsOfStaff makes the reports and the list of guests.
func (h *harness) readsOfStaff(t *testing.T) {
	t.Helper()
	filter := reports.Filter{Period: reports.Period{From: "2040-05-01", To: "2040-05-31"}, Weekday: -1}
	if _, err := NewReportStore(h.DB).ReadFacts(t.Context(), h.restaurant, filter); err != nil {
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
