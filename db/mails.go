package db

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"lunchgo/app/keyset"
	"lunchgo/app/mail"
)

// MailStore implements mail.Store. The notes themselves are written by triggers of the reservations' table.
type MailStore struct {
	db *DB
}

var (
	_ mail.Store     = (*MailStore)(nil)
	_ mail.KeepStore = (*MailStore)(nil)
)

// NewMailStore returns the letters stored in db.
func NewMailStore(db *DB) *MailStore { return &MailStore{db: db} }

// TakeMails implements mail.Store. It puts the next attempt of what it takes off: by half a minute, then by twice as
// long each time, at most six hours. Senders skip what another takes at the moment. Letters with a link come first:
// somebody waits.
func (s *MailStore) TakeMails(ctx context.Context, limit int) ([]mail.Note, error) {
	var m mailRows
	for _, sort := range []struct {
		rows  any
		query string
	}{
		{&m.links, takeDue("link_id IS NOT NULL") + selectLinkMails},
		{&m.invitations, takeDue("invitation_id IS NOT NULL") + selectInvitationMails},
		{&m.refusals, takeDue("restaurant_id IS NOT NULL") + selectRefusalMails},
		{&m.webhooks, takeDue("webhook_id IS NOT NULL") + selectWebhookMails},
		{&m.others, takeDue("reservation_id IS NOT NULL") + selectMails},
	} {
		err := s.db.list(ctx, sort.rows, s.db.guarded(takeMails, sort.query+`
		ORDER BY m.id`), limit-m.len(), mail.MaxAttempts)
		if err != nil {
			return nil, err
		}
	}
	return m.notes()
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
		return s.db.exec(ctx, `UPDATE mails SET attempts = $2, error = 'outdated' WHERE id = $1 AND sent_at IS NULL`,
			id, mail.MaxAttempts)
	case failure != nil:
		return s.db.exec(ctx, `UPDATE mails SET error = left($2, 500) WHERE id = $1 AND sent_at IS NULL`, id,
			failure.Error())
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
		JOIN reservations r ON r.slot_id = s.id AND r.state IN ('confirmed', 'prepaid_confirmed') AND r.user_id IS NOT NULL
		CROSS JOIN LATERAL (
			SELECT (s.service_date + s.service_time) AT TIME ZONE p.time_zone AS at, $1 * interval '1 microsecond' AS ahead
		) begins
		WHERE s.service_date BETWEEN (now() - interval '1 day')::date AND (now() + begins.ahead + interval '1 day')::date
			AND begins.at BETWEEN now() AND now() + begins.ahead AND r.created_at < begins.at - begins.ahead
		ON CONFLICT (reservation_id, slot_id) WHERE kind = 'reminder' DO NOTHING`, ahead.Microseconds())
}

// ListMails implements mail.Store. Letters with an invitation are those to the person's address of now.
func (s *MailStore) ListMails(ctx context.Context, userID string, page keyset.Request) (keyset.Page[mail.Note], error) {
	var m mailRows
	for _, sort := range []struct {
		rows         any
		which, query string
	}{
		{&m.links, "user_id = $1 AND link_id IS NOT NULL", selectLinkMails},
		{&m.invitations, `invitation_id IN (
			SELECT id FROM staff_invitations WHERE email = (SELECT email FROM users WHERE id = $1 AND NOT provisional)
		)`, selectInvitationMails},
		{&m.refusals, "user_id = $1 AND restaurant_id IS NOT NULL", selectRefusalMails},
		{&m.webhooks, "user_id = $1 AND webhook_id IS NOT NULL", selectWebhookMails},
		{&m.others, "user_id = $1 AND reservation_id IS NOT NULL", selectMails},
	} {
		err := s.db.list(ctx, sort.rows, `
		WITH m AS (
			SELECT *
			FROM mails
			WHERE `+sort.which+` AND id < $3
			ORDER BY id DESC
			LIMIT $2
		)`+sort.query, userID, page.Rows(), page.Below().Number)
		if err != nil {
			return keyset.Page[mail.Note]{}, err
		}
	}
	notes, err := m.notes()
	if err != nil {
		return keyset.Page[mail.Note]{}, err
	}
	slices.SortFunc(notes, func(a, b mail.Note) int { return cmp.Compare(b.ID, a.ID) })
	key := func(n mail.Note) keyset.Cursor { return keyset.Cursor{Number: n.ID} }
	return keyset.Cut(page, notes[:min(page.Rows(), len(notes))], key,
		func(n mail.Note) (mail.Note, error) { return n, nil })
}

// TrimMails implements mail.KeepStore. It looks at the oldest rows only, and so takes the same time however many there
// are.
func (s *MailStore) TrimMails(ctx context.Context, age time.Duration, limit int) (trimmed int, err error) {
	err = s.db.get(ctx, &trimmed, `
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
	return trimmed, err
}
