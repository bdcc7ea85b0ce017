package pg

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"

	"lunchgo/app/refusal"
)

// Bounds of the replica. A reader waits until it has all that was committed before the reader came, for as long as a
// replica may be behind; for less once it was. One that is away or behind is tried by one reader a second.
const (
	replicaWait   = time.Second
	replicaRetry  = 100 * time.Millisecond
	replicaRest   = time.Second
	replicaTime   = 300 * time.Millisecond // for a question of a moment
	replicaPauses = 50 * time.Millisecond  // between two questions, at most
	replicaLook   = 2 * time.Second        // between looks at it while nobody reads
)

// Errors of a replica that is not read from.
var (
	errReplicaBehind   = errors.New("pg: the replica is more than a second behind")
	errReplicaPromoted = errors.New("pg: the replica follows no primary")
)

// replica is a server that follows the primary. Long readings are done there; where it is away, or too far behind, at
// the primary.
type replica struct {
	db      *Pool
	primary *Pool
	changed func(err error) // when it is not read from any more, and with nil when it is again
	brief   time.Duration   // that a question of a moment may take

	mu    sync.Mutex
	bad   bool
	tryAt time.Time // when one that is bad is tried again
}

// openReplica needs no replica that answers.
func openReplica(config Config, primary *Pool) (*replica, error) {
	config.URL, config.ReplicaURL = config.ReplicaURL, ""
	connector, err := newConnector(config, config.QueryTimeout)
	if err != nil {
		return nil, fmt.Errorf("replica: %w", err)
	}
	return &replica{db: newPool(connector, config), primary: primary, changed: config.ReplicaChanged,
		brief: replicaTime}, nil
}

// FollowReplica looks at the replica until ctx ends, so that ReplicaStats and the log say how it is also while nobody
// reads what may be old. It returns at once where there is none.
func (p *Pool) FollowReplica(ctx context.Context) {
	if p.replica == nil {
		return
	}
	again := time.NewTicker(replicaLook)
	defer again.Stop()
	for {
		// a look that an end cuts short would say that the replica is away
		p.replica.follows(context.WithoutCancel(ctx))
		select {
		case <-again.C:
		case <-ctx.Done():
			return
		}
	}
}

// ReplicaStats are figures of the pool to the replica, and whether it is read from. Nil where there is none.
func (p *Pool) ReplicaStats() func() (sql.DBStats, bool) {
	if p.replica == nil {
		return nil
	}
	return func() (sql.DBStats, bool) {
		r := p.replica
		r.mu.Lock()
		defer r.mu.Unlock()
		return r.db.Stats(), !r.bad
	}
}

// ReadReplica reads from the replica, if there is one and it can, else from the primary: in either case all that was
// committed before. Nothing is read so that a write decides on it. The replica has half of the time at most, so that
// the primary has some.
func (p *Pool) ReadReplica(ctx context.Context, read func(ctx context.Context, db *Pool) error) error {
	if p.replica != nil && p.replica.follows(ctx) {
		limited, cancel := context.WithTimeout(ctx, p.halfOf(ctx))
		err := read(limited, p.replica.db)
		cancel()
		if !errors.Is(err, refusal.ErrUnavailable) || ctx.Err() != nil {
			return err
		}
		p.replica.note(err)
	}
	return read(ctx, p)
}

// halfOf is half of the time that a context has, but no more than a statement has.
func (p *Pool) halfOf(ctx context.Context) time.Duration {
	limit := p.config.QueryTimeout
	if end, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(end)/2)
	}
	return limit
}

// follows waits until the replica has all that the primary has now, and says whether it has.
func (r *replica) follows(ctx context.Context) bool {
	wait, due := r.patience(time.Now())
	if !due {
		return false
	}
	asking, cancel := context.WithTimeout(ctx, r.brief)
	var now string
	err := r.primary.Get(asking, &now, `SELECT pg_current_wal_lsn()::text`)
	cancel()
	if err != nil {
		return false // which says nothing of the replica
	}
	err = r.await(ctx, now, time.Now().Add(wait))
	if ctx.Err() == nil {
		r.note(err)
	}
	return err == nil
}

// patience returns how long a reader waits for the replica, and whether at all.
func (r *replica) patience(now time.Time) (wait time.Duration, due bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.bad {
		return replicaWait, true
	}
	if now.Before(r.tryAt) {
		return 0, false
	}
	r.tryAt = now.Add(replicaRest)
	return replicaRetry, true
}

// await waits until the replica has come to a place in the primary's log. The time of its last transaction would say
// nothing of a primary that is idle, or that it has lost.
func (r *replica) await(ctx context.Context, place string, until time.Time) error {
	for pause := time.Millisecond; ; pause = min(2*pause, replicaPauses) {
		asking, cancel := context.WithTimeout(ctx, r.brief)
		var has *bool
		err := r.db.Get(asking, &has, `
			SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() >= $1::pg_lsn END`, place)
		cancel()
		switch {
		case err != nil:
			return err
		case has == nil:
			return errReplicaPromoted
		case *has:
			return nil
		case time.Now().Add(pause).After(until):
			return errReplicaBehind
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// note says what a look at the replica, or a reading there, came to.
func (r *replica) note(err error) {
	r.mu.Lock()
	was := r.bad
	if r.bad = err != nil; r.bad {
		r.tryAt = time.Now().Add(replicaRest)
	}
	r.mu.Unlock()
	if was != (err != nil) && r.changed != nil {
		r.changed(err)
	}
}
