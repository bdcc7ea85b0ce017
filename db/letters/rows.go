package letters

import (
	"lunchgo/app/booking"
	"lunchgo/app/mail"
	"lunchgo/app/webhooks"
	"lunchgo/db/columns"
)

// mailRow is a letter, with its reservation if it is about one.
type mailRow struct {
	Letter mail.Note
	booking.Reservation
}

// note leaves the query of a webhook's address out: it may hold a password.
func (row mailRow) note() mail.Note {
	note := row.Letter
	note.Reservation = row.Reservation
	note.Webhook.URL = webhooks.Endpoint{URL: note.Webhook.URL}.PublicURL()
	return note
}

// lettersOf are the sorts of letters: which they are, which of them are a user's, and how those of m are read. Those
// with a link come first: somebody waits.
var lettersOf = []struct{ which, user, query string }{
	{"link_id IS NOT NULL", "user_id = $1", selectLinkMails},
	{"invitation_id IS NOT NULL", `invitation_id IN (
		SELECT id FROM staff_invitations WHERE email = (SELECT email FROM users WHERE id = $1 AND NOT provisional)
	)`, selectInvitationMails},
	{"restaurant_id IS NOT NULL", "user_id = $1", selectDecisionMails},
	{"webhook_id IS NOT NULL", "user_id = $1", selectWebhookMails},
	{"reservation_id IS NOT NULL", "user_id = $1", selectMails},
	{"door_party_id IS NOT NULL", "user_id = $1", `
	SELECT ` + callColumns + fromCalls},
}

// letterColumns are what all letters have.
const letterColumns = `m.id AS "letter.id", m.kind AS "letter.kind", m.created_at AS "letter.created_at",
		m.attempts AS "letter.attempts"`

// selectMails reads letters out of m.
const selectMails = `
	SELECT ` + mailColumns + fromMails

const mailColumns = letterColumns + `, COALESCE(m.slot_id <> r.slot_id, false) AS "letter.moved",
		EXISTS (SELECT FROM reservation_changes c WHERE c.reservation_id = r.id AND c.created_at > m.created_at)
			AS "letter.changed",
		m.by_restaurant AS "letter.by_restaurant", u.email AS "letter.email", u.language AS "letter.language",
		CASE WHEN r.guest_name IS NOT NULL THEN r.guest_name
			WHEN u.email_confirmed_at IS NULL THEN split_part(u.email, '@', 1)
			ELSE u.name END AS "letter.name",
		COALESCE((SELECT id FROM waitlist_entries WHERE reservation_id = m.reservation_id LIMIT 1), '')
			AS "letter.entry_id",
		COALESCE(given.amount, returned.amount, 0) AS "letter.given.amount",
		COALESCE(given.reason, '') AS "letter.given.reason", COALESCE(said.text, '') AS "letter.message",
		COALESCE(said.offered_date::text, '') AS "letter.offered.date",
		COALESCE(to_char(said.offered_time, 'HH24:MI'), '') AS "letter.offered.time",
		` + columns.Reservation

const fromMails = `
	FROM m
	JOIN users u ON u.id = m.user_id
	LEFT JOIN reservation_refunds given ON given.id = m.refund_id
	LEFT JOIN guest_messages said ON said.id = m.message_id
	LEFT JOIN payment_refunds returned ON returned.id = m.card_refund_id
	JOIN reservations r ON r.id = m.reservation_id
	JOIN slots s ON s.id = r.slot_id `

// callColumns, fromCalls read letters to parties at doors that are called out of m.
const callColumns = letterColumns + `, COALESCE(u.email, '') AS "letter.email", d.name AS "letter.name",
		COALESCE(u.language, d.language) AS "letter.language", d.id AS "letter.door.party_id",
		d.restaurant_id AS "letter.door.restaurant_id", d.number AS "letter.door.number",
		d.state = 'called' AND m.created_at >= d.called_at AS "letter.door.stands"`

const fromCalls = `
	FROM m
	JOIN door_parties d ON d.id = m.door_party_id
	LEFT JOIN users u ON u.id = m.user_id `

// selectLinkMails reads letters with a link out of m.
const selectLinkMails = `
	SELECT ` + letterColumns + `, l.email AS "letter.email", u.name AS "letter.name", u.language AS "letter.language",
		l.id AS "letter.link.id", l.expires_at AS "letter.link.expires", l.used_at IS NOT NULL AS "letter.link.used"
	FROM m
	JOIN users u ON u.id = m.user_id
	JOIN email_links l ON l.id = m.link_id `

// selectInvitationMails reads letters with an invitation out of m. Their reader has no name yet, and is written to in
// the language of who invited them.
const selectInvitationMails = `
	SELECT ` + letterColumns + `, i.email AS "letter.email", i.language AS "letter.language",
		i.id AS "letter.invitation.id", i.role AS "letter.invitation.role", i.expires_at AS "letter.invitation.expires",
		CASE p.state WHEN 'published' THEN p.name_ko ELSE '' END AS "letter.invitation.restaurant.ko",
		CASE p.state WHEN 'published' THEN p.name_en ELSE '' END AS "letter.invitation.restaurant.en",
		i.ended_at IS NOT NULL AS "letter.invitation.ended"
	FROM m
	JOIN staff_invitations i ON i.id = m.invitation_id
	JOIN restaurants p ON p.id = i.restaurant_id `

// selectDecisionMails reads letters about what operators decided out of m.
const selectDecisionMails = `
	SELECT ` + letterColumns + `, u.email AS "letter.email", u.name AS "letter.name", u.language AS "letter.language",
		p.id AS "letter.decision.restaurant_id", p.name_ko AS "letter.decision.restaurant.ko",
		p.name_en AS "letter.decision.restaurant.en",
		p.slug AS "letter.decision.slug", m.reason AS "letter.decision.reason",
		CASE m.kind
			WHEN 'refused' THEN p.refusal <> '' AND m.created_at >= p.refused_at
			WHEN 'published' THEN p.state = 'published' AND p.unpublished_at IS NULL
			ELSE p.unpublished_at IS NOT NULL AND m.created_at >= p.unpublished_at
		END AS "letter.decision.stands"
	FROM m
	JOIN users u ON u.id = m.user_id
	JOIN restaurants p ON p.id = m.restaurant_id `

// selectWebhookMails reads letters about webhooks that were disabled out of m.
const selectWebhookMails = `
	SELECT ` + letterColumns + `, u.email AS "letter.email", u.name AS "letter.name", u.language AS "letter.language",
		p.id AS "letter.webhook.restaurant_id", p.name_ko AS "letter.webhook.restaurant.ko",
		p.name_en AS "letter.webhook.restaurant.en", e.id AS "letter.webhook.id", e.url AS "letter.webhook.url",
		e.state = 'gone' AS "letter.webhook.gone", e.state NOT IN ('gone', 'failing') AS "letter.webhook.ended"
	FROM m
	JOIN users u ON u.id = m.user_id
	JOIN webhook_endpoints e ON e.id = m.webhook_id
	JOIN restaurants p ON p.id = e.restaurant_id `
