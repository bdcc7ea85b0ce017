package db

import (
	"database/sql"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/mail"
	"lunchgo/app/webhooks"
)

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

	GivenAmount int64  `db:"given_amount"`
	GivenReason string `db:"given_reason"`
}

func (row mailRow) note() (note mail.Note, err error) {
	note = row.noteRow.note()
	note.Moved, note.ByRestaurant, note.EntryID = row.Moved, row.ByRestaurant, row.EntryID
	note.Given = mail.Given{Amount: row.GivenAmount, Reason: row.GivenReason}
	note.Reservation, err = row.reservation()
	return note, err
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

func (row refusalMailRow) refused() mail.Refusal {
	return mail.Refusal{RestaurantID: row.RestaurantID, Restaurant: booking.Text{Ko: row.NameKo, En: row.NameEn},
		Reason: row.Refusal}
}

// webhookMailRow is a letter about a webhook that was disabled.
type webhookMailRow struct {
	noteRow
	RestaurantID int64          `db:"restaurant_id"`
	NameKo       string         `db:"name_ko"`
	NameEn       string         `db:"name_en"`
	WebhookID    string         `db:"webhook_id"`
	URL          string         `db:"url"`
	State        webhooks.State `db:"state"`
}

// webhook leaves the query of the address out: it may hold a password.
func (row webhookMailRow) webhook() mail.Webhook {
	e := webhooks.Endpoint{URL: row.URL}
	return mail.Webhook{ID: row.WebhookID, RestaurantID: row.RestaurantID,
		Restaurant: booking.Text{Ko: row.NameKo, En: row.NameEn},
		URL:        e.PublicURL(), Gone: row.State == webhooks.Gone, Ended: !row.State.Disabled()}
}

// mailRows are letters of all sorts.
type mailRows struct {
	webhooks    []webhookMailRow
	invitations []invitationMailRow
	refusals    []refusalMailRow
	links       []linkMailRow
	others      []mailRow
}

func (m mailRows) len() int {
	return len(m.webhooks) + len(m.invitations) + len(m.refusals) + len(m.links) + len(m.others)
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
		note.Refusal = row.refused()
		notes = append(notes, note)
	}
	for _, row := range m.webhooks {
		note := row.note()
		note.Webhook = row.webhook()
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
	SELECT ` + mailColumns + fromMails

const mailColumns = `m.id AS mail_id, m.kind, COALESCE(m.slot_id <> r.slot_id, false) AS moved, m.by_restaurant,
		m.created_at AS noted_at, m.sent_at, m.attempts, u.email, u.language,
		CASE WHEN r.guest_name IS NOT NULL THEN r.guest_name
			WHEN u.email_confirmed_at IS NULL THEN split_part(u.email, '@', 1)
			ELSE u.name END AS name,
		COALESCE((SELECT id FROM waitlist_entries WHERE reservation_id = m.reservation_id LIMIT 1), '') AS entry_id,
		COALESCE(given.amount, returned.amount, 0) AS given_amount, COALESCE(given.reason, '') AS given_reason,
		` + reservationColumns

const fromMails = `
	FROM m
	JOIN users u ON u.id = m.user_id
	LEFT JOIN reservation_refunds given ON given.id = m.refund_id
	LEFT JOIN payment_refunds returned ON returned.id = m.card_refund_id
	JOIN reservations r ON r.id = m.reservation_id
	JOIN slots s ON s.id = r.slot_id `

// selectLinkMails reads letters with a link out of m.
const selectLinkMails = `
	SELECT m.id AS mail_id, m.kind, m.created_at AS noted_at, m.sent_at, m.attempts, l.email, u.name, u.language,
		l.id AS link_id, l.expires_at, l.used_at IS NOT NULL AS used
	FROM m
	JOIN users u ON u.id = m.user_id
	JOIN email_links l ON l.id = m.link_id `

// selectInvitationMails reads letters with an invitation out of m. Their reader has no name yet, and is written to in
// the language of who invited them.
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
		p.id AS restaurant_id, p.name_ko, p.name_en, COALESCE(NULLIF(m.reason, ''), p.refusal) AS refusal
	FROM m
	JOIN users u ON u.id = m.user_id
	JOIN restaurants p ON p.id = m.restaurant_id `

// selectWebhookMails reads letters about webhooks that were disabled out of m.
const selectWebhookMails = `
	SELECT m.id AS mail_id, m.kind, m.created_at AS noted_at, m.sent_at, m.attempts, u.email, u.name, u.language,
		p.id AS restaurant_id, p.name_ko, p.name_en, e.id AS webhook_id, e.url, e.state
	FROM m
	JOIN users u ON u.id = m.user_id
	JOIN webhook_endpoints e ON e.id = m.webhook_id
	JOIN restaurants p ON p.id = e.restaurant_id `
