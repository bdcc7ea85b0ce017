// Package evening reads the parties of a day.
package evening

import (
	"context"

	"lunchgo/app/booking"
	"lunchgo/app/evening"
	"lunchgo/db/columns"
	"lunchgo/db/guests"
	"lunchgo/db/pg"
)

// Store implements evening.Store.
type Store struct {
	db *pg.Pool
}

// NewStore returns the parties of the reservations in db.
func NewStore(db *pg.Pool) *Store { return &Store{db: db} }

// selectParties reads parties. A first visit is one of an account that has had no stay at the restaurant before; of a
// guest without an account nobody knows.
const selectParties = `
		SELECT ` + columns.Reservation + `, ` + columns.Guest + `, r.user_id IS NOT NULL AND NOT EXISTS (
				SELECT
				FROM reservations visit
				JOIN slots earlier ON earlier.id = visit.slot_id
				WHERE visit.user_id = r.user_id AND visit.restaurant_id = r.restaurant_id
					AND visit.state IN ('arrived', 'seated', 'completed')
					AND earlier.service_date + earlier.service_time < s.service_date + s.service_time
			) AS first_visit,
			COALESCE(g.id, '') AS "known.guest", g.id IS NOT NULL AND ` + guests.HasConsent + ` AS "known.consents",
			COALESCE(noted.latest, '') AS "known.note", noted.notes AS "known.notes"
		FROM slots s
		JOIN reservations r ON r.slot_id = s.id` + columns.JoinGuests + `
		CROSS JOIN LATERAL (
			SELECT (array_agg(n.text ORDER BY n.id DESC))[1] AS latest, count(*) AS notes
			FROM guest_notes n
			WHERE n.guest_id = g.id
		) noted
`

// ListParties implements evening.Store.
func (s *Store) ListParties(ctx context.Context, restaurantID int64, date booking.Date) ([]evening.Party,
	error) {
	return s.parties(ctx, selectParties+`
		WHERE s.restaurant_id = $1 AND s.service_date = $2::date
		ORDER BY s.service_time, r.ordinal`, restaurantID, string(date))
}

// FindParty implements evening.Store.
func (s *Store) FindParty(ctx context.Context, restaurantID int64, id string) (evening.Party, error) {
	found, err := s.parties(ctx, selectParties+`WHERE s.restaurant_id = $1 AND r.id = $2`, restaurantID, id)
	if err == nil && len(found) == 0 {
		err = booking.ErrNotFound
	}
	if err != nil {
		return evening.Party{}, err
	}
	return found[0], nil
}

func (s *Store) parties(ctx context.Context, query string, args ...any) ([]evening.Party, error) {
	return pg.List[evening.Party](ctx, s.db, query, args...)
}

// FindByCode returns the id of the reservation with a code at a restaurant: the one whose date is closest to the given
// one, from the day before it on. Returns booking.ErrNotFound.
func (s *Store) FindByCode(ctx context.Context, restaurantID int64, date booking.Date, code string) (string,
	error) {
	return pg.Find[string](ctx, s.db, booking.ErrNotFound, `
		SELECT r.id
		FROM slots s
		JOIN reservations r ON r.slot_id = s.id
		WHERE s.restaurant_id = $1 AND s.service_date >= $2::date - 1 AND upper(left(r.id, length($3))) = $3
		ORDER BY abs(s.service_date - $2::date), r.ordinal DESC
		LIMIT 1`, restaurantID, string(date), code)
}
