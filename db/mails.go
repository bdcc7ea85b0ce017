package db

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"lunchgo/app/mail"
)

// MailStore implements mail.Store. The notes themselves are written by triggers of the reservations' table.
type MailStore struct {
	db *DB
}

var _ mail.Store = (*MailStore)(nil)

// NewMailStore returns the letters stored in db.
func NewMailStore(db *DB) *MailStore { return &MailStore{db: db} }

type mailRow struct {
	reservationRow
	MailID   int64        `db:"mail_id"`
	Kind     string       `db:"kind"`
	Moved    bool         `db:"moved"`
	NotedAt  time.Time    `db:"noted_at"`
	SentAt   sql.NullTime `db:"sent_at"`
	Attempts int          `db:"attempts"`
	Email    string       `db:"email"`
	Name     string       `db:"name"`
	Language string       `db:"language"`
	EntryID  string       `db:"entry_id"`
}

func (row mailRow) note() (mail.Note, error) {
	r, err := row.reservation()
	return mail.Note{
		ID: row.MailID, Kind: mail.Kind(row.Kind), Moved: row.Moved, CreatedAt: row.NotedAt, SentAt: row.SentAt.Time, Attempts: row.Attempts,
		Email: row.Email, Name: row.Name, Language: row.Language, Reservation: r, EntryID: row.EntryID,
	}, err
}

func notesOf(rows []mailRow) ([]mail.Note, error) {
	notes := make([]mail.Note, 0, len(rows))
	for _, row := range rows {
		note, err := row.note()
		if err != nil {
			return nil, err
		}
		notes = append(notes, note)
	}
	return notes, nil
}

// selectMails reads letters out of m.
const selectMails = `
	SELECT m.id AS mail_id, m.kind, COALESCE(m.slot_id <> r.slot_id, false) AS moved, m.created_at AS noted_at, m.sent_at, m.attempts, u.email, u.name, u.language,
		COALESCE((SELECT id FROM waitlist_entries WHERE reservation_id = m.reservation_id LIMIT 1), '') AS entry_id,
		` + reservationColumns + `
	FROM m
	JOIN users u ON u.id = m.user_id
	JOIN reservations r ON r.id = m.reservation_id
	JOIN slots s ON s.id = r.slot_id `

// TakeMails implements mail.Store. It puts the next attempt of what it takes off: by half a minute, then by twice as long each
// time, at most six hours. Senders skip what another takes at the moment.
func (s *MailStore) TakeMails(ctx context.Context, limit int) ([]mail.Note, error) {
	var rows []mailRow
	err := s.db.list(ctx, &rows, s.db.guarded(takeMails, `
		WITH due AS (
			SELECT id
			FROM mails
			WHERE sent_at IS NULL AND due_at <= statement_timestamp() AND attempts < $2
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
		)`+selectMails+`
		ORDER BY m.id`), limit, mail.MaxAttempts)
	if err != nil {
		return nil, err
	}
	return notesOf(rows)
}

// MarkMail implements mail.Store.
func (s *MailStore) MarkMail(ctx context.Context, id int64, failure error) error {
	switch {
	case errors.Is(failure, mail.ErrOutdated):
		return s.db.exec(ctx, `UPDATE mails SET attempts = $2, error = 'outdated' WHERE id = $1 AND sent_at IS NULL`, id, mail.MaxAttempts)
	case failure != nil:
		return s.db.exec(ctx, `UPDATE mails SET error = left($2, 500) WHERE id = $1 AND sent_at IS NULL`, id, failure.Error())
	}
	return s.db.exec(ctx, `UPDATE mails SET sent_at = clock_timestamp(), error = '' WHERE id = $1`, id)
}

// AddReminders implements mail.Store.
func (s *MailStore) AddReminders(ctx context.Context, ahead time.Duration) error {
	return s.db.exec(ctx, `
		INSERT INTO mails (kind, user_id, reservation_id, slot_id)
		SELECT 'reminder', r.user_id, r.id, r.slot_id
		FROM slots s
		JOIN restaurants p ON p.id = s.restaurant_id AND NOT p.shadow
		JOIN reservations r ON r.slot_id = s.id AND r.state IN ('confirmed', 'prepaid_confirmed')
		CROSS JOIN LATERAL (
			SELECT (s.service_date + s.service_time) AT TIME ZONE p.time_zone AS at, $1 * interval '1 microsecond' AS ahead
		) begins
		WHERE s.service_date BETWEEN (now() - interval '1 day')::date AND (now() + begins.ahead + interval '1 day')::date
			AND begins.at BETWEEN now() AND now() + begins.ahead AND r.created_at < begins.at - begins.ahead
		ON CONFLICT (reservation_id, slot_id) WHERE kind = 'reminder' DO NOTHING`, ahead.Microseconds())
}

// ListMails implements mail.Store.
func (s *MailStore) ListMails(ctx context.Context, userID string, limit int) ([]mail.Note, error) {
	var rows []mailRow
	err := s.db.list(ctx, &rows, `
		WITH m AS (
			SELECT *
			FROM mails
			WHERE user_id = $1
			ORDER BY id DESC
			LIMIT $2
		)`+selectMails+`
		ORDER BY m.id DESC`, userID, limit)
	if err != nil {
		return nil, err
	}
	return notesOf(rows)
}
