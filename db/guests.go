package db

import (
	"context"
	"strings"
	"time"

	"github.com/lib/pq"

	"lunchgo/app/booking"
	"lunchgo/app/guests"
	"lunchgo/app/keyset"
)

// GuestStore implements guests.Store.
type GuestStore struct {
	db *DB
}

var _ guests.Store = (*GuestStore)(nil)

// NewGuestStore returns the guests of the reservations in db.
func NewGuestStore(db *DB) *GuestStore { return &GuestStore{db: db} }

// came are the states of parties that came.
const came = `r.state IN ('arrived', 'seated', 'completed')`

// guestDigits is the number of a party that staff booked, as it is dialled within Korea.
const guestDigits = `regexp_replace(regexp_replace(COALESCE(r.guest_phone, u.phone), '\D', '', 'g'), '^82(?=\d{8})', '0')`

// guestBookings are the bookings of restaurant $1 that were confirmed, each with the id of its guest: a hash of the restaurant and
// the account or number, so that an id of one restaurant finds nothing at another.
const guestBookings = `
	WITH named AS (
		SELECT r.id, r.ordinal, r.state, r.party_size, r.source, r.note, r.allergies,
			(s.service_date + s.service_time) AT TIME ZONE p.time_zone AS starts_at,
			` + paidOf + ` - r.refund_amount AS spent, ` + came + ` AS came, ` + cancelledLater + ` AS cancelled,
			r.user_id, COALESCE(r.guest_name, u.name) AS name, COALESCE(r.guest_phone, u.phone) AS phone, ` + guestDigits + ` AS digits
		FROM slots s
		JOIN restaurants p ON p.id = s.restaurant_id
		JOIN reservations r ON r.slot_id = s.id
		LEFT JOIN users u ON u.id = r.user_id
		WHERE s.restaurant_id = $1 AND (` + cameOrExpected + ` OR ` + cancelledLater + ` OR r.state = 'no_show')
			AND (r.user_id IS NULL OR u.deleted_at IS NULL)
	),
	bookings AS (
		SELECT *, substr(encode(sha256(convert_to($1::bigint || COALESCE('/user/' || user_id, '/phone/' || digits), 'UTF8')), 'hex'),
			1, 24) AS guest
		FROM named
		WHERE user_id IS NOT NULL OR digits <> ''
	)`

// listGuests reads guests by their latest visit; $2 to $4 are a part of the name, a part of the number and an id, or ”.
const listGuests = guestBookings + `,
	people AS (
		SELECT guest, ('x' || left(guest, 15))::bit(60)::bigint AS key_number,
			COALESCE(max(starts_at) FILTER (WHERE came), to_timestamp(0)) AS key_at,
			(array_agg(name ORDER BY ordinal DESC))[1] AS name, (array_agg(phone ORDER BY ordinal DESC))[1] AS phone,
			bool_or(user_id IS NOT NULL) AS has_account,
			count(*) FILTER (WHERE came) AS visits, count(*) FILTER (WHERE state = 'no_show') AS no_shows,
			count(*) FILTER (WHERE cancelled) AS cancellations, COALESCE(sum(spent), 0) AS spent,
			array_remove(array_agg(DISTINCT allergies), '') AS allergies
		FROM bookings
		WHERE $4 = '' OR guest = $4
		GROUP BY guest
		HAVING ($2 = '' OR bool_or(name ILIKE '%' || $2 || '%')) AND ($3 = '' OR bool_or(digits LIKE '%' || $3 || '%'))
	)
	SELECT *
	FROM people
	WHERE (key_at, key_number) < ($5, $6)
	ORDER BY key_at DESC, key_number DESC
	LIMIT $7`

type visitorRow struct {
	keyRow
	ID            string         `db:"guest"`
	Name          string         `db:"name"`
	Phone         string         `db:"phone"`
	HasAccount    bool           `db:"has_account"`
	Visits        int            `db:"visits"`
	NoShows       int            `db:"no_shows"`
	Cancellations int            `db:"cancellations"`
	Spent         int64          `db:"spent"`
	Allergies     pq.StringArray `db:"allergies"`
}

func (row visitorRow) guest() (guests.Guest, error) {
	g := guests.Guest{ID: row.ID, Name: row.Name, Phone: row.Phone, HasAccount: row.HasAccount, Visits: row.Visits, NoShows: row.NoShows,
		Cancellations: row.Cancellations, Spent: row.Spent, Allergies: row.Allergies}
	if row.Visits > 0 {
		g.LastVisit = row.KeyAt
	}
	return g, nil
}

// literally takes their meaning from the signs of a pattern of LIKE.
var literally = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// ListGuests implements guests.Store.
func (s *GuestStore) ListGuests(ctx context.Context, restaurantID int64, search guests.Search, page keyset.Request) (keyset.Page[guests.Guest], error) {
	var rows []visitorRow
	below := page.Below()
	err := s.db.list(ctx, &rows, listGuests, restaurantID, literally.Replace(search.Name), search.Digits, "", below.At, below.Number, page.Rows())
	if err != nil {
		return keyset.Page[guests.Guest]{}, err
	}
	return keyset.Cut(page, rows, func(row visitorRow) keyset.Cursor { return row.cursor() }, visitorRow.guest)
}

type guestBookingRow struct {
	ID        string    `db:"id"`
	Ordinal   int64     `db:"ordinal"`
	StartsAt  time.Time `db:"starts_at"`
	PartySize int       `db:"party_size"`
	State     string    `db:"state"`
	Source    string    `db:"source"`
	Note      string    `db:"note"`
	Spent     int64     `db:"spent"`
}

func (row guestBookingRow) cursor() keyset.Cursor {
	return keyset.Cursor{At: row.StartsAt, Number: row.Ordinal}
}

func (row guestBookingRow) booking() (guests.Booking, error) {
	return guests.Booking{ID: row.ID, Start: row.StartsAt, PartySize: row.PartySize, State: booking.State(row.State),
		Source: booking.Source(row.Source), Note: row.Note, Spent: row.Spent}, nil
}

// FindGuest implements guests.Store.
func (s *GuestStore) FindGuest(ctx context.Context, restaurantID int64, guest string, page keyset.Request) (guests.Profile, error) {
	if guest == "" {
		return guests.Profile{}, booking.ErrNotFound
	}
	var row visitorRow
	all := keyset.Request{}.Below()
	if err := s.db.get(ctx, &row, listGuests, restaurantID, "", "", guest, all.At, all.Number, 1); err != nil {
		return guests.Profile{}, orNotFound(err, booking.ErrNotFound)
	}
	profile := guests.Profile{}
	profile.Guest, _ = row.guest()
	var rows []guestBookingRow
	below := page.Below()
	err := s.db.list(ctx, &rows, guestBookings+`
		SELECT id, ordinal, starts_at, party_size, state, source, note, spent
		FROM bookings
		WHERE guest = $2 AND (starts_at, ordinal) < ($3, $4)
		ORDER BY starts_at DESC, ordinal DESC
		LIMIT $5`, restaurantID, guest, below.At, below.Number, page.Rows())
	if err == nil {
		profile.Bookings, err = keyset.Cut(page, rows, guestBookingRow.cursor, guestBookingRow.booking)
	}
	return profile, err
}
