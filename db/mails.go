package db

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/keyset"
	"lunchgo/app/mail"
)

// MailStore implements mail.Store. The notes themselves are written by triggers of the reservations' table.
type MailStore struct {
	db *DB
}

var _ mail.Store = (*MailStore)(nil)

// NewMailStore returns the letters stored in db.
func NewMailStore(db *DB) *MailStore { return &MailStore{db: db} }

// noteRow is what all letters have.
type noteRow struct {
	MailID   int64        `db:"mail_id"`
	Kind     string       `db:"kind"`
	NotedAt  time.Time    `db:"noted_at"`
	SentAt   sql.NullTime `db:"sent_at"`
	Attempts int          `db:"attempts"`
	Email    string       `db:"email"`
	Name     string       `db:"name"`
	Language string       `db:"language"`
}

func (row noteRow) note() mail.Note {
	return mail.Note{ID: row.MailID, Kind: mail.Kind(row.Kind), CreatedAt: row.NotedAt, SentAt: row.SentAt.Time,
		Attempts: row.Attempts, Email: row.Email, Name: row.Name, Language: row.Language}
}

// mailRow is a letter about a reservation.
type mailRow struct {
	noteRow
	reservationRow
	Moved bool `db:"moved"`

	ByRestaurant bool `db:"by_restaurant"`

	EntryID string `db:"entry_id"`
}

// linkMailRow is a letter about an account.
type linkMailRow struct {
	noteRow
	LinkID  string    `db:"link_id"`
	Expires time.Time `db:"expires_at"`
	Used    bool      `db:"used"`
}

// invitationMailRow is a letter with an invitation to a restaurant's team.
type invitationMailRow struct {
	noteRow
	InvitationID string    `db:"invitation_id"`
	NameKo       string    `db:"name_ko"`
	NameEn       string    `db:"name_en"`
	Published    bool      `db:"published"`
	Role         string    `db:"role"`
	Expires      time.Time `db:"expires_at"`
	Ended        bool      `db:"ended"`
}

func (row invitationMailRow) invitation() mail.Invitation {
	i := mail.Invitation{ID: row.InvitationID, Role: identity.Role(row.Role), Expires: row.Expires, Ended: row.Ended}
	if row.Published {
		i.Restaurant = booking.Text{Ko: row.NameKo, En: row.NameEn}
	}
	return i
}

// refusalMailRow is a letter about a draft that is sent back.
type refusalMailRow struct {
	noteRow
	RestaurantID int64  `db:"restaurant_id"`
	NameKo       string `db:"name_ko"`
	NameEn       string `db:"name_en"`
	Refusal      string `db:"refusal"`
}

// mailRows are letters of all sorts.
type mailRows struct {
	invitations []invitationMailRow
	refusals    []refusalMailRow
	links       []linkMailRow
	others      []mailRow
}

func (m mailRows) len() int {
	return len(m.invitations) + len(m.refusals) + len(m.links) + len(m.others)
}

func (m mailRows) notes() ([]mail.Note, error) {
	notes := make([]mail.Note, 0, m.len())
	for _, row := range m.invitations {
		note := row.note()
		note.Invitation = row.invitation()
		notes = append(notes, note)
	}
	for _, row := range m.refusals {
		note := row.note()
		note.Refusal = mail.Refusal{RestaurantID: row.RestaurantID, Restaurant: booking.Text{Ko: row.NameKo, En: row.NameEn}, Reason: row.Refusal}
		notes = append(notes, note)
	}
	rest, err := notesOf(m.links, m.others)
	return append(notes, rest...), err
}

func notesOf(links []linkMailRow, rows []mailRow) ([]mail.Note, error) {
	notes := make([]mail.Note, 0, len(links)+len(rows))
	for _, row := range links {
		note := row.note()
		note.Link = mail.Link{ID: row.LinkID, Expires: row.Expires, Used: row.Used}
		notes = append(notes, note)
	}
	for _, row := range rows {
		note := row.note()
		note.Moved, note.ByRestaurant, note.EntryID = row.Moved, row.ByRestaurant, row.EntryID
		var err error
		if note.Reservation, err = row.reservation(); err != nil {
			return nil, err
		}
		notes = append(notes, note)
	}
	return notes, nil
}

// selectMails reads letters out of m.
const selectMails = `
	SELECT m.id AS mail_id, m.kind, COALESCE(m.slot_id <> r.slot_id, false) AS moved, m.by_restaurant, m.created_at AS noted_at, m.sent_at, m.attempts, u.email, u.name, u.language,
		COALESCE((SELECT id FROM waitlist_entries WHERE reservation_id = m.reservation_id LIMIT 1), '') AS entry_id,
		` + reservationColumns + `
	FROM m
	JOIN users u ON u.id = m.user_id
	JOIN reservations r ON r.id = m.reservation_id
	JOIN slots s ON s.id = r.slot_id `

// selectLinkMails reads letters with a link out of m.
const selectLinkMails = `
	SELECT m.id AS mail_id, m.kind, m.created_at AS noted_at, m.sent_at, m.attempts, l.email, u.name, u.language,
		l.id AS link_id, l.expires_at, l.used_at IS NOT NULL AS used
	FROM m
	JOIN users u ON u.id = m.user_id
	JOIN email_links l ON l.id = m.link_id `

// selectInvitationMails reads letters with an invitation out of m. Their reader has no name yet, and is written to in the language of
// who invited them.
const selectInvitationMails = `
	SELECT m.id AS mail_id, m.kind, m.created_at AS noted_at, m.sent_at, m.attempts, i.email, '' AS name, i.language,
		i.id AS invitation_id, p.name_ko, p.name_en, p.state = 'published' AS published, i.role, i.expires_at,
		i.ended_at IS NOT NULL AS ended
	FROM m
	JOIN staff_invitations i ON i.id = m.invitation_id
	JOIN restaurants p ON p.id = i.restaurant_id `

// selectRefusalMails reads letters about drafts that are sent back out of m.
const selectRefusalMails = `
	SELECT m.id AS mail_id, m.kind, m.created_at AS noted_at, m.sent_at, m.attempts, u.email, u.name, u.language,
		p.id AS restaurant_id, p.name_ko, p.name_en, p.refusal
	FROM m
	JOIN users u ON u.id = m.user_id
	JOIN restaurants p ON p.id = m.restaurant_id `

// TakeMails implements mail.Store. It puts the next attempt of what it takes off: by half a minute, then by twice as long each
// time, at most six hours. Senders skip what another takes at the moment. Letters with a link come first: somebody waits.
func (s *MailStore) TakeMails(ctx context.Context, limit int) ([]mail.Note, error) {
	var m mailRows
	for _, sort := range []struct {
		rows  any
		query string
	}{
		{&m.links, takeDue("link_id IS NOT NULL") + selectLinkMails},
		{&m.invitations, takeDue("invitation_id IS NOT NULL") + selectInvitationMails},
		{&m.refusals, takeDue("restaurant_id IS NOT NULL") + selectRefusalMails},
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
			SELECT id FROM staff_invitations WHERE email = (SELECT email FROM users WHERE id = $1)
		)`, selectInvitationMails},
		{&m.refusals, "user_id = $1 AND restaurant_id IS NOT NULL", selectRefusalMails},
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
	return keyset.Cut(page, notes[:min(page.Rows(), len(notes))], key, func(n mail.Note) (mail.Note, error) { return n, nil })
}
