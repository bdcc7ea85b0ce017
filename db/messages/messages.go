// Package messages stores what staff write to guests.
package messages

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"strings"
	"time"

	"github.com/lib/pq"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/messages"
	"lunchgo/db/auditlog"
	"lunchgo/db/pg"
)

// Guards of the package.
const (
	LockMessages  pg.Guard = "lock the messages of a restaurant"
	InsertMessage pg.Guard = "store a message to guests"
)

// Store implements messages.Store.
type Store struct{ db *pg.Pool }

// NewStore returns the messages stored in db.
func NewStore(db *pg.Pool) *Store { return &Store{db} }

// PartyColumns are who comes, of a reservation r in slot s with account u.
const PartyColumns = `r.id AS reservation_id, to_char(s.service_time, 'HH24:MI') AS time,
		COALESCE(r.guest_name, u.name, '') AS name, COALESCE(r.guest_phone, u.phone, '') AS phone, r.party_size,
		r.state`

// IsReached says whether a letter goes to account u: who has none cannot be reached, and a deleted one has an address
// of nobody.
const IsReached = `u.id IS NOT NULL AND u.deleted_at IS NULL AS reached`

// AnswerColumn is what became of the time that message m offers to recipient g, whose reservation is r.
const AnswerColumn = `CASE
			WHEN m.offered_date IS NULL THEN 'none'
			WHEN r.slot_id <> g.slot_id THEN 'moved'
			WHEN r.state NOT IN ('temporary', 'confirmed', 'prepaid_confirmed') THEN 'ended'
			WHEN g.withdrawn_at IS NOT NULL THEN 'withdrawn'
			WHEN g.declined_at IS NOT NULL THEN 'declined'
			ELSE 'waiting'
		END AS answer`

const recipientColumns = PartyColumns + `, s.service_date::text AS date`

// listRecipients returns for whom a message is.
func listRecipients(ctx context.Context, from pg.Reader, to messages.Audience) ([]messages.Recipient, error) {
	states := pq.StringArray{}
	for _, state := range to.States() {
		states = append(states, string(state))
	}
	which, args := `r.id = $3`, []any{to.RestaurantID, states, to.ReservationID}
	if to.ReservationID == "" {
		which = `s.service_date = $3::date AND ($4 = '' OR s.service_time = NULLIF($4, '')::time)`
		args = []any{to.RestaurantID, states, string(to.Date), string(to.Time)}
	}
	return pg.List[messages.Recipient](ctx, from, `
		SELECT `+recipientColumns+`, `+IsReached+`, 'none' AS answer
		FROM slots s
		JOIN reservations r ON r.slot_id = s.id
		LEFT JOIN users u ON u.id = r.user_id
		WHERE s.restaurant_id = $1 AND r.state = ANY ($2) AND `+which+`
		ORDER BY s.service_time, r.ordinal`, args...)
}

// ListRecipients implements messages.Store.
func (s *Store) ListRecipients(ctx context.Context, to messages.Audience) ([]messages.Recipient, error) {
	return listRecipients(ctx, s.db, to)
}

// Send implements messages.Store. The lock makes the limit exact, and has a repeat find the first.
func (s *Store) Send(ctx context.Context, m messages.Message) (messages.Message, error) {
	return pg.Within(ctx, s.db, func(ctx context.Context, t *pg.Tx) (sent messages.Message, err error) {
		err = t.Run(ctx, s.db.Guarded(LockMessages, `
			SELECT pg_advisory_xact_lock(hashtextextended('messages of ' || $1::bigint, 0))`), m.RestaurantID)
		if err != nil {
			return sent, err
		}
		id, err := earlierMessage(ctx, t, m)
		if err == nil && id == "" {
			id, err = newMessage(ctx, t, m)
		}
		if err != nil {
			return sent, err
		}
		return findMessage(ctx, t, m.RestaurantID, id)
	})
}

// earlierMessage returns the id of what an earlier call with the same key sent; empty for nothing. Returns
// booking.ErrKeyReused when that was something else.
func earlierMessage(ctx context.Context, t *pg.Tx, m messages.Message) (string, error) {
	var earlier struct {
		ID   string
		Same bool
	}
	err := t.Get(ctx, &earlier, `
		SELECT id, text = $4 AND reservation_id IS NOT DISTINCT FROM NULLIF($5, '')
				AND (offered_date, offered_time, offered_refund)
					IS NOT DISTINCT FROM (NULLIF($8, '')::date, NULLIF($9, '')::time, $10::boolean)
				AND ($5 <> '' OR (service_date, service_time) IS NOT DISTINCT FROM
					(NULLIF($6, '')::date, NULLIF($7, '')::time)) AS same
		FROM guest_messages
		WHERE restaurant_id = $1 AND staff_id = $2 AND idempotency_key = $3`,
		m.RestaurantID, m.StaffID, m.Key, m.Text, m.ReservationID, string(m.Date), string(m.Time), string(m.Offer.Date),
		string(m.Offer.Time), m.Offer.Refund)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return "", nil
	case err == nil && !earlier.Same:
		err = booking.ErrKeyReused
	}
	return earlier.ID, err
}

// newMessage sends a message, and returns its id.
func newMessage(ctx context.Context, t *pg.Tx, m messages.Message) (string, error) {
	if err := checkMessages(ctx, t, m.RestaurantID); err != nil {
		return "", err
	}
	found, err := listRecipients(ctx, t, m.Audience)
	if err == nil && len(found) == 0 {
		err = messages.ErrNobody
	}
	if err != nil {
		return "", err
	}
	if m.ReservationID != "" {
		m.Date, m.Time = found[0].Date, found[0].Time
	}
	m.ID = rand.Text()
	_, err = t.Exec(ctx, t.Pool.Guarded(InsertMessage, `
		INSERT INTO guest_messages (id, restaurant_id, staff_id, idempotency_key, reservation_id, service_date,
			service_time, text, offered_date, offered_time, offered_refund)
		VALUES ($1, $2, $3, $4, NULLIF($5, ''), $6::date, NULLIF($7, '')::time, $8, NULLIF($9, '')::date,
			NULLIF($10, '')::time, $11)`),
		m.ID, m.RestaurantID, m.StaffID, m.Key, m.ReservationID, string(m.Date), string(m.Time), m.Text,
		string(m.Offer.Date), string(m.Offer.Time), m.Offer.Refund)
	if err != nil {
		return "", err
	}
	if m.Recipients, err = writeToRecipients(ctx, t, m, found); err != nil {
		return "", err
	}
	return m.ID, noteMessage(ctx, t, m)
}

// checkMessages returns *identity.LetterLimitError when a restaurant has written as often as it may.
func checkMessages(ctx context.Context, t *pg.Tx, restaurantID int64) error {
	var wait *int64 // microseconds
	err := t.Get(ctx, &wait, `
		SELECT (
			SELECT (extract(epoch FROM created_at + interval '1 day' - statement_timestamp()) * 1e6)::bigint
			FROM guest_messages
			WHERE restaurant_id = $1 AND created_at > statement_timestamp() - interval '1 day'
			ORDER BY created_at DESC
			OFFSET $2 - 1
			LIMIT 1
		)`, restaurantID, messages.MaxADay)
	if err == nil && wait != nil {
		err = &identity.LetterLimitError{Wait: time.Duration(*wait) * time.Microsecond}
	}
	return err
}

// writeToRecipients stores whom a message reaches, and their letters. Accounts are locked against their deletion, so
// that what is deleted meanwhile is not written to. Load tests write to nobody.
func writeToRecipients(ctx context.Context, t *pg.Tx, m messages.Message,
	to []messages.Recipient) (reached []messages.Recipient, err error) {
	ids := make(pq.StringArray, len(to))
	for i, r := range to {
		ids[i] = r.ReservationID
	}
	_, err = t.Exec(ctx, `
		SELECT id
		FROM users
		WHERE id IN (SELECT user_id FROM reservations WHERE id = ANY ($1)) AND deleted_at IS NULL
		ORDER BY id
		FOR KEY SHARE`, ids)
	if err != nil {
		return nil, err
	}
	err = t.List(ctx, &reached, `
		WITH noted AS (
			INSERT INTO guest_message_recipients (message_id, reservation_id, reached, slot_id)
			SELECT $1, r.id, u.id IS NOT NULL, r.slot_id
			FROM reservations r
			LEFT JOIN users u ON u.id = r.user_id AND u.deleted_at IS NULL
			WHERE r.id = ANY ($2)
			RETURNING reservation_id, reached
		), letters AS (
			INSERT INTO mails (kind, user_id, reservation_id, message_id, by_restaurant)
			SELECT 'message', r.user_id, r.id, $1, true
			FROM noted
			JOIN reservations r ON r.id = noted.reservation_id
			JOIN restaurants p ON p.id = r.restaurant_id AND NOT p.shadow
			WHERE noted.reached
		)
		SELECT reservation_id, reached
		FROM noted`, m.ID, ids)
	return reached, err
}

// noteMessage writes into the log whom a member of staff has written to, and what.
func noteMessage(ctx context.Context, t *pg.Tx, m messages.Message) error {
	var reached int
	for _, r := range m.Recipients {
		if r.Reached {
			reached++
		}
	}
	act := auditlog.Entry{StaffID: m.StaffID, RestaurantID: m.RestaurantID, ReservationID: m.ReservationID,
		Action: "message.guests", Detail: map[string]any{"reached": reached, "unreached": len(m.Recipients) - reached},
		Reason: m.Text}
	if !m.Offer.IsNone() {
		act.Detail["refund_offered"] = m.Offer.Refund
		act.Detail["offered_time"] = strings.TrimSpace(string(m.Offer.Date) + " " + string(m.Offer.Time))
	}
	switch {
	case m.ReservationID != "":
		act.Action = "message.guest"
	case m.Time == "":
		act.Detail["date"] = m.Date
	default:
		err := t.Get(ctx, &act.SlotID, `
			SELECT id FROM slots WHERE restaurant_id = $1 AND service_date = $2::date AND service_time = $3::time`,
			m.RestaurantID, string(m.Date), string(m.Time))
		if err != nil {
			return err
		}
	}
	return auditlog.Write(ctx, t, act)
}

// Find implements messages.Store.
func (s *Store) Find(ctx context.Context, restaurantID int64, id string) (messages.Message, error) {
	return findMessage(ctx, s.db, restaurantID, id)
}

// findMessage returns a message with its recipients, by the names and numbers of now.
func findMessage(ctx context.Context, from pg.Reader, restaurantID int64, id string) (messages.Message, error) {
	m, err := pg.Find[messages.Message](ctx, from, booking.ErrNotFound, `
		SELECT m.id, m.restaurant_id, COALESCE(m.reservation_id, '') AS reservation_id, m.service_date::text AS date,
			COALESCE(to_char(m.service_time, 'HH24:MI'), '') AS time, m.staff_id, u.name AS by,
			m.idempotency_key AS key, m.text, m.created_at, COALESCE(m.offered_date::text, '') AS "offer.date",
			COALESCE(to_char(m.offered_time, 'HH24:MI'), '') AS "offer.time", m.offered_refund AS "offer.refund"
		FROM guest_messages m
		JOIN users u ON u.id = m.staff_id
		WHERE m.restaurant_id = $1 AND m.id = $2`, restaurantID, id)
	if err != nil {
		return messages.Message{}, err
	}
	m.Recipients, err = pg.List[messages.Recipient](ctx, from, `
		SELECT `+recipientColumns+`, g.reached, `+AnswerColumn+`
		FROM guest_message_recipients g
		JOIN guest_messages m ON m.id = g.message_id
		JOIN reservations r ON r.id = g.reservation_id
		JOIN slots s ON s.id = r.slot_id
		LEFT JOIN users u ON u.id = r.user_id
		WHERE g.message_id = $1
		ORDER BY s.service_date, s.service_time, r.ordinal`, id)
	return m, err
}
