package guests

import (
	"context"

	"github.com/lib/pq"

	"lunchgo/app/booking"
	"lunchgo/app/guests"
	"lunchgo/db/auditlog"
	"lunchgo/db/pg"
)

func (s *Store) listNotes(ctx context.Context, guest string) ([]guests.Note, error) {
	return pg.List[guests.Note](ctx, s.db, `
		SELECT n.id, n.text, n.written_by AS by, u.name AS by_name, n.created_at AS at
		FROM guest_notes n
		JOIN users u ON u.id = n.written_by
		WHERE n.guest_id = $1
		ORDER BY n.id DESC`, guest)
}

type lockedGuestRow struct {
	UserID string
	Tags   int
}

// lockGuest locks a guest against everything that staff note meanwhile. The account is locked first, as everywhere:
// whoever withdraws their consent waits, or has been waited for. Returns guests.ErrNoConsent where one is needed and
// there is none.
func lockGuest(ctx context.Context, t *pg.Tx, about guests.About, needsConsent bool) (row lockedGuestRow, err error) {
	guest := `
		SELECT COALESCE(user_id, '') AS user_id, cardinality(tags) AS tags
		FROM guests
		WHERE restaurant_id = $1 AND id = $2`
	if err := t.Get(ctx, &row, guest, about.RestaurantID, about.Guest); err != nil {
		return row, pg.OrNotFound(err, booking.ErrNotFound)
	}
	if row.UserID != "" {
		consents, err := pg.Find[bool](ctx, t, booking.ErrNotFound, t.Pool.Guarded(LockConsent,
			`SELECT history_consent FROM users WHERE id = $1 AND deleted_at IS NULL FOR SHARE`), row.UserID)
		if err != nil {
			return row, err
		}
		if needsConsent && !consents {
			return row, guests.ErrNoConsent
		}
	}
	err = t.Get(ctx, &row, guest+` FOR NO KEY UPDATE`, about.RestaurantID, about.Guest)
	return row, pg.OrNotFound(err, booking.ErrNotFound)
}

// AddNote implements guests.Store. The log says that a note was written, and not its text: the log keeps it for ever.
func (s *Store) AddNote(ctx context.Context, about guests.About, text string) (guests.Note, error) {
	return pg.Within(ctx, s.db, func(ctx context.Context, t *pg.Tx) (note guests.Note, err error) {
		if _, err := lockGuest(ctx, t, about, true); err != nil {
			return note, err
		}
		notes, err := pg.One[int](ctx, t, `SELECT count(*) FROM guest_notes WHERE guest_id = $1`, about.Guest)
		if err == nil && notes >= guests.MaxNotes {
			err = guests.ErrTooManyNotes
		}
		if err != nil {
			return note, err
		}
		note, err = pg.One[guests.Note](ctx, t, s.db.Guarded(InsertNote, `
			INSERT INTO guest_notes (guest_id, text, written_by)
			VALUES ($1, $2, $3)
			RETURNING id, text, written_by AS by, (SELECT name FROM users WHERE id = $3) AS by_name, created_at AS at`),
			about.Guest, text, about.By)
		if err != nil {
			return note, err
		}
		return note, auditlog.Write(ctx, t, actOn(about, "guest.note", map[string]any{"note": note.ID}))
	})
}

func actOn(about guests.About, action string, detail map[string]any) auditlog.Entry {
	detail["guest"] = about.Guest
	return auditlog.Entry{StaffID: about.By, RestaurantID: about.RestaurantID, Action: action, Detail: detail}
}

// DeleteNote implements guests.Store. A trigger lets the note go because the log says so.
func (s *Store) DeleteNote(ctx context.Context, about guests.About, note int64) error {
	return s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		err := t.Touch(ctx, booking.ErrNotFound, `
			SELECT n.id
			FROM guests g
			JOIN guest_notes n ON n.guest_id = g.id
			WHERE g.restaurant_id = $1 AND g.id = $2 AND n.id = $3
			FOR UPDATE OF n`, about.RestaurantID, about.Guest, note)
		if err != nil {
			return err
		}
		if err := auditlog.Write(ctx, t, actOn(about, "guest.note_delete", map[string]any{"note": note})); err != nil {
			return err
		}
		return t.Run(ctx, `DELETE FROM guest_notes WHERE id = $1`, note)
	})
}

// SetTags implements guests.Store.
func (s *Store) SetTags(ctx context.Context, about guests.About, tags []string) error {
	return s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error { return ReplaceTags(ctx, t, about, tags) })
}

// ReplaceTags replaces the tags of a guest. The log has how many there were and are, not which.
func ReplaceTags(ctx context.Context, t *pg.Tx, about guests.About, tags []string) error {
	row, err := lockGuest(ctx, t, about, len(tags) > 0)
	if err != nil {
		return err
	}
	changed, err := t.Exec(ctx, `
		UPDATE guests
		SET tags = $2, tags_set_at = CASE WHEN cardinality($2::text[]) > 0 THEN clock_timestamp() END
		WHERE id = $1 AND tags <> $2`, about.Guest, pq.StringArray(tags))
	if err != nil || changed == 0 {
		return err
	}
	return auditlog.Write(ctx, t, actOn(about, "guest.tags", map[string]any{"was": row.Tags, "is": len(tags)}))
}

// Forget implements guests.Store. Several instances may call it at once: each passes over what another deletes.
func (s *Store) Forget(ctx context.Context, limit int) (int, error) {
	return pg.Within(ctx, s.db, func(ctx context.Context, t *pg.Tx) (int, error) {
		notes, err := t.Exec(ctx, `
			DELETE FROM guest_notes
			WHERE id IN (
				SELECT n.id
				FROM guest_notes n
				JOIN guests g ON g.id = n.guest_id
				WHERE n.created_at < statement_timestamp() - $1 * interval '1 year'
					AND g.last_visit < statement_timestamp() - $1 * interval '1 year'
				LIMIT $2
				FOR UPDATE OF n SKIP LOCKED
			)`, guests.KeepYears, limit)
		if err != nil {
			return 0, err
		}
		tagged, err := t.Exec(ctx, `
			UPDATE guests
			SET tags = '{}', tags_set_at = NULL
			WHERE id IN (
				SELECT id
				FROM guests
				WHERE tags_set_at < statement_timestamp() - $1 * interval '1 year'
					AND last_visit < statement_timestamp() - $1 * interval '1 year'
				LIMIT $2
				FOR NO KEY UPDATE SKIP LOCKED
			)`, guests.KeepYears, limit)
		return int(notes + tagged), err
	})
}
