// Package guests stores the guests of restaurants, and what staff note of them.
package guests

import (
	"context"
	"strings"

	"lunchgo/app/booking"
	"lunchgo/app/guests"
	"lunchgo/app/hangul"
	"lunchgo/app/keyset"
	"lunchgo/db/pg"
	"lunchgo/db/reports"
)

// Guards of the package.
const (
	InsertNote  pg.Guard = "write a note about a guest"
	LockConsent pg.Guard = "lock the account of a guest whom staff note something of"
)

// Store implements guests.Store.
type Store struct {
	db *pg.Pool
}

// NewStore returns the guests of the reservations in db.
func NewStore(db *pg.Pool) *Store { return &Store{db: db} }

// HasConsent says whether what needs consent may be stored of guest g, whose account is u if there is one.
const HasConsent = `(g.user_id IS NULL OR u.history_consent)`

// bookingsOfGuest are the bookings of guest g, with what may be seen of them: words and money only of today and later,
// unless more is kept.
const bookingsOfGuest = `
		SELECT r.id, r.ordinal, r.state, r.party_size, r.source, visible.note, visible.allergies, starts.at AS starts_at,
			CASE WHEN ` + HasConsent + `
				THEN ` + reports.PaidOf + ` - r.refund_amount - r.given_back ELSE 0 END AS spent,
			` + reports.CancelledLater + ` AS cancelled
		FROM reservations r
		JOIN slots s ON s.id = r.slot_id
		CROSS JOIN LATERAL (SELECT (s.service_date + s.service_time) AT TIME ZONE p.time_zone AS at) starts
		CROSS JOIN LATERAL (SELECT ` + HasConsent + `
			OR s.service_date >= (statement_timestamp() AT TIME ZONE p.time_zone)::date AS words) seen
		CROSS JOIN LATERAL (
			SELECT CASE WHEN seen.words THEN r.note ELSE '' END AS note,
				CASE WHEN seen.words THEN r.allergies ELSE '' END AS allergies
		) visible
		WHERE r.restaurant_id = g.restaurant_id AND is_booking(r.state, r.source) AND (r.user_id = g.user_id
			OR g.user_id IS NULL AND r.user_id IS NULL AND phone_digits(r.guest_phone) = g.digits)`

// guestSums reads the guests of a page, which is a CTE of rows of guests, with what came of their bookings.
const guestSums = `
	SELECT g.id, g.number AS key_number, g.last_visit AS key_at,
		CASE WHEN sums.visits > 0 THEN g.last_visit END AS last_visit, g.name, g.phone,
		g.user_id IS NOT NULL AS has_account,
		` + HasConsent + ` AS consents, g.tags, sums.visits, sums.no_shows, sums.cancellations, sums.spent, sums.allergies
	FROM page g
	JOIN restaurants p ON p.id = g.restaurant_id
	LEFT JOIN users u ON u.id = g.user_id
	CROSS JOIN LATERAL (
		SELECT count(*) FILTER (WHERE is_visit(b.state)) AS visits, count(*) FILTER (WHERE b.state = 'no_show') AS no_shows,
			count(*) FILTER (WHERE b.cancelled) AS cancellations, COALESCE(sum(b.spent), 0) AS spent,
			array_remove(array_agg(DISTINCT b.allergies), '') AS allergies
		FROM (` + bookingsOfGuest + `) b
	) sums
	ORDER BY g.last_visit DESC, g.number DESC`

// guestColumnsOfPage are the columns of guests g that guestSums needs.
const guestColumnsOfPage = `g.id, g.number, g.restaurant_id, g.user_id, g.name, g.phone, g.digits, g.last_visit, g.tags`

// listGuests returns the query for a page of guests for which a condition holds.
func listGuests(condition string) string {
	return `
	WITH page AS MATERIALIZED (
		SELECT ` + guestColumnsOfPage + `
		FROM guests g
		WHERE g.restaurant_id = $1 AND (g.last_visit, g.number) < ($3, $4) AND ` + condition + `
		ORDER BY g.last_visit DESC, g.number DESC
		LIMIT $5
	)` + guestSums
}

// listGuestIDs returns the query for the ids of all guests for which a condition holds.
func listGuestIDs(condition string) string {
	return `
		SELECT g.id
		FROM guests g
		WHERE g.restaurant_id = $1 AND ` + condition + `
		ORDER BY g.last_visit DESC, g.number DESC`
}

// guestQueries are what reads guests by one kind of search: its words are $2.
type guestQueries struct{ page, ids string }

func guestQueriesOf(condition string) guestQueries {
	return guestQueries{listGuests(condition), listGuestIDs(condition)}
}

var (
	allGuests        = guestQueriesOf(`$2 = ''`)
	guestsByName     = guestQueriesOf(`g.name ILIKE '%' || $2 || '%'`)
	guestsByInitials = guestQueriesOf(`g.name ~* $2`)
	guestsByDigits   = guestQueriesOf(`g.digits LIKE '%' || $2 || '%'`)
)

// queriesOf returns what reads the guests that a search finds, and the words for it.
func queriesOf(search guests.Search) (queries guestQueries, words string) {
	switch pattern := hangul.Pattern(search.Name); {
	case pattern != "":
		return guestsByInitials, pattern
	case search.Name != "":
		return guestsByName, literally.Replace(search.Name)
	case search.Digits != "":
		return guestsByDigits, search.Digits
	}
	return allGuests, ""
}

type visitorRow struct {
	guests.Guest
	pg.KeyRow
}

func (row visitorRow) guest() guests.Guest { return row.Guest }

// literally takes their meaning from the signs of a pattern of LIKE.
var literally = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// ListGuests implements guests.Store.
func (s *Store) ListGuests(ctx context.Context, restaurantID int64, search guests.Search,
	page keyset.Request) (keyset.Page[guests.Guest], error) {
	queries, words := queriesOf(search)
	var rows []visitorRow
	below := page.Below()
	err := s.db.ReadReplica(ctx, func(ctx context.Context, db *pg.Pool) error {
		rows = nil
		return db.List(ctx, &rows, queries.page, restaurantID, words, below.At, below.Number, page.Rows())
	})
	return keyset.Cut(page, rows, visitorRow.Cursor, visitorRow.guest), err
}

type guestBookingRow struct {
	guests.Booking
	pg.KeyRow
}

func (row guestBookingRow) booking() guests.Booking { return row.Booking }

// FindGuest implements guests.Store.
func (s *Store) FindGuest(ctx context.Context, restaurantID int64, guest string,
	page keyset.Request) (guests.Profile, error) {
	row, err := pg.Find[visitorRow](ctx, s.db, booking.ErrNotFound, `
	WITH page AS MATERIALIZED (
		SELECT `+guestColumnsOfPage+`
		FROM guests g
		WHERE g.restaurant_id = $1 AND g.id = $2
	)`+guestSums, restaurantID, guest)
	if err != nil {
		return guests.Profile{}, err
	}
	profile := guests.Profile{Guest: row.Guest}
	below := page.Below()
	profile.Bookings, err = pg.Paged(ctx, s.db, page, guestBookingRow.Cursor, guestBookingRow.booking, `
		SELECT b.id, b.starts_at AS start, b.starts_at AS key_at, b.ordinal AS key_number, b.party_size, b.state,
			b.source, b.note, b.spent
		FROM guests g
		JOIN restaurants p ON p.id = g.restaurant_id
		LEFT JOIN users u ON u.id = g.user_id
		CROSS JOIN LATERAL (`+bookingsOfGuest+`) b
		WHERE g.restaurant_id = $1 AND g.id = $2 AND (b.starts_at, b.ordinal) < ($3, $4)
		ORDER BY b.starts_at DESC, b.ordinal DESC
		LIMIT $5`, restaurantID, guest, below.At, below.Number, page.Rows())
	if err == nil {
		profile.Notes, err = s.listNotes(ctx, guest)
	}
	return profile, err
}
