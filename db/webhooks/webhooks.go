// Package webhooks stores the endpoints of webhooks and what is delivered to them.
package webhooks

import (
	"bytes"
	"context"
	"errors"

	"github.com/lib/pq"

	"lunchgo/app/booking"
	"lunchgo/app/webhooks"
	"lunchgo/db/auditlog"
	"lunchgo/db/pg"
	"lunchgo/db/rowlock"
)

// Guards of the package.
const (
	InsertEndpoint  pg.Guard = "add an endpoint of webhooks"
	TakeDeliveries  pg.Guard = "take deliveries of webhooks"
	MarkDelivery    pg.Guard = "mark a delivery of a webhook"
	LockMarked      pg.Guard = "lock the endpoint of a delivery that is marked"
	DisableEndpoint pg.Guard = "disable an endpoint of webhooks"
)

// Store implements the stores of package webhooks.
type Store struct {
	db *pg.Pool
}

var (
	_ webhooks.Store = (*Store)(nil)
	_ webhooks.Queue = (*Store)(nil)
)

// NewStore returns the endpoints and deliveries stored in db.
func NewStore(db *pg.Pool) *Store { return &Store{db: db} }

const endpointColumns = `id, restaurant_id, url, description, types, state, created_at, failing_since, rotations,
	secret AS "keys.current", old_secret AS "keys.old", old_secret_until AS "keys.old_until"`

// ListEndpoints implements webhooks.Store.
func (s *Store) ListEndpoints(ctx context.Context, restaurantID int64) ([]webhooks.Endpoint, error) {
	return pg.List[webhooks.Endpoint](ctx, s.db, `
		SELECT `+endpointColumns+`
		FROM webhook_endpoints
		WHERE restaurant_id = $1
		ORDER BY created_at, id`, restaurantID)
}

const findEndpoint = `
	SELECT ` + endpointColumns + `
	FROM webhook_endpoints
	WHERE restaurant_id = $1 AND id = $2`

// FindEndpoint implements webhooks.Store.
func (s *Store) FindEndpoint(ctx context.Context, restaurantID int64, id string) (webhooks.Endpoint, error) {
	return pg.Find[webhooks.Endpoint](ctx, s.db, booking.ErrNotFound, findEndpoint, restaurantID, id)
}

// lockEndpoint reads an endpoint that the transaction changes.
func lockEndpoint(ctx context.Context, t *pg.Tx, at webhooks.Target) (webhooks.Endpoint, error) {
	return pg.Find[webhooks.Endpoint](ctx, t, booking.ErrNotFound, findEndpoint+` FOR NO KEY UPDATE`, at.RestaurantID,
		at.ID)
}

// AddEndpoint implements webhooks.Store. The lock of the restaurant's row keeps two requests from adding one
// too many.
func (s *Store) AddEndpoint(ctx context.Context, by string,
	e webhooks.Endpoint) (webhooks.Endpoint, error) {
	return pg.Within(ctx, s.db, func(ctx context.Context, t *pg.Tx) (added webhooks.Endpoint, err error) {
		if err := rowlock.Restaurant(ctx, t, e.RestaurantID); err != nil {
			return added, err
		}
		count, err := pg.One[int](ctx, t, `SELECT count(*) FROM webhook_endpoints WHERE restaurant_id = $1`,
			e.RestaurantID)
		if err == nil && count >= webhooks.MaxEndpoints {
			err = webhooks.ErrTooMany
		}
		if err == nil {
			err = t.Get(ctx, &added, t.Pool.Guarded(InsertEndpoint, `
				INSERT INTO webhook_endpoints (id, restaurant_id, url, description, types, secret)
				VALUES ($1, $2, $3, $4, $5, $6)
				RETURNING `+endpointColumns), e.ID, e.RestaurantID, e.URL, e.Description, pq.StringArray(e.Types),
				e.Keys.Current)
		}
		if err != nil {
			return added, err
		}
		return added, auditlog.Write(ctx, t, endpointAct(webhooks.Target{By: by, RestaurantID: e.RestaurantID},
			"webhook.add", map[string]any{"is": endpointDetail(added)}))
	})
}

func endpointAct(at webhooks.Target, action string, detail map[string]any) auditlog.Entry {
	return auditlog.Entry{StaffID: at.By, RestaurantID: at.RestaurantID, Action: action, Detail: detail}
}

// endpointDetail is what the audit log says of an endpoint. Addresses are without their query: it may hold a password.
func endpointDetail(e webhooks.Endpoint) map[string]any {
	return map[string]any{"id": e.ID, "url": e.PublicURL(), "about": e.Description, "types": e.Types}
}

// ChangeEndpoint implements webhooks.Store.
func (s *Store) ChangeEndpoint(ctx context.Context, at webhooks.Target,
	change func(*webhooks.Endpoint) error) (webhooks.Endpoint, error) {
	return pg.Within(ctx, s.db, func(ctx context.Context, t *pg.Tx) (webhooks.Endpoint, error) {
		was, err := lockEndpoint(ctx, t, at)
		if err != nil {
			return was, err
		}
		is := was
		if err := change(&is); err != nil {
			return is, err
		}
		err = t.Run(ctx, `
			UPDATE webhook_endpoints
			SET url = $2, description = $3, types = $4, state = $5, failing_since = $6, rotations = $7, secret = $8,
				old_secret = $9, old_secret_until = $10
			WHERE id = $1`,
			is.ID, is.URL, is.Description, pq.StringArray(is.Types), string(is.State), pg.NullTime(is.FailingSince),
			is.Rotations, is.Keys.Current, is.Keys.Old, pg.NullTime(is.Keys.OldUntil))
		if err != nil {
			return is, err
		}
		return is, auditlog.Write(ctx, t, changeActs(at, was, is)...)
	})
}

// changeActs says what an owner did: one act for each thing that differs.
func changeActs(at webhooks.Target, was, is webhooks.Endpoint) (acts []auditlog.Entry) {
	if was.State != is.State {
		action := "webhook.pause"
		if is.State == webhooks.Active {
			action = "webhook.resume"
		}
		acts = append(acts, endpointAct(at, action, map[string]any{"url": is.PublicURL()}))
	}
	if was.Rotations != is.Rotations {
		acts = append(acts, endpointAct(at, "webhook.rotate", map[string]any{"url": is.PublicURL()}))
	}
	if len(acts) == 0 {
		acts = append(acts, endpointAct(at, "webhook.change",
			map[string]any{"was": endpointDetail(was), "is": endpointDetail(is)}))
	}
	return acts
}

// DeleteEndpoint implements webhooks.Store.
func (s *Store) DeleteEndpoint(ctx context.Context, at webhooks.Target) error {
	return s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		was, err := lockEndpoint(ctx, t, at)
		if err != nil {
			return err
		}
		if _, err := t.Exec(ctx, `DELETE FROM webhook_endpoints WHERE id = $1`, at.ID); err != nil {
			return err
		}
		return auditlog.Write(ctx, t, endpointAct(at, "webhook.delete", map[string]any{"was": endpointDetail(was)}))
	})
}

// RenewKeys has renew look at the sealed secrets of every endpoint, one after the other, and stores what it makes of
// them. It returns how many it changed, and the endpoints of which renew returned webhooks.ErrSecret, which stay as they
// are. Owners and senders may work meanwhile.
func (s *Store) RenewKeys(ctx context.Context,
	renew func(endpoint string, k webhooks.Keys) (webhooks.Keys, error)) (changed int, unreadable []string, err error) {
	var ids []string
	if err := s.db.List(ctx, &ids, `SELECT id FROM webhook_endpoints ORDER BY id`); err != nil {
		return 0, nil, err
	}
	for _, id := range ids {
		differs, err := s.renewKeys(ctx, id, renew)
		switch {
		case errors.Is(err, webhooks.ErrSecret):
			unreadable = append(unreadable, id)
		case err != nil && !errors.Is(err, booking.ErrNotFound): // deleted meanwhile
			return changed, unreadable, err
		case differs:
			changed++
		}
	}
	return changed, unreadable, nil
}

func (s *Store) renewKeys(ctx context.Context, id string,
	renew func(string, webhooks.Keys) (webhooks.Keys, error)) (bool, error) {
	return pg.Within(ctx, s.db, func(ctx context.Context, t *pg.Tx) (differs bool, err error) {
		was, err := pg.Find[webhooks.Keys](ctx, t, booking.ErrNotFound, `
			SELECT secret AS current, old_secret AS old, old_secret_until AS old_until
			FROM webhook_endpoints
			WHERE id = $1
			FOR NO KEY UPDATE`, id)
		if err != nil {
			return false, err
		}
		is, err := renew(id, was)
		if err != nil || bytes.Equal(is.Current, was.Current) && bytes.Equal(is.Old, was.Old) {
			return false, err
		}
		return true, t.Run(ctx, `UPDATE webhook_endpoints SET secret = $2, old_secret = $3 WHERE id = $1`, id,
			is.Current, is.Old)
	})
}
