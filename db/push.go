package db

import (
	"context"
	"time"

	"lunchgo/app/identity"
	"lunchgo/app/push"
)

// PushStore implements push.Store. A trigger of the letters' table notes the pushes.
type PushStore struct {
	db *DB
}

// NewPushStore returns the subscriptions and pushes stored in db.
func NewPushStore(db *DB) *PushStore { return &PushStore{db: db} }

// Subscribe implements push.Store. What was noted for somebody else does not go to the browser that they have left.
func (s *PushStore) Subscribe(ctx context.Context, session identity.Session, sub push.Subscription) error {
	return s.db.inTx(ctx, func(ctx context.Context, t *tx) error {
		err := t.run(ctx, `
			DELETE FROM push_subscriptions
			WHERE endpoint = $3 AND user_id <> $2
				OR endpoint <> $3 AND session_id = $1
				OR id IN (
					SELECT id
					FROM push_subscriptions
					WHERE user_id = $2 AND endpoint <> $3
					ORDER BY created_at DESC, id DESC
					OFFSET $4
				)`, session.ID, session.UserID, sub.Endpoint, push.MaxSubscriptions-1)
		if err != nil {
			return err
		}
		return t.touch(ctx, identity.ErrNoSession, `
			INSERT INTO push_subscriptions (session_id, user_id, endpoint, p256dh, auth, vapid_key)
			SELECT session_id, user_id, $3, $4, $5, $6
			FROM user_sessions
			WHERE session_id = $1 AND user_id = $2
			ON CONFLICT (endpoint) DO UPDATE
			SET session_id = excluded.session_id, user_id = excluded.user_id, p256dh = excluded.p256dh,
				auth = excluded.auth, vapid_key = excluded.vapid_key, created_at = excluded.created_at`,
			session.ID, session.UserID, sub.Endpoint, sub.P256dh, sub.Auth, sub.Key)
	})
}

type pushRow struct {
	mailRow
	To push.Subscription
}

// TakePushes implements push.Store. Senders skip what another takes at the moment.
func (s *PushStore) TakePushes(ctx context.Context, limit int) ([]push.Push, error) {
	var rows []pushRow
	err := s.db.list(ctx, &rows, s.db.guarded(takePushes, `
		WITH due AS (
			SELECT mail_id, subscription_id
			FROM pushes
			WHERE due_at <= statement_timestamp()
			ORDER BY attempts, due_at -- what was not tried yet does not wait for services that hang
			LIMIT $1
			FOR UPDATE SKIP LOCKED
		), taken AS (
			UPDATE pushes p
			SET attempts = attempts + 1, due_at = clock_timestamp() + 10 * 2 ^ least(attempts, 10) * interval '1 second'
			FROM due
			WHERE p.mail_id = due.mail_id AND p.subscription_id = due.subscription_id
			RETURNING p.*
		), m AS (
			SELECT to_m.id, to_m.kind, to_m.slot_id, to_m.by_restaurant, to_m.created_at, to_m.sent_at, taken.attempts,
				to_m.user_id, to_m.reservation_id, to_m.refund_id, to_m.card_refund_id, to_m.message_id,
				taken.subscription_id
			FROM taken
			JOIN mails to_m ON to_m.id = taken.mail_id
		)
		SELECT m.subscription_id AS "to.id", browser.endpoint AS "to.endpoint", browser.p256dh AS "to.p256dh",
			browser.auth AS "to.auth", browser.vapid_key AS "to.key",
			`+mailColumns+fromMails+`
		JOIN push_subscriptions browser ON browser.id = m.subscription_id`), limit)
	pushes := make([]push.Push, len(rows))
	for i, row := range rows {
		pushes[i] = push.Push{Note: row.note(), To: row.To}
	}
	return pushes, err
}

// DeletePush implements push.Store.
func (s *PushStore) DeletePush(ctx context.Context, p push.Push) error {
	return s.db.exec(ctx, `DELETE FROM pushes WHERE mail_id = $1 AND subscription_id = $2`, p.ID, p.To.ID)
}

// PostponePush implements push.Store.
func (s *PushStore) PostponePush(ctx context.Context, p push.Push, until time.Time) error {
	return s.db.exec(ctx, `UPDATE pushes SET due_at = $3, attempts = 0 WHERE mail_id = $1 AND subscription_id = $2`,
		p.ID, p.To.ID, until)
}

// Unsubscribe implements push.Store.
func (s *PushStore) Unsubscribe(ctx context.Context, id int64) error {
	return s.db.exec(ctx, `DELETE FROM push_subscriptions WHERE id = $1`, id)
}
