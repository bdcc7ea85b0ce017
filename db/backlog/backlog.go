// Package backlog counts what waits in the database, for the metrics.
package backlog

import (
	"context"
	"time"

	"lunchgo/app/mail"
	"lunchgo/db/pg"
)

// Backlog is what waits in the tables: holds, of them those that ended more than a minute ago; letters that failed and
// are tried again, and how long the oldest of them has been noted; steps of payments that the provider has not decided,
// and how long the first of them waits; and what its lists of the last seven days do not agree about.
type Backlog struct {
	Holds, HoldsLate, Mails int
	MailsOldest             time.Duration
	Payments                int
	PaymentsOldest          time.Duration
	Differences             int
}

// Read reads what waits. Its parts each read an index of what waits only, or a few rows.
func Read(ctx context.Context, db *pg.Pool) (Backlog, error) {
	return pg.One[Backlog](ctx, db, `
		SELECT holds, holds_late, mails, mails_oldest, payments, payments_oldest, differences
		FROM (
			SELECT count(*) AS holds, count(*) FILTER (WHERE hold_expires_at < now() - interval '1 minute') AS holds_late
			FROM reservations
			WHERE state = 'temporary'
		) held, (
			SELECT count(*) AS mails,
				(coalesce(extract(epoch FROM now() - min(created_at)), 0) * 1e9)::bigint AS mails_oldest
			FROM mails
			WHERE sent_at IS NULL AND attempts BETWEEN 1 AND $1 - 1
		) failing, (
			SELECT count(*) AS payments,
				(coalesce(extract(epoch FROM now() - min(moved_at)), 0) * 1e9)::bigint AS payments_oldest
			FROM payments
			WHERE due_at IS NOT NULL AND state NOT IN ('started', 'authorised')
		) undecided, (
			SELECT coalesce(sum(jsonb_array_length(differences)), 0) AS differences
			FROM payment_days
			WHERE day > now() - interval '8 days'
		) compared`, mail.MaxAttempts)
}
