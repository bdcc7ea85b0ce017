package letters

import (
	"context"
	"errors"
	"time"

	"lunchgo/app/mail"
	"lunchgo/app/sms"
	"lunchgo/db/outbox"
	"lunchgo/db/pg"
)

// TextStore implements sms.Store. A trigger of the letters' table notes the texts, db/migrations/00128_texts.sql.
type TextStore struct {
	db *pg.Pool
}

// NewTextStore returns the texts stored in db.
func NewTextStore(db *pg.Pool) *TextStore { return &TextStore{db: db} }

// Want implements sms.Store.
func (s *TextStore) Want(ctx context.Context, wanted time.Duration) error {
	return outbox.Want(ctx, s.db, "texts", wanted)
}

type textRow struct {
	mailRow
	Phone string
}

// TakeTexts implements sms.Store. Senders skip what another takes at the moment.
func (s *TextStore) TakeTexts(ctx context.Context, limit int) ([]sms.Text, error) {
	var texts []sms.Text
	for _, of := range urgentLetters {
		var rows []textRow
		err := s.db.List(ctx, &rows, s.db.Guarded(TakeTexts, takeDueTexts(of.which)+`
		SELECT m.phone, `+of.columns+of.from), limit-len(texts), sms.MaxAttempts)
		if err != nil {
			return texts, err
		}
		for _, row := range rows {
			texts = append(texts, sms.Text{Note: row.note(), Phone: row.Phone})
		}
	}
	return texts, nil
}

// takeDueTexts takes the texts that are due of letters m of which which is true.
func takeDueTexts(which string) string {
	return `
		WITH due AS (
			SELECT t.mail_id
			FROM texts t
			JOIN mails of_t ON of_t.id = t.mail_id AND of_t.` + which + `
			WHERE t.due_at <= statement_timestamp() AND t.attempts < $2
			ORDER BY t.due_at
			LIMIT $1
			FOR UPDATE OF t SKIP LOCKED
		), taken AS (
			UPDATE texts t
			SET ` + urgentLease + `
			FROM due
			WHERE t.mail_id = due.mail_id
			RETURNING t.*
		), m AS (
			SELECT ` + urgentColumns + `, COALESCE(phone_of_letter(to_m), '') AS phone
			FROM taken
			JOIN mails to_m ON to_m.id = taken.mail_id
		)`
}

// MarkText implements sms.Store.
func (s *TextStore) MarkText(ctx context.Context, letterID int64, failure error) error {
	var refused *sms.RefusedError
	said := ""
	if failure != nil {
		said = failure.Error()
	}
	again := failure != nil && !errors.As(failure, &refused) && !errors.Is(failure, mail.ErrOutdated)
	return s.db.Exec(ctx, `
		UPDATE texts SET error = left($2, 500), due_at = CASE WHEN $3 THEN due_at END WHERE mail_id = $1`,
		letterID, said, again)
}
