package webhooks

import (
	"context"
	"database/sql"
	"errors"

	"lunchgo/app/webhooks"
	"lunchgo/db/pg"
)

// markedRow is the endpoint of a delivery that is marked, under its lock.
type markedRow struct {
	ID             string
	State          webhooks.State
	Fails, ForDays bool
}

// MarkDelivery implements webhooks.Queue. The lease's end names the try: whoever marks later than that changes nothing.
// Like all who change both, it locks the endpoint before the delivery: tries that end together do not wait for each
// other in a ring.
func (s *Store) MarkDelivery(ctx context.Context, d webhooks.Delivery, t webhooks.Try,
	v webhooks.Verdict) error {
	return s.db.InTx(ctx, func(ctx context.Context, tx *pg.Tx) error {
		var e markedRow
		err := tx.Get(ctx, &e, tx.Pool.Guarded(LockMarked, `
			SELECT id, state, failing_since IS NOT NULL AS fails,
				COALESCE(failing_since < clock_timestamp() - $2 * interval '1 microsecond', false) AS for_days
			FROM webhook_endpoints
			WHERE id = $1
			FOR NO KEY UPDATE`), d.EndpointID, webhooks.GiveUp.Microseconds())
		if errors.Is(err, sql.ErrNoRows) {
			return nil // it was deleted meanwhile, with its deliveries
		}
		if err != nil {
			return err
		}
		n, err := tx.Exec(ctx, tx.Pool.Guarded(MarkDelivery, `
			UPDATE webhook_deliveries
			SET state = $3, due_at = clock_timestamp() + $4 * interval '1 microsecond', tried_at = clock_timestamp(),
				status = $5, failure = $6, excerpt = $7, took_ms = $8
			WHERE id = $1 AND state = 'waiting' AND due_at = $2`), d.ID, d.DueAt, string(v.State), v.Pause.Microseconds(),
			t.Status, t.Failure, t.Excerpt, t.Took.Milliseconds())
		if err != nil || n == 0 {
			return err
		}
		return e.note(ctx, tx, v)
	})
}

// note stores whether an endpoint fails, and disables it where it wants no more or has taken nothing for days.
func (e markedRow) note(ctx context.Context, t *pg.Tx, v webhooks.Verdict) (err error) {
	switch {
	case v.State == webhooks.Delivered && e.Fails:
		_, err = t.Exec(ctx, `UPDATE webhook_endpoints SET failing_since = NULL WHERE id = $1`, e.ID)
	case v.State == webhooks.Delivered || e.State.Disabled():
		return nil
	case v.Gone:
		return e.disable(ctx, t, webhooks.Gone)
	case v.State == webhooks.Failed && e.ForDays:
		return e.disable(ctx, t, webhooks.Failing)
	case !e.Fails:
		_, err = t.Exec(ctx, `UPDATE webhook_endpoints SET failing_since = clock_timestamp() WHERE id = $1`, e.ID)
	}
	return err
}

// disable gives an endpoint and what waits for it up, and writes to the owners of its restaurant. Load tests write to
// nobody.
func (e markedRow) disable(ctx context.Context, t *pg.Tx, state webhooks.State) error {
	_, err := t.Exec(ctx, t.Pool.Guarded(DisableEndpoint, `
		UPDATE webhook_endpoints
		SET state = $2, failing_since = COALESCE(failing_since, clock_timestamp())
		WHERE id = $1`), e.ID, string(state))
	if err != nil {
		return err
	}
	_, err = t.Exec(ctx, `
		UPDATE webhook_deliveries
		SET state = 'failed'
		WHERE endpoint_id = $1 AND state = 'waiting'`, e.ID)
	if err != nil {
		return err
	}
	return t.Run(ctx, `
		INSERT INTO mails (kind, user_id, webhook_id)
		SELECT 'webhook', m.user_id, e.id
		FROM webhook_endpoints e
		JOIN restaurants p ON p.id = e.restaurant_id AND NOT p.shadow
		JOIN staff_members m ON m.restaurant_id = e.restaurant_id AND m.role = 'owner'
		WHERE e.id = $1
		ORDER BY m.user_id`, e.ID)
}
