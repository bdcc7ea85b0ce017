package db

import (
	"context"
	"time"

	"lunchgo/app/mail"
)

// Backlog is what waits in the tables: holds, of them those that ended more than a minute ago; letters that failed and
// are tried again, and how long the oldest of them has been noted.
type Backlog struct {
	Holds         int     `db:"holds"`
	HoldsLate     int     `db:"holds_late"`
	Mails         int     `db:"mails"`
	OldestSeconds float64 `db:"oldest_seconds"`
}

// MailsOldest is how long ago the first of the letters was noted.
func (b Backlog) MailsOldest() time.Duration {
	return time.Duration(b.OldestSeconds * float64(time.Second))
}

// Backlog reads what waits. Its two parts each read an index of what waits only.
func (db *DB) Backlog(ctx context.Context) (b Backlog, err error) {
	err = db.get(ctx, &b, `
		SELECT holds, holds_late, mails, oldest_seconds
		FROM (
			SELECT count(*) AS holds, count(*) FILTER (WHERE hold_expires_at < now() - interval '1 minute') AS holds_late
			FROM reservations
			WHERE state = 'temporary'
		) held, (
			SELECT count(*) AS mails, coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS oldest_seconds
			FROM mails
			WHERE sent_at IS NULL AND attempts BETWEEN 1 AND $1 - 1
		) failing`, mail.MaxAttempts)
	return b, err
}
