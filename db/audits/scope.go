package audits

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"
)

// longestTransaction is more than a transaction of the product lasts: by then others see what it wrote.
const longestTransaction = time.Minute

// readScope reads ids with a query that gives them by kind. From then on the transaction reads through indexes: nobody
// plans for how few the ids are, and a whole table costs more than all of them.
func readScope(ctx context.Context, tx *sqlx.Tx, query string, args ...any) (scope, error) {
	if _, err := tx.ExecContext(ctx, `SET LOCAL enable_seqscan = off; SET LOCAL jit = off`); err != nil {
		return nil, err
	}
	var rows []struct {
		Kind string
		IDs  *string
	}
	if err := tx.SelectContext(ctx, &rows, query, args...); err != nil {
		return nil, err
	}
	read := scope{}
	for _, row := range rows {
		if row.IDs != nil {
			read[row.Kind] = *row.IDs
		}
	}
	return read, nil
}

// selectTouched gives what was touched since a moment: all holds, and whatever the entries of ledgers, letters, acts of
// staff, answers of payment providers and reviews since then are about. Their ids rise, so each is read from its end.
const selectTouched = `
	WITH entries AS (
		SELECT id, user_id, reservation_id
		FROM ledger_entries
		WHERE id > COALESCE((SELECT id FROM ledger_entries WHERE created_at < $1 ORDER BY id DESC LIMIT 1), 0)
	), letters AS (
		SELECT reservation_id
		FROM mails
		WHERE id > COALESCE((SELECT id FROM mails WHERE created_at < $1 ORDER BY id DESC LIMIT 1), 0)
			AND kind <> 'reminder'
	), acts AS (
		SELECT slot_id, reservation_id
		FROM audit_log
		WHERE id > COALESCE((SELECT id FROM audit_log WHERE created_at < $1 ORDER BY id DESC LIMIT 1), 0)
	), answers AS (
		SELECT p.user_id, p.reservation_id
		FROM payment_answers a
		JOIN payments p ON p.id = a.payment_id
		WHERE a.id > COALESCE((SELECT id FROM payment_answers WHERE created_at < $1 ORDER BY id DESC LIMIT 1), 0)
	), written AS (
		SELECT reservation_id
		FROM reviews
		WHERE changed_at >= $1
	), touched AS (
		SELECT array_agg(id) AS ids
		FROM (
			SELECT id FROM reservations WHERE state = 'temporary'
			UNION SELECT reservation_id FROM entries
			UNION SELECT reservation_id FROM letters
			UNION SELECT reservation_id FROM acts
			UNION SELECT reservation_id FROM answers
			UNION SELECT reservation_id FROM written
		) about
	), found AS (
		SELECT slot_id, user_id
		FROM reservations
		WHERE id = ANY ((SELECT ids FROM touched)::text[]) -- a join would read all reservations
	), stays AS (
		SELECT slot_id
		FROM reservation_stays
		WHERE reservation_id = ANY ((SELECT ids FROM touched)::text[])
	)
	SELECT '' AS kind, '' AS ids
	UNION ALL SELECT 'entries', array_agg(id)::text FROM entries
	UNION ALL SELECT 'reservations', ids::text FROM touched
	UNION ALL SELECT 'diners', array_agg(user_id)::text FROM (
		SELECT user_id FROM found UNION SELECT user_id FROM entries UNION SELECT user_id FROM answers
	) who
	UNION ALL SELECT 'slots', array_agg(slot_id)::text FROM (
		SELECT slot_id FROM found UNION SELECT slot_id FROM stays UNION SELECT slot_id FROM acts
	) times
	UNION ALL SELECT 'campaigns', array_agg(id)::text FROM coupons WHERE opens_at <= now() AND closes_at > $1`

// stage is a part of an audit of everything. Its query gives so many of what comes after an id or day, and, as the kind
// "after", the last of that.
type stage struct {
	first string
	size  int // of a slice that takes about a second
	query string
}

// stages are all that there is. Stock is counted by whole days, and menu_stock has no index by them: each slice of days
// reads that of all.
var stages = []stage{
	{"0", 2_000, `
		WITH slice AS (SELECT id FROM slots WHERE id > $1::bigint ORDER BY id LIMIT $2)
		SELECT 'after' AS kind, max(id)::text AS ids FROM slice
		UNION ALL SELECT 'slots', array_agg(id)::text FROM slice
		UNION ALL SELECT 'reservations', array_agg(id)::text FROM reservations
		WHERE slot_id = ANY (ARRAY(SELECT id FROM slice))`},
	{"-infinity", 7, `
		WITH slice AS (
			SELECT DISTINCT service_date AS day FROM slots WHERE service_date > $1::date ORDER BY service_date LIMIT $2
		)
		SELECT 'after' AS kind, max(day)::text AS ids FROM slice
		UNION ALL SELECT 'days', array_agg(day)::text FROM slice`},
	{"0", 20_000, `
		WITH slice AS (SELECT id FROM ledger_entries WHERE id > $1::bigint ORDER BY id LIMIT $2)
		SELECT 'after' AS kind, max(id)::text AS ids FROM slice
		UNION ALL SELECT 'entries', array_agg(id)::text FROM slice`},
	{"", 10_000, `
		WITH slice AS (SELECT id FROM users WHERE id > $1 ORDER BY id LIMIT $2)
		SELECT 'after' AS kind, max(id) AS ids FROM slice
		UNION ALL SELECT 'diners', array_agg(id)::text FROM slice`},
	{"0", 1, `
		WITH slice AS (SELECT id FROM coupons WHERE id > $1::bigint ORDER BY id LIMIT $2)
		SELECT 'after' AS kind, max(id)::text AS ids FROM slice
		UNION ALL SELECT 'campaigns', array_agg(id)::text FROM slice`},
}
