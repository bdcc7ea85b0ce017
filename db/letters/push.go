package letters

import (
	"context"
	"time"

	"github.com/lib/pq"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/mail"
	"lunchgo/app/push"
	"lunchgo/db/pg"
)

// PushStore implements push.Store and push.Queue. A trigger of the letters' table notes the pushes.
type PushStore struct {
	db *pg.Pool
}

// NewPushStore returns the subscriptions and pushes stored in db.
func NewPushStore(db *pg.Pool) *PushStore { return &PushStore{db: db} }

// Subscribe implements push.Store. What was noted for somebody else does not go to the browser that they have left.
func (s *PushStore) Subscribe(ctx context.Context, session identity.Session, sub push.Subscription) error {
	return s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		err := t.Run(ctx, `
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
		return t.Touch(ctx, identity.ErrNoSession, `
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
	return s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		return t.Touch(ctx, booking.ErrNotFound, `
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

// Follow implements push.Store. A repeat changes nothing.
func (s *PushStore) Follow(ctx context.Context, session identity.Session, restaurantID int64) error {
	return s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		return t.Touch(ctx, booking.ErrNotFound, `
			INSERT INTO booking_followers (restaurant_id, subscription_id, user_id)
			SELECT m.restaurant_id, p.id, m.user_id
			FROM push_subscriptions p
			JOIN staff_members m ON m.user_id = p.user_id AND m.restaurant_id = $2
			WHERE p.session_id = $1
			ON CONFLICT (restaurant_id, subscription_id) DO UPDATE SET user_id = excluded.user_id`, session.ID, restaurantID)
	})
}

// Unfollow implements push.Store.
func (s *PushStore) Unfollow(ctx context.Context, session identity.Session, restaurantID int64) error {
	return s.db.Exec(ctx, `
		DELETE FROM booking_followers
		WHERE restaurant_id = $2 AND subscription_id IN (SELECT id FROM push_subscriptions WHERE session_id = $1)`,
		session.ID, restaurantID)
}

// Follows implements push.Store.
func (s *PushStore) Follows(ctx context.Context, session identity.Session, restaurantID int64) (bool, error) {
	return pg.One[bool](ctx, s.db, `
		SELECT EXISTS (
			SELECT
			FROM booking_followers f
			JOIN push_subscriptions p ON p.id = f.subscription_id
			WHERE f.restaurant_id = $2 AND p.session_id = $1
		)`, session.ID, restaurantID)
}

type pushRow struct {
	mailRow
	To push.Subscription
}

// urgentLetters are the sorts of letters that go to browsers and phones: which they are, and how those of m are read.
var urgentLetters = []struct{ which, columns, from string }{
	{"reservation_id IS NOT NULL", mailColumns, fromMails},
	{"door_party_id IS NOT NULL", callColumns, fromCalls},
}

// browserColumns are where a push goes.
const browserColumns = `browser.id AS "to.id", browser.endpoint AS "to.endpoint", browser.p256dh AS "to.p256dh",
		browser.auth AS "to.auth", browser.vapid_key AS "to.key"`

// TakePushes implements push.Queue. Senders skip what another takes at the moment. One statement looks whether there is
// anything, which mostly there is not.
func (s *PushStore) TakePushes(ctx context.Context, limit int) (pushes []push.Push, err error) {
	var due struct{ Letters, Bookings bool }
	if err = s.db.Get(ctx, &due, `
		SELECT EXISTS (SELECT FROM pushes WHERE due_at <= statement_timestamp()) AS letters,
			EXISTS (SELECT FROM booking_pushes) AS bookings`); err != nil {
		return nil, err
	}
	if due.Letters {
		pushes, err = s.takeLetters(ctx, limit)
	}
	if due.Bookings && err == nil {
		var bookings []push.Push
		bookings, err = s.takeBookings(ctx, limit-len(pushes))
		pushes = append(pushes, bookings...)
	}
	return pushes, err
}

func (s *PushStore) takeLetters(ctx context.Context, limit int) (pushes []push.Push, err error) {
	for _, of := range urgentLetters {
		var rows []pushRow
		err := s.db.List(ctx, &rows, s.db.Guarded(TakePushes, takeDuePushes(of.which)+`
		SELECT `+browserColumns+`, `+of.columns+of.from+`
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

// bookingsRow is new bookings of a restaurant for a browser.
type bookingsRow struct {
	Attempts            int
	Language            string
	CreatedAt           time.Time
	RestaurantID        int64
	IDs                 pq.Int64Array
	Bookings, People    int
	FirstDate, LastDate booking.Date
	FirstTime, LastTime booking.TimeOfDay
	To                  push.Subscription
}

func (row bookingsRow) push() push.Push {
	return push.Push{To: row.To,
		Note: mail.Note{Attempts: row.Attempts, Language: row.Language, CreatedAt: row.CreatedAt},
		Bookings: push.Bookings{RestaurantID: row.RestaurantID, IDs: row.IDs, Count: row.Bookings, People: row.People,
			First: booking.SlotKey{RestaurantID: row.RestaurantID, Date: row.FirstDate, Time: row.FirstTime},
			Last:  booking.SlotKey{RestaurantID: row.RestaurantID, Date: row.LastDate, Time: row.LastTime}}}
}

// takeBookings takes all new bookings of those browsers that may be pushed to again.
func (s *PushStore) takeBookings(ctx context.Context, limit int) (pushes []push.Push, err error) {
	rows, err := pg.List[bookingsRow](ctx, s.db, s.db.Guarded(TakeNewBookings, `
		WITH waiting AS (
			SELECT DISTINCT restaurant_id, subscription_id
			FROM booking_pushes
		), due AS (
			SELECT f.restaurant_id, f.subscription_id
			FROM booking_followers f
			JOIN waiting USING (restaurant_id, subscription_id)
			WHERE f.due_at <= statement_timestamp()
			ORDER BY f.attempts, f.due_at
			LIMIT $1
			FOR UPDATE OF f SKIP LOCKED
		), taken AS (
			UPDATE booking_followers f
			SET `+urgentLease+`
			FROM due
			WHERE f.restaurant_id = due.restaurant_id AND f.subscription_id = due.subscription_id
			RETURNING f.*
		), gathered AS (
			SELECT restaurant_id, subscription_id, array_agg(id ORDER BY id) AS ids, min(created_at) AS created_at,
				sum(bookings) AS bookings, sum(people) AS people, min(service_date + service_time) AS first,
				max(service_date + service_time) AS last
			FROM booking_pushes
			JOIN taken USING (restaurant_id, subscription_id)
			GROUP BY restaurant_id, subscription_id
		)
		SELECT taken.attempts, u.language, g.created_at, g.restaurant_id, g.ids, g.bookings, g.people,
			to_char(g.first, 'YYYY-MM-DD') AS first_date, to_char(g.first, 'HH24:MI') AS first_time,
			to_char(g.last, 'YYYY-MM-DD') AS last_date, to_char(g.last, 'HH24:MI') AS last_time, `+browserColumns+`
		FROM gathered g
		JOIN taken USING (restaurant_id, subscription_id)
		JOIN users u ON u.id = taken.user_id
		JOIN push_subscriptions browser ON browser.id = g.subscription_id`), limit)
	for _, row := range rows {
		pushes = append(pushes, row.push())
	}
	return pushes, err
}

// urgentLease takes what is sent to browsers and phones for a while: for 10 s, then for twice as long each time.
const urgentLease = `attempts = attempts + 1,
				due_at = clock_timestamp() + 10 * 2 ^ least(attempts, 10) * interval '1 second'`

// urgentColumns are what urgentLetters read of a letter to_m, whose attempts are those of what is taken.
const urgentColumns = `to_m.id, to_m.kind, to_m.slot_id, to_m.by_restaurant, to_m.created_at,
				taken.attempts, to_m.user_id, to_m.reservation_id, to_m.refund_id, to_m.card_refund_id, to_m.message_id,
				to_m.door_party_id`

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
			SET ` + urgentLease + `
			FROM due
			WHERE p.mail_id = due.mail_id AND p.subscription_id = due.subscription_id
			RETURNING p.*
		), m AS (
			SELECT ` + urgentColumns + `, taken.subscription_id
			FROM taken
			JOIN mails to_m ON to_m.id = taken.mail_id
		)`
}

// DeletePush implements push.Queue.
func (s *PushStore) DeletePush(ctx context.Context, p push.Push) error {
	if b := p.Bookings; b.Count > 0 {
		return s.db.Exec(ctx, `
			WITH sent AS (DELETE FROM booking_pushes WHERE id = ANY ($3))
			UPDATE booking_followers
			SET attempts = 0, due_at = clock_timestamp() + $4 * interval '1 microsecond'
			WHERE restaurant_id = $1 AND subscription_id = $2`, b.RestaurantID, p.To.ID, pq.Int64Array(b.IDs),
			push.GatherTime.Microseconds())
	}
	return s.db.Exec(ctx, `DELETE FROM pushes WHERE mail_id = $1 AND subscription_id = $2`, p.ID, p.To.ID)
}

// PostponePush implements push.Queue.
func (s *PushStore) PostponePush(ctx context.Context, p push.Push, until time.Time) error {
	return s.db.Exec(ctx, `UPDATE pushes SET due_at = $3, attempts = 0 WHERE mail_id = $1 AND subscription_id = $2`,
		p.ID, p.To.ID, until)
}

// Unsubscribe implements push.Queue.
func (s *PushStore) Unsubscribe(ctx context.Context, id int64) error {
	return s.db.Exec(ctx, `DELETE FROM push_subscriptions WHERE id = $1`, id)
}
