package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

// How old what is read from a replica may be, how often it is looked at, how long a look may take, and how many places of the
// primary's log are remembered.
const (
	replicaMaxAge  = time.Second
	replicaLook    = 200 * time.Millisecond
	replicaTime    = 300 * time.Millisecond
	replicaSamples = 5
)

// Errors of a replica that is not read from.
var (
	errReplicaBehind   = errors.New("db: the replica is more than a second behind")
	errReplicaPromoted = errors.New("db: the replica follows no primary")
)

// replica is a server that follows the primary. What may be a second old is read there; where it is away, or further behind,
// from the primary.
type replica struct {
	db      *DB
	primary *DB
	changed func(err error) // when it is not read from any more, and with nil when it is again

	mu      sync.Mutex
	samples []sample // of the primary's log, oldest first
	freshAs time.Time
	looked  time.Time
	bad     bool
}

// sample is how far the primary's log was at a moment.
type sample struct {
	at       time.Time
	position uint64
}

// openReplica needs no replica that answers.
func openReplica(config Config, primary *DB) (*replica, error) {
	config.URL, config.ReplicaURL = config.ReplicaURL, ""
	connector, err := newConnector(config, config.QueryTimeout, nil)
	if err != nil {
		return nil, fmt.Errorf("replica: %w", err)
	}
	return &replica{db: newDB(connector, config), primary: primary, changed: config.ReplicaChanged}, nil
}

// ReplicaStats are figures of the pool to the replica, and whether it is read from. Nil where there is none.
func (db *DB) ReplicaStats() func() (sql.DBStats, bool) {
	if db.replica == nil {
		return nil
	}
	return func() (sql.DBStats, bool) {
		r := db.replica
		r.mu.Lock()
		defer r.mu.Unlock()
		return r.db.Stats(), !r.bad
	}
}

// readOld reads what may be a second old: from the replica, if there is one and it can, else from the primary. Nothing is
// read so that a write decides on, and nothing that somebody looks at right after they wrote it.
func (db *DB) readOld(ctx context.Context, read func(db *DB) error) error {
	if db.replica != nil && db.replica.isFresh(ctx) {
		err := read(db.replica.db)
		if !errors.Is(err, ErrUnavailable) || ctx.Err() != nil {
			return err
		}
		db.replica.note(err)
	}
	return read(db)
}

// isFresh says whether the replica has all that the primary had a second ago. It asks neither of them more often than five
// times a second.
func (r *replica) isFresh(ctx context.Context) bool {
	r.mu.Lock()
	now := time.Now()
	due := now.Sub(r.looked) >= replicaLook
	if due {
		r.looked = now
	}
	fresh := now.Sub(r.freshAs) < replicaMaxAge
	r.mu.Unlock()
	if !due || fresh && now.Sub(r.freshAs) < replicaLook {
		return fresh
	}
	ctx, cancel := context.WithTimeout(ctx, replicaTime)
	defer cancel()
	fresh, err := r.look(ctx, now)
	if fresh || err != nil {
		r.note(err)
	}
	return fresh && err == nil
}

// look compares how far the replica has come with where the primary was: the time of the last transaction would say nothing
// of a primary that is idle, or that the replica has lost.
func (r *replica) look(ctx context.Context, now time.Time) (bool, error) {
	var at, come sql.NullString
	if err := r.primary.get(ctx, &at, `SELECT pg_current_wal_lsn()::text`); err != nil {
		return false, err
	}
	if err := r.db.get(ctx, &come, `SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()::text END`); err != nil {
		return false, err
	}
	if !come.Valid {
		return false, errReplicaPromoted
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.samples = append(r.samples, sample{now, logPosition(at.String)}); len(r.samples) > replicaSamples {
		r.samples = r.samples[1:]
	}
	replayed := logPosition(come.String)
	for _, s := range r.samples {
		if s.position <= replayed {
			r.freshAs = s.at
		}
	}
	switch {
	case now.Sub(r.freshAs) < replicaMaxAge:
		return true, nil
	case len(r.samples) == replicaSamples && now.Sub(r.samples[0].at) < 2*replicaMaxAge:
		return false, errReplicaBehind // and not only because nobody has looked for a while
	}
	return false, nil
}

// note tells of a change.
func (r *replica) note(err error) {
	r.mu.Lock()
	was := r.bad
	if r.bad = err != nil; r.bad {
		r.freshAs = time.Time{}
	}
	r.mu.Unlock()
	if was != (err != nil) && r.changed != nil {
		r.changed(err)
	}
}

// logPosition reads a place in the log, such as 16/B374D848.
func logPosition(text string) uint64 {
	var high, low uint64
	_, _ = fmt.Fscanf(strings.NewReader(text), "%X/%X", &high, &low) // the server writes it
	return high<<32 | low
}
