package webhooks

import (
	"context"
	"fmt"
	"time"

	"github.com/lib/pq"

	"lunchgo/app/webhooks"
	"lunchgo/db/pg"
)

// HandOver implements webhooks.Queue. One statement takes events from the outbox and adds their deliveries: both or
// neither is stored. Instances skip what another takes at the moment, so the order of deliveries is that of the events
// only roughly.
func (s *Store) HandOver(ctx context.Context, limit int) (int, error) {
	return pg.One[int](ctx, s.db, `
		WITH due AS (
			SELECT id
			FROM outbox
			WHERE webhooks
			ORDER BY id
			LIMIT $1
			FOR UPDATE SKIP LOCKED
		), taken AS (
			UPDATE outbox
			SET webhooks = false
			FROM due
			WHERE outbox.id = due.id
			RETURNING outbox.id, outbox.type, outbox.restaurant_id, outbox.at, outbox.data
		), added AS (
			INSERT INTO webhook_deliveries (endpoint_id, message_id, type, at, data)
			SELECT e.id, 'evt_' || taken.id, taken.type, taken.at, taken.data
			FROM taken
			JOIN webhook_endpoints e ON e.restaurant_id = taken.restaurant_id AND e.state IN ('active', 'paused')
				AND taken.type = ANY (e.types)
			ORDER BY taken.id, e.id
			ON CONFLICT ON CONSTRAINT webhook_deliveries_one_message DO NOTHING
		)
		SELECT count(*) FROM taken`, limit)
}

type takenRow struct {
	deliveryRow
	URL  string
	Keys webhooks.Keys
}

// TakeDeliveries implements webhooks.Queue. It takes one delivery of each restaurant before a second one of any, so
// that nobody waits behind another's backlog. Where nothing is due it reads one index and no endpoint.
func (s *Store) TakeDeliveries(ctx context.Context, c webhooks.Claim) ([]webhooks.Taken, error) {
	var rows []takenRow
	err := s.db.List(ctx, &rows, s.db.Guarded(TakeDeliveries, `
		WITH due AS (
			SELECT id
			FROM (
				SELECT d.id, d.due_at, row_number() OVER (PARTITION BY e.restaurant_id ORDER BY d.due_at, d.id) AS round
				FROM webhook_endpoints e
				CROSS JOIN LATERAL (
					SELECT id, due_at
					FROM webhook_deliveries
					WHERE endpoint_id = e.id AND state = 'waiting' AND due_at <= statement_timestamp()
					ORDER BY due_at, id
					LIMIT CASE WHEN e.failing_since IS NULL AND e.id <> ALL ($5) THEN $2::bigint ELSE 1 END
					FOR UPDATE SKIP LOCKED
				) d
				WHERE e.state = 'active' AND e.id <> ALL ($3)
					AND EXISTS (SELECT FROM webhook_deliveries WHERE state = 'waiting' AND due_at <= statement_timestamp())
			) each_of
			ORDER BY round, due_at, id
			LIMIT $1
		), d AS (
			UPDATE webhook_deliveries
			SET tries = tries + 1, due_at = clock_timestamp() + $4 * interval '1 microsecond'
			FROM due
			WHERE webhook_deliveries.id = due.id
			RETURNING webhook_deliveries.*
		)
		SELECT `+deliveryColumns+`, e.url, e.secret AS "keys.current", e.old_secret AS "keys.old",
			e.old_secret_until AS "keys.old_until"
		FROM d
		JOIN webhook_endpoints e ON e.id = d.endpoint_id
		ORDER BY d.id`), c.Most, c.PerEndpoint, append(pq.StringArray{}, c.Busy...), c.Lease.Microseconds(),
		append(pq.StringArray{}, c.Slow...))
	taken := make([]webhooks.Taken, 0, len(rows))
	for _, row := range rows {
		taken = append(taken, webhooks.Taken{Delivery: row.delivery(), URL: row.URL, Keys: row.Keys})
	}
	return taken, err
}

// Trim implements webhooks.Queue.
func (s *Store) Trim(ctx context.Context, kept time.Duration, limit int) (int, error) {
	return pg.One[int](ctx, s.db, `
		WITH old AS (
			SELECT id
			FROM webhook_deliveries
			WHERE created_at < clock_timestamp() - $1 * interval '1 microsecond'
			ORDER BY created_at
			LIMIT $2
			FOR UPDATE SKIP LOCKED
		), gone AS (
			DELETE FROM webhook_deliveries
			USING old
			WHERE webhook_deliveries.id = old.id
			RETURNING webhook_deliveries.id
		)
		SELECT count(*) FROM gone`, kept.Microseconds(), limit)
}

// ReadBacklog implements webhooks.Queue.
func (s *Store) ReadBacklog(ctx context.Context) (webhooks.Backlog, error) {
	var backlog webhooks.Backlog
	err := s.db.Get(ctx, &backlog, `
		SELECT count(*) AS waiting, count(*) FILTER (WHERE d.tried_at IS NOT NULL) AS retries,
			(COALESCE(EXTRACT(epoch FROM clock_timestamp() - least(
				min(d.created_at) FILTER (WHERE d.tried_at IS NULL), (SELECT min(at) FROM outbox WHERE webhooks)
			)), 0) * 1e9)::bigint AS oldest
		FROM webhook_deliveries d
		JOIN webhook_endpoints e ON e.id = d.endpoint_id AND e.state = 'active'
		WHERE d.state = 'waiting'`)
	if err != nil {
		return webhooks.Backlog{}, fmt.Errorf("read the backlog: %w", err)
	}
	return backlog, nil
}
