package db

import (
	"context"
	"time"

	"lunchgo/app/booking"
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

// SubscribeParty implements push.Store. A browser that is signed in as well stays that of its session.
func (s *PushStore) SubscribeParty(ctx context.Context, partyID string, sub push.Subscription) error {
	return s.db.inTx(ctx, func(ctx context.Context, t *tx) error {
		return t.touch(ctx, booking.ErrNotFound, `
			INSERT INTO push_subscriptions (door_party_id, endpoint, p256dh, auth, vapid_key)
			SELECT d.id, $2, $3, $4, $5
			FROM door_parties d
			WHERE d.id = $1 AND d.state IN ('waiting', 'called')
				AND (SELECT count(*) FROM push_subscriptions WHERE door_party_id = d.id AND endpoint <> $2) < $6
			ON CONFLICT (endpoint) DO UPDATE
			SET door_party_id = excluded.door_party_id, p256dh = excluded.p256dh, auth = excluded.auth,
				vapid_key = excluded.vapid_key, created_at = excluded.created_at`,
			partyID, sub.Endpoint, sub.P256dh, sub.Auth, sub.Key, push.MaxSubscriptions)
	})
}

type pushRow struct {
	mailRow
	To push.Subscription
}

// pushesOf are the sorts of letters that are pushed: which they are, and how those of m are read.
var pushesOf = []struct{ which, columns, from string }{
	{"reservation_id IS NOT NULL", mailColumns, fromMails},
	{"door_party_id IS NOT NULL", callColumns, fromCalls},
}

// TakePushes implements push.Store. Senders skip what another takes at the moment.
func (s *PushStore) TakePushes(ctx context.Context, limit int) ([]push.Push, error) {
	var pushes []push.Push
	for _, of := range pushesOf {
		var rows []pushRow
		err := s.db.list(ctx, &rows, s.db.guarded(takePushes, takeDuePushes(of.which)+`
		SELECT m.subscription_id AS "to.id", browser.endpoint AS "to.endpoint", browser.p256dh AS "to.p256dh",
			browser.auth AS "to.auth", browser.vapid_key AS "to.key",
			`+of.columns+of.from+`
		JOIN push_subscriptions browser ON browser.id = m.subscription_id`), limit-len(pushes))
		if err != nil {
			return pushes, err
		}
		for _, row := range rows {
			pushes = append(pushes, push.Push{Note: row.note(), To: row.To})
		}
	}
	return pushes, nil
}

// takeDuePushes takes the pushes that are due of letters m of which which is true.
func takeDuePushes(which string) string {
	return `
		WITH due AS (
			SELECT p.mail_id, p.subscription_id
			FROM pushes p
			JOIN mails of_p ON of_p.id = p.mail_id AND of_p.` + which + `
			WHERE p.due_at <= statement_timestamp()
			ORDER BY p.attempts, p.due_at -- what was not tried yet does not wait for services that hang
			LIMIT $1
			FOR UPDATE OF p SKIP LOCKED
		), taken AS (
			UPDATE pushes p
			SET attempts = attempts + 1, due_at = clock_timestamp() + 10 * 2 ^ least(attempts, 10) * interval '1 second'
			FROM due
			WHERE p.mail_id = due.mail_id AND p.subscription_id = due.subscription_id
			RETURNING p.*
		), m AS (
			SELECT to_m.id, to_m.kind, to_m.slot_id, to_m.by_restaurant, to_m.created_at, to_m.sent_at, taken.attempts,
				to_m.user_id, to_m.reservation_id, to_m.refund_id, to_m.card_refund_id, to_m.message_id,
				to_m.door_party_id, taken.subscription_id
			FROM taken
			JOIN mails to_m ON to_m.id = taken.mail_id
		)`
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
