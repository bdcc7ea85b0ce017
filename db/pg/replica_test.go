package pg

import (
	"context"
	"errors"
	"testing"
	"time"

	"lunchgo/app/refusal"
	"lunchgo/db/dbtest"
	"lunchgo/db/embedded"
)

// replicated is a pool with a replica of which it reads where a read came from, and a table of items.
type replicated struct {
	*Pool
	server  *embedded.Server // the replica's
	changes chan error
}

func setupReplicated(t *testing.T) replicated {
	t.Helper()
	primary := dbtest.PrivatePostgres(t)
	r := replicated{server: dbtest.Replica(t, primary), changes: make(chan error, 100)}
	r.Pool = openTest(t, Config{URL: primary.URL, ReplicaURL: r.server.URL, ReplicaChanged: func(err error) {
		r.changes <- err
	}})
	r.replica.brief = dbtest.Patience // a replica that hangs is another test's
	dbtest.Must(t, r.Exec(t.Context(), `CREATE TABLE items (number bigint)`))
	return r
}

// fromReplica says whether long readings are done at the replica now.
func (r replicated) fromReplica(t *testing.T) (yes bool) {
	t.Helper()
	if err := r.ReadReplica(t.Context(), func(ctx context.Context, db *Pool) error {
		return db.Get(ctx, &yes, `SELECT pg_is_in_recovery()`)
	}); err != nil {
		t.Fatalf("a reader is refused: %v", err)
	}
	return yes
}

// Long readings are done at the replica while it follows, and at the primary when it does not; everything else is read
// from the primary.
func TestReplica_IsReadFromWhileItFollows(t *testing.T) {
	t.Parallel()
	r := setupReplicated(t)
	dbtest.Eventually(t, "the replica is read from", func() bool { return r.fromReplica(t) })
	var elsewhere bool
	if err := r.Get(t.Context(), &elsewhere, `SELECT pg_is_in_recovery()`); err != nil || elsewhere {
		t.Errorf("what is no long reading is read from the replica: %v", err)
	}
	r.standsStill(t)
	r.server.Kill()
	dbtest.Eventually(t, "the primary is read from", func() bool { return !r.fromReplica(t) && len(r.changes) == 1 })
}

// standsStill stops the replica, lets it go on, and adds items meanwhile: each is in the list that is read next.
func (r replicated) standsStill(t *testing.T) {
	t.Helper()
	dbtest.Must(t, r.replica.db.Exec(t.Context(), `SELECT pg_wal_replay_pause()`))
	begun := time.Now()
	r.itemIsListed(t)
	if took := time.Since(begun); took > replicaWait+slack {
		t.Errorf("the first reading takes %v", took)
	}
	if n := r.itemsAt(t, r.replica.db); n != 0 {
		t.Errorf("the replica has %d items: it does not stand still, and the lists prove nothing", n)
	}
	r.itemIsListed(t)
	if err := <-r.changes; !errors.Is(err, errReplicaBehind) {
		t.Errorf("got %v, want %v", err, errReplicaBehind)
	}
	dbtest.Must(t, r.replica.db.Exec(t.Context(), `SELECT pg_wal_replay_resume()`))
	dbtest.Eventually(t, "the replica is read from again", func() bool { return r.fromReplica(t) })
	for range 20 {
		r.itemIsListed(t)
	}
	if err := <-r.changes; err != nil {
		t.Errorf("got %v, want nil", err)
	}
}

// itemIsListed adds an item and makes a long reading of the items, which has one more.
func (r replicated) itemIsListed(t *testing.T) {
	t.Helper()
	before := r.itemsAt(t, r.Pool)
	dbtest.Must(t, r.Exec(t.Context(), `INSERT INTO items VALUES ($1)`, before))
	n := 0
	dbtest.Must(t, r.ReadReplica(t.Context(), func(ctx context.Context, db *Pool) (err error) {
		n, err = One[int](ctx, db, `SELECT count(*) FROM items`)
		return err
	}))
	if n != before+1 || n != r.itemsAt(t, r.Pool) {
		t.Errorf("%d items are listed, want %d", n, before+1)
	}
}

// itemsAt counts the items that a server has.
func (r replicated) itemsAt(t *testing.T, db *Pool) (n int) {
	t.Helper()
	dbtest.Must(t, db.Get(t.Context(), &n, `SELECT count(*) FROM items`))
	return n
}

// A replica that answers no more in the middle of a reading, or of the question how far it is, costs a part of the
// reader's time.
func TestReplica_StandsStillInAReading(t *testing.T) {
	t.Parallel()
	primary := dbtest.PrivatePostgres(t)
	relay := dbtest.NewRelay(t, dbtest.Replica(t, primary).URL)
	db := openTest(t, Config{URL: primary.URL, ReplicaURL: relay.URL})
	read := func(within time.Duration, then func()) (fromReplica bool) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), within)
		defer cancel()
		if err := db.ReadReplica(ctx, func(ctx context.Context, db *Pool) error {
			then()
			return db.Get(ctx, &fromReplica, `SELECT pg_is_in_recovery()`)
		}); err != nil {
			t.Errorf("a reader is refused: %v", err)
		}
		return fromReplica
	}
	dbtest.Eventually(t, "the replica is read from", func() bool { return read(time.Minute, func() {}) })
	begun := time.Now()
	if read(6*time.Second, relay.Freeze) {
		t.Error("a replica answers that stands still")
	}
	if took := time.Since(begun); took > 3*time.Second+cancelTime+slack {
		t.Errorf("it takes %v", took)
	}
	dbtest.Eventually(t, "it is tried again",
		func() bool { due := false; _, due = db.replica.patience(time.Now()); return due })
	db.replica.note(nil) // as if nobody knew
	begun = time.Now()
	if read(time.Minute, func() {}) || time.Since(begun) > 2*replicaTime+cancelTime+slack {
		t.Errorf("a question takes %v", time.Since(begun))
	}
	relay.Thaw()
	dbtest.Eventually(t, "the replica is read from again", func() bool { return read(time.Minute, func() {}) })
}

// A replica that is away is noticed though nobody reads what may be old.
func TestReplica_IsLookedAt(t *testing.T) {
	t.Parallel()
	changes := make(chan error, 1)
	db := openTest(t, Config{URL: dbtest.PostgresURL(t),
		ReplicaURL: "postgres://nobody@127.0.0.1:1/none?sslmode=disable", ReplicaChanged: func(err error) {
			changes <- err
		}})
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); db.FollowReplica(ctx) }()
	if err := <-changes; !errors.Is(err, refusal.ErrUnavailable) {
		t.Errorf("got %v", err)
	}
	if _, read := db.ReplicaStats()(); read {
		t.Error("the figures say that it is read from")
	}
	stop()
	<-ended
}
