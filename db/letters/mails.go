// Package letters stores letters, and what of them is pushed and sent as text messages.
package letters

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"lunchgo/app/keyset"
	"lunchgo/app/mail"
	"lunchgo/db/pg"
)

// Guards of the package.
const (
	TakeMails       pg.Guard = "take mails"
	TakePushes      pg.Guard = "take pushes"
	TakeTexts       pg.Guard = "take texts"
	TakeNewBookings pg.Guard = "take new bookings to be pushed"
)

// MailStore implements mail.Store. The notes themselves are written with the change of which they say something: by
// triggers of the reservations' table, or by whoever stores it.
type MailStore struct {
	db *pg.Pool
}

var (
	_ mail.Store     = (*MailStore)(nil)
	_ mail.KeepStore = (*MailStore)(nil)
)

// NewMailStore returns the letters stored in db.
func NewMailStore(db *pg.Pool) *MailStore { return &MailStore{db: db} }

// TakeMails implements mail.Store. It puts the next attempt of what it takes off: by half a minute, then by twice as
// long each time, at most six hours. Senders skip what another takes at the moment.
func (s *MailStore) TakeMails(ctx context.Context, limit int) ([]mail.Note, error) {
	var notes []mail.Note
	for _, letters := range lettersOf {
		var rows []mailRow
		err := s.db.List(ctx, &rows, s.db.Guarded(TakeMails, takeDue(letters.which)+letters.query+`
		ORDER BY m.id`), limit-len(notes), mail.MaxAttempts)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			notes = append(notes, row.note())
		}
	}
	return notes, nil
}

// takeDue takes the letters m that are due and of which which is true.
func takeDue(which string) string {
	return `
		WITH due AS (
			SELECT id
			FROM mails
			WHERE sent_at IS NULL AND due_at <= statement_timestamp() AND attempts < $2 AND ` + which + `
			ORDER BY due_at
			LIMIT $1
			FOR UPDATE SKIP LOCKED
		), m AS (
			UPDATE mails
			SET attempts = attempts + 1, error = '',
				due_at = clock_timestamp() + least(30 * 2 ^ attempts, 21600) * interval '1 second'
			FROM due
			WHERE mails.id = due.id
			RETURNING mails.*
		)`
}

// MarkMail implements mail.Store.
func (s *MailStore) MarkMail(ctx context.Context, id int64, failure error) error {
	switch {
	case errors.Is(failure, mail.ErrOutdated):
		return s.db.Exec(ctx, `UPDATE mails SET attempts = $2, error = 'outdated' WHERE id = $1 AND sent_at IS NULL`,
			id, mail.MaxAttempts)
	case failure != nil:
		return s.db.Exec(ctx, `UPDATE mails SET error = left($2, 500) WHERE id = $1 AND sent_at IS NULL`, id,
			failure.Error())
	}
	return s.db.Exec(ctx, `UPDATE mails SET sent_at = clock_timestamp(), error = '' WHERE id = $1`, id)
}

// AddReminders implements mail.Store.
func (s *MailStore) AddReminders(ctx context.Context, beforeDay time.Duration) error {
	return s.db.Exec(ctx, `
		INSERT INTO mails (kind, user_id, reservation_id, slot_id)
		SELECT 'reminder', r.user_id, r.id, r.slot_id
		FROM slots s
		JOIN restaurants p ON p.id = s.restaurant_id AND NOT p.shadow
		JOIN reservations r ON r.slot_id = s.id AND r.state IN ('confirmed', 'prepaid_confirmed') AND r.user_id IS NOT NULL
		CROSS JOIN LATERAL (
			SELECT (s.service_date + s.service_time) AT TIME ZONE p.time_zone AS visit,
				(s.service_date - before) AT TIME ZONE p.time_zone AS reminder, before
			FROM (SELECT $1 * interval '1 microsecond' AS before) given
		) times
		WHERE s.service_date BETWEEN (now() - interval '1 day')::date AND (now() + before + interval '1 day')::date
			AND reminder <= now() AND now() <= visit AND r.created_at < reminder
		ON CONFLICT (reservation_id, slot_id) WHERE kind = 'reminder' DO NOTHING`, beforeDay.Microseconds())
}

// ListMails implements mail.Store. Letters with an invitation are those to the person's address of now.
func (s *MailStore) ListMails(ctx context.Context, userID string, page keyset.Request) (keyset.Page[mail.Note], error) {
	var rows []mailRow
	for _, letters := range lettersOf {
		var some []mailRow
		err := s.db.List(ctx, &some, `
		WITH m AS (
			SELECT *
			FROM mails
			WHERE `+letters.user+` AND `+letters.which+` AND id < $3
			ORDER BY id DESC
			LIMIT $2
		)`+letters.query, userID, page.Rows(), page.Below().Number)
		if err != nil {
			return keyset.Page[mail.Note]{}, err
		}
		rows = append(rows, some...)
	}
	slices.SortFunc(rows, func(a, b mailRow) int { return cmp.Compare(b.Letter.ID, a.Letter.ID) })
	key := func(row mailRow) keyset.Cursor { return keyset.Cursor{Number: row.Letter.ID} }
	return keyset.Cut(page, rows[:min(page.Rows(), len(rows))], key, mailRow.note), nil
}

// TrimMails implements mail.KeepStore. It looks at the oldest rows only, and so takes the same time however many there
// are.
func (s *MailStore) TrimMails(ctx context.Context, age time.Duration, limit int) (int, error) {
	return pg.One[int](ctx, s.db, `
		WITH trimmed AS (
			DELETE FROM mails
			WHERE id IN (
				SELECT id
				FROM (SELECT id, created_at FROM mails ORDER BY id LIMIT $2) oldest
				WHERE created_at < clock_timestamp() - $1 * interval '1 microsecond'
			)
			RETURNING id
		)
		SELECT count(*) FROM trimmed`, age.Microseconds(), limit)
}
