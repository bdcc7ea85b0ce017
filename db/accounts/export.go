package accounts

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// exportBatch is how many rows of a section are in memory at once.
const exportBatch = 1_000

// section is a part of what the product knows of a person. Its query takes the person's id, and yields key, by which
// the rows are ordered, and doc. Rows are taken whole, but for what only serves the machinery, so that a new column
// cannot be forgotten; a test holds the sections to the tables.
type section struct {
	name   string
	tables []string // that have a column of the person's id
	query  string
}

// numbered reads the rows of a person in a table without numbers, in an order, and without some columns.
func numbered(table, order, without string) string {
	return `
		SELECT row_number() OVER (ORDER BY ` + order + `) AS key, to_jsonb(t) - '{` + without + `}'::text[] AS doc
		FROM ` + table + ` t
		WHERE user_id = $1`
}

var exportSections = []section{
	{"account", []string{"users"}, `
		SELECT 1::bigint AS key, to_jsonb(u) - '{password_hash,deleted_at}'::text[] AS doc
		FROM users u
		WHERE id = $1`},
	{"sessions", []string{"user_sessions"}, numbered("user_sessions", "created_at, session_id", "user_id,session_id")},
	{"identities", []string{"user_identities"}, numbered("user_identities", "created_at, issuer, subject", "user_id")},
	{"consents", []string{"consents"}, numbered("consents", "agreed_at, document, version", "user_id")},
	{"passkeys", []string{"passkeys"}, numbered("passkeys", "created_at, id", "user_id,public_key,sign_count")},
	{"pushSubscriptions", []string{"push_subscriptions"}, `
		SELECT id AS key, jsonb_build_object('endpoint', endpoint, 'created_at', created_at) AS doc
		FROM push_subscriptions t
		WHERE user_id = $1`},
	{"followedBookings", []string{"booking_followers"}, `
		SELECT row_number() OVER (ORDER BY t.restaurant_id, t.subscription_id) AS key,
			jsonb_build_object('restaurant_id', p.id, 'restaurant', p.name_ko, 'endpoint', b.endpoint) AS doc
		FROM booking_followers t
		JOIN restaurants p ON p.id = t.restaurant_id
		JOIN push_subscriptions b ON b.id = t.subscription_id
		WHERE t.user_id = $1`},
	{"memberships", []string{"staff_members"}, `
		SELECT restaurant_id AS key, jsonb_build_object('restaurant_id', p.id, 'restaurant', p.name_ko, 'role', t.role) AS doc
		FROM staff_members t
		JOIN restaurants p ON p.id = t.restaurant_id
		WHERE user_id = $1`},
	{"invitations", []string{"staff_invitations"}, `
		SELECT row_number() OVER (ORDER BY t.created_at, t.id) AS key,
			jsonb_build_object('restaurant', p.name_ko, 'role', t.role,
			'created_at', t.created_at, 'expires_at', t.expires_at, 'ended_at', t.ended_at, 'byYou', t.invited_by = u.id) AS doc
		FROM users u
		JOIN staff_invitations t ON t.email = u.email AND NOT u.provisional OR t.invited_by = u.id
		JOIN restaurants p ON p.id = t.restaurant_id
		WHERE u.id = $1`},
	{"rehearsals", []string{"rehearsals"}, `
		SELECT row_number() OVER (ORDER BY t.created_at, t.id) AS key,
			jsonb_build_object('restaurant', p.name_ko, 'created_at', t.created_at) AS doc
		FROM rehearsals t
		JOIN restaurants p ON p.id = t.restaurant_id
		WHERE t.started_by = $1`},
	{"restaurantsOpened", []string{"restaurants"}, `
		SELECT id AS key, jsonb_build_object('restaurant_id', id, 'restaurant', name_ko, 'state', state,
			'opened_at', opened_at) AS doc
		FROM restaurants t
		WHERE opened_by = $1`},
	{"reservations", []string{"reservations", "reservation_changes", "reservation_refunds", "guest_messages"}, `
		SELECT r.ordinal AS key,
			to_jsonb(r) - '{ordinal,user_id,slot_id,fence,arrival,ticket,payment_key,idempotency_key,booked_by}'::text[]
				|| jsonb_build_object(
				'restaurant', p.name_ko, 'date', s.service_date, 'time', to_char(s.service_time, 'HH24:MI'),
				'changed', COALESCE((
					SELECT jsonb_agg(to_jsonb(c) - '{user_id,staff_id,reservation_id,fence,arrival,ticket,idempotency_key}'::text[]
						ORDER BY c.number)
					FROM reservation_changes c
					WHERE c.reservation_id = r.id
				), '[]'),
				'refundsByStaff', COALESCE((
					SELECT jsonb_agg(jsonb_build_object('amount', b.amount, 'reason', b.reason, 'created_at', b.created_at)
						ORDER BY b.created_at)
					FROM reservation_refunds b
					WHERE b.reservation_id = r.id
				), '[]'),
				'messages', COALESCE((
					SELECT jsonb_agg(jsonb_build_object('text', m.text, 'created_at', m.created_at,
						'offered_date', m.offered_date, 'offered_time', m.offered_time,
						'offered_refund', m.offered_refund, 'declined_at', said.declined_at,
						'withdrawn_at', said.withdrawn_at)
						ORDER BY m.created_at)
					FROM guest_message_recipients said
					JOIN guest_messages m ON m.id = said.message_id
					WHERE said.reservation_id = r.id AND said.reached
				), '[]'),
				'items', COALESCE((
					SELECT jsonb_agg(to_jsonb(i) - 'reservation_id' ORDER BY i.menu_item_id)
					FROM reservation_items i
					WHERE i.reservation_id = r.id
				), '[]'),
				'seats', COALESCE((
					SELECT jsonb_agg(DISTINCT n.label)
					FROM reservation_seats t
					JOIN seats n ON n.id = t.seat_id
					WHERE t.reservation_id = r.id
				), '[]')) AS doc
		FROM reservations r
		JOIN slots s ON s.id = r.slot_id
		JOIN restaurants p ON p.id = r.restaurant_id
		WHERE r.user_id = $1`},
	{"favourites", []string{"favourites"}, `
		SELECT t.id AS key, jsonb_build_object('restaurant_id', p.id, 'restaurant', p.name_ko,
			'created_at', t.created_at) AS doc
		FROM favourites t
		JOIN restaurants p ON p.id = t.restaurant_id
		WHERE t.user_id = $1`},
	{"reviews", []string{"reviews"}, `
		SELECT t.id AS key, to_jsonb(t) - '{id,user_id,restaurant_id}'::text[]
			|| jsonb_build_object('restaurant', p.name_ko) AS doc
		FROM reviews t
		JOIN restaurants p ON p.id = t.restaurant_id
		WHERE t.user_id = $1`},
	{"reportsOfReviews", []string{"review_reports"}, `
		SELECT t.review_id AS key, jsonb_build_object('restaurant', p.name_ko, 'reason', t.reason,
			'created_at', t.created_at) AS doc
		FROM review_reports t
		JOIN reviews v ON v.id = t.review_id
		JOIN restaurants p ON p.id = v.restaurant_id
		WHERE t.user_id = $1`},
	{"guestHistory", []string{"guests", "guest_notes"}, `
		SELECT g.number AS key, jsonb_build_object('restaurant', p.name_ko, 'tags', g.tags, 'tags_set_at', g.tags_set_at,
			'notes', COALESCE((
				SELECT jsonb_agg(jsonb_build_object('text', n.text, 'created_at', n.created_at) ORDER BY n.id)
				FROM guest_notes n
				WHERE n.guest_id = g.id
			), '[]')) AS doc
		FROM guests g
		JOIN restaurants p ON p.id = g.restaurant_id
		WHERE g.user_id = $1`},
	{"wallet", []string{"accounts"}, `
		SELECT 1::bigint AS key, to_jsonb(t) - 'user_id' AS doc
		FROM accounts t
		WHERE user_id = $1`},
	{"payments", []string{"payments"}, `
		SELECT row_number() OVER (ORDER BY t.created_at, t.id) AS key,
			to_jsonb(t) - '{user_id,idempotency_key,checkout_url,due_at,attempts,moved_at,before}'::text[]
				|| jsonb_build_object('refunds', COALESCE((
				SELECT jsonb_agg(to_jsonb(refund) - 'payment_id' ORDER BY refund.created_at, refund.id)
				FROM payment_refunds refund
				WHERE refund.payment_id = t.id
			), '[]')) AS doc
		FROM payments t
		WHERE user_id = $1`},
	{"ledger", []string{"ledger_entries"}, `
		SELECT version AS key, to_jsonb(t) - '{id,user_id,idempotency_key}'::text[] AS doc
		FROM ledger_entries t
		WHERE user_id = $1`},
	{"waitlist", []string{"waitlist_entries"}, `
		SELECT t.ordinal AS key, to_jsonb(t) - '{ordinal,user_id,slot_id,idempotency_key}'::text[] || jsonb_build_object(
			'restaurant', p.name_ko, 'date', s.service_date, 'time', to_char(s.service_time, 'HH24:MI')) AS doc
		FROM waitlist_entries t
		JOIN slots s ON s.id = t.slot_id
		JOIN restaurants p ON p.id = t.restaurant_id
		WHERE t.user_id = $1`},
	{"coupons", []string{"coupon_claims"}, `
		SELECT t.ordinal AS key, to_jsonb(t) - '{ordinal,user_id,fence,arrival,ticket,idempotency_key}'::text[]
			|| jsonb_build_object(
			'name', c.name_ko, 'use', c.use, 'amount', c.amount, 'valid_until', c.valid_until) AS doc
		FROM coupon_claims t
		JOIN coupons c ON c.id = t.coupon_id
		WHERE t.user_id = $1`},
	{"letters", []string{"mails"}, `
		SELECT id AS key, to_jsonb(t) - '{user_id,slot_id,due_at,link_id}'::text[] AS doc
		FROM mails t
		WHERE user_id = $1 AND link_id IS NULL -- which links were not sent says whose addresses they are`},
	{"links", []string{"email_links"}, numbered("email_links", "created_at, id", "id,user_id")},
	{"actsAsStaff", []string{"audit_log"}, `
		SELECT id AS key, to_jsonb(t) - '{staff_id,slot_id}'::text[] AS doc
		FROM audit_log t
		WHERE staff_id = $1`},
}

type exportRow struct {
	Key int64
	Doc []byte
}

// Export implements identity.AccountStore. It reads some rows at a time, and holds no connection while it writes: what
// changes meanwhile may be in one section and not yet in another.
func (s *Store) Export(ctx context.Context, userID string, w io.Writer) error {
	for i, section := range exportSections {
		separator := ","
		if i == 0 {
			separator = "{"
		}
		if _, err := fmt.Fprintf(w, "%s\n%q: [", separator, section.name); err != nil {
			return err
		}
		if err := s.exportSection(ctx, userID, section, w); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, "\n}\n")
	return err
}

func (s *Store) exportSection(ctx context.Context, userID string, section section, w io.Writer) error {
	after := int64(0)
	for {
		var rows []exportRow
		err := s.db.List(ctx, &rows, `
			SELECT key, doc
			FROM (`+section.query+`
			) section
			WHERE key > $2
			ORDER BY key
			LIMIT $3`, userID, after, exportBatch)
		if err != nil {
			return err
		}
		for _, row := range rows {
			doc, err := camelCase(row.Doc)
			if err != nil {
				return err
			}
			separator := ",\n"
			if after == 0 {
				separator = "\n"
			}
			after = row.Key
			if _, err := w.Write(append([]byte(separator), doc...)); err != nil {
				return err
			}
		}
		if len(rows) < exportBatch {
			_, err := io.WriteString(w, "]")
			return err
		}
	}
}

// camelCase writes an object's members as the API does.
func camelCase(doc []byte) ([]byte, error) {
	decoder := json.NewDecoder(bytes.NewReader(doc))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, fmt.Errorf("accounts: export: %w", err)
	}
	return json.Marshal(renamed(value))
}

func renamed(value any) any {
	switch v := value.(type) {
	case map[string]any:
		members := make(map[string]any, len(v))
		for name, member := range v {
			members[camel(name)] = renamed(member)
		}
		return members
	case []any:
		for i := range v {
			v[i] = renamed(v[i])
		}
	}
	return value
}

func camel(name string) string {
	words := strings.Split(name, "_")
	for i, word := range words[1:] {
		if word != "" {
			words[i+1] = strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return strings.Join(words, "")
}
