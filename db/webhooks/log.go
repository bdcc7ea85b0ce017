package webhooks

import (
	"context"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/keyset"
	"lunchgo/app/webhooks"
	"lunchgo/db/auditlog"
	"lunchgo/db/pg"
)

// deliveryRow has the id of the message beside it: Delivery has one of its own.
type deliveryRow struct {
	webhooks.Delivery
	MessageID string
}

const deliveryColumns = `d.id, d.endpoint_id, d.message_id, d.type, d.at, d.data, d.state, d.tries, d.created_at,
	d.due_at,
	d.tried_at, d.status AS "last.status", d.failure AS "last.failure", d.excerpt AS "last.excerpt",
	d.took_ms * 1000000::bigint AS "last.took"`

func (row deliveryRow) delivery() webhooks.Delivery {
	row.Message.ID = row.MessageID
	return row.Delivery
}

// ListDeliveries implements webhooks.Store.
func (s *Store) ListDeliveries(ctx context.Context, endpoint string, state webhooks.DeliveryState,
	page keyset.Request) (keyset.Page[webhooks.Delivery], error) {
	key := func(row deliveryRow) keyset.Cursor { return keyset.Cursor{Number: row.ID} }
	return pg.Paged(ctx, s.db, page, key, deliveryRow.delivery, `
		SELECT `+deliveryColumns+`
		FROM webhook_deliveries d
		WHERE d.endpoint_id = $1 AND d.id < $2 AND ($4 = '' OR d.state = $4)
		ORDER BY d.id DESC
		LIMIT $3`, endpoint, page.Below().Number, page.Rows(), string(state))
}

// actOn runs what an owner does with the deliveries of an active endpoint, whose row is locked, and notes it. Returns
// webhooks.ErrNotActive.
func (s *Store) actOn(ctx context.Context, at webhooks.Target,
	work func(ctx context.Context, t *pg.Tx) (auditlog.Entry, error)) error {
	return s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		e, err := lockEndpoint(ctx, t, at)
		if err != nil {
			return err
		}
		if e.State != webhooks.Active {
			return webhooks.ErrNotActive
		}
		act, err := work(ctx, t)
		if err != nil || act.Action == "" {
			return err
		}
		act.StaffID, act.RestaurantID, act.Detail["url"] = at.By, at.RestaurantID, e.PublicURL()
		return auditlog.Write(ctx, t, act)
	})
}

// AddTest implements webhooks.Store.
func (s *Store) AddTest(ctx context.Context, at webhooks.Target, m webhooks.Message) (webhooks.Delivery, error) {
	var row deliveryRow
	err := s.actOn(ctx, at, func(ctx context.Context, t *pg.Tx) (auditlog.Entry, error) {
		err := t.Get(ctx, &row, `
			INSERT INTO webhook_deliveries AS d (endpoint_id, message_id, type, at, data)
			VALUES ($1, $2, $3, clock_timestamp(), $4)
			RETURNING `+deliveryColumns, at.ID, m.ID, m.Type, []byte(m.Data))
		return auditlog.Entry{Action: "webhook.test", Detail: map[string]any{}}, err
	})
	return row.delivery(), err
}

// beginAnew puts deliveries back as if nothing had been tried. Those that are due or under way are left alone: they are
// sent anyway, and once.
const beginAnew = `
	UPDATE webhook_deliveries
	SET state = 'waiting', tries = 0, due_at = clock_timestamp()
	WHERE endpoint_id = $1 AND (state <> 'waiting' OR due_at > clock_timestamp() + $2 * interval '1 microsecond') `

// Redeliver implements webhooks.Store.
func (s *Store) Redeliver(ctx context.Context, at webhooks.Target, delivery int64) error {
	return s.actOn(ctx, at, func(ctx context.Context, t *pg.Tx) (act auditlog.Entry, err error) {
		var message string
		err = t.Get(ctx, &message, `SELECT message_id FROM webhook_deliveries WHERE endpoint_id = $1 AND id = $2`,
			at.ID, delivery)
		if err != nil {
			return act, pg.OrNotFound(err, booking.ErrNotFound)
		}
		n, err := t.Exec(ctx, beginAnew+`AND id = $3`, at.ID, webhooks.SendLease.Microseconds(), delivery)
		if n > 0 {
			act = auditlog.Entry{Action: "webhook.redeliver", Detail: map[string]any{"message": message}}
		}
		return act, err
	})
}

// RedeliverFailed implements webhooks.Store.
func (s *Store) RedeliverFailed(ctx context.Context, at webhooks.Target,
	since time.Time) (count int, err error) {
	err = s.actOn(ctx, at, func(ctx context.Context, t *pg.Tx) (act auditlog.Entry, err error) {
		n, err := t.Exec(ctx, beginAnew+`AND state = 'failed' AND at >= $3`, at.ID, webhooks.SendLease.Microseconds(),
			since)
		if count = int(n); n > 0 {
			act = auditlog.Entry{Action: "webhook.redeliver_failed", Detail: map[string]any{"count": n, "since": since}}
		}
		return act, err
	})
	return count, err
}
