// Package outbox stores the events that wait for readers.
package outbox

import (
	"context"
	"time"

	"github.com/lib/pq"

	"lunchgo/app/events"
	"lunchgo/db/pg"
)

// Guards of the package.
const (
	HoldFeed      pg.Guard = "hold the feed of events, or wait for its holder"
	ListWaiting   pg.Guard = "list the events that wait"
	AnnounceAlone pg.Guard = "count the seats of slots that sell out one process at a time"
)

// Store implements events.Store. The events themselves are written with the change: by triggers, see
// db/migrations/00039_events.sql, and for payments by db/payments_take.go.
type Store struct {
	db *pg.Pool
}

// NewStore returns the events stored in db.
func NewStore(db *pg.Pool) *Store { return &Store{db: db} }

// Hold implements events.Store.
func (s *Store) Hold(ctx context.Context, lease events.Lease) (bool, error) {
	return pg.One[bool](ctx, s.db, s.db.Guarded(HoldFeed, `
		INSERT INTO event_feeds AS f (name, wanted_until, holder, held_until)
		VALUES ('kafka', clock_timestamp() + $3 * interval '1 microsecond', $1,
			clock_timestamp() + $2 * interval '1 microsecond')
		ON CONFLICT (name) DO UPDATE
		SET wanted_until = excluded.wanted_until,
			holder = CASE WHEN f.holder = $1 OR f.held_until <= clock_timestamp() THEN $1 ELSE f.holder END,
			held_until = CASE WHEN f.holder = $1 OR f.held_until <= clock_timestamp() THEN excluded.held_until
				ELSE f.held_until END
		RETURNING holder = $1`), lease.Holder, lease.For.Microseconds(), lease.Wanted.Microseconds())
}

// Release implements events.Store.
func (s *Store) Release(ctx context.Context, holder string) error {
	return s.db.Exec(ctx, `UPDATE event_feeds SET held_until = clock_timestamp() WHERE name = 'kafka' AND holder = $1`,
		holder)
}

// Want implements events.Store.
func (s *Store) Want(ctx context.Context, wanted time.Duration) error {
	return Want(ctx, s.db, "kafka", wanted)
}

// Want has what a feed takes written for a while.
func Want(ctx context.Context, db *pg.Pool, feed string, wanted time.Duration) error {
	return db.Exec(ctx, `
		INSERT INTO event_feeds AS f (name, wanted_until, holder, held_until)
		VALUES ($1, clock_timestamp() + $2 * interval '1 microsecond', '', clock_timestamp())
		ON CONFLICT (name) DO UPDATE SET wanted_until = greatest(f.wanted_until, excluded.wanted_until)`,
		feed, wanted.Microseconds())
}

// ListWaiting implements events.Store. An event of one key that is committed later has a higher id; of different keys
// that need not be so, and a position in the ids would pass over some.
func (s *Store) ListWaiting(ctx context.Context, w events.Waiting) ([]events.Event, error) {
	return pg.List[events.Event](ctx, s.db, s.db.Guarded(ListWaiting, `
		SELECT id, type, key, at, data
		FROM outbox
		WHERE kafka AND type LIKE $1 || '.%' AND key NOT IN (SELECT unnest($2::text[]))
		ORDER BY id
		LIMIT $3`), w.Kind, append(pq.StringArray{}, w.Except...), w.Limit)
}

// MarkSent implements events.Store.
func (s *Store) MarkSent(ctx context.Context, ids []int64) error {
	return s.db.Exec(ctx, `UPDATE outbox SET kafka = false WHERE id = ANY ($1) AND kafka`, pq.Int64Array(ids))
}

// maxCounted bounds how many rows are read to count those that wait.
const maxCounted = 100_000

// Backlog implements events.Store.
func (s *Store) Backlog(ctx context.Context) (map[string]events.Backlog, error) {
	var rows []struct {
		Type string
		events.Backlog
	}
	err := s.db.List(ctx, &rows, `
		SELECT min(type) AS type, count(*) AS waiting,
			(EXTRACT(epoch FROM clock_timestamp() - min(at)) * 1e9)::bigint AS oldest
		FROM (SELECT type, at FROM outbox WHERE kafka ORDER BY id LIMIT $1) waiting
		GROUP BY split_part(type, '.', 2)`, maxCounted)
	backlog := make(map[string]events.Backlog, len(events.Topics()))
	for _, topic := range events.Topics() {
		backlog[topic] = events.Backlog{}
	}
	for _, row := range rows {
		backlog[events.Event{Type: row.Type}.Topic()] = row.Backlog
	}
	return backlog, err
}

// Trim implements events.Store. What waits for a Kafka that is not in use any more goes as well. It looks at the oldest
// rows only, and so takes the same time however many there are.
func (s *Store) Trim(ctx context.Context, keep time.Duration, limit int) (int, error) {
	return pg.One[int](ctx, s.db, `
		WITH trimmed AS (
			DELETE FROM outbox
			WHERE id IN (
				SELECT id
				FROM (SELECT id, at, kafka, webhooks FROM outbox ORDER BY id LIMIT $2) oldest
				WHERE at < clock_timestamp() - $1 * interval '1 microsecond' AND NOT webhooks AND NOT (kafka AND wants_kafka())
			)
			RETURNING id
		)
		SELECT count(*) FROM trimmed`, keep.Microseconds(), limit)
}

// ListSent implements events.Store.
func (s *Store) ListSent(ctx context.Context, from events.Start, limit int) ([]events.Event, error) {
	return s.listFrom(ctx, "AND NOT kafka", from, limit)
}

// ListFrom implements events.Store.
func (s *Store) ListFrom(ctx context.Context, from events.Start, limit int) ([]events.Event, error) {
	return s.listFrom(ctx, "", from, limit)
}

func (s *Store) listFrom(ctx context.Context, which string, from events.Start, limit int) ([]events.Event,
	error) {
	return pg.List[events.Event](ctx, s.db, `
		SELECT id, type, key, at, data
		FROM outbox
		WHERE id >= $1 AND at >= $2 `+which+`
		ORDER BY id
		LIMIT $3`, from.ID, from.At, limit)
}
