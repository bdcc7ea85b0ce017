package db

import (
	"context"

	"github.com/lib/pq"

	"lunchgo/app/booking"
	"lunchgo/app/keyset"
	"lunchgo/app/reserve"
	"lunchgo/db/columns"
	"lunchgo/db/pg"
)

// ReservationStore implements reserve.ReservationStore.
//
// Locks are taken in one order everywhere, so that no two transactions wait for each other: the rows of slots by their
// times, then those of users by their ids, then a reservation's, then a wallet's. Serve locks the slots and the users
// and only adds reservations. What changes one reservation locks that one and not its slots: paying and arriving move
// it between states that both hold seats, expiry, refunds and the end of a stay only free seats, so a turn that counts
// seats meanwhile counts at worst too many. Paying for a hold that has expired takes seats, and locks the slots and the
// user before; so does a change, which locks the slots of before and after in the order of their times. Undoing a mark
// that freed seats locks the slots: staff have no limits. Sweepers skip rows that another transaction holds.
type ReservationStore struct {
	Limits booking.Limits // of diners
	db     *pg.Pool
	byID   pg.ByKey[booking.Reservation]
}

// NewReservationStore returns the reservations stored in db.
func NewReservationStore(db *pg.Pool) *ReservationStore {
	return &ReservationStore{Limits: booking.DefaultLimits(), db: db,
		byID: pg.NewByKey(db, selectReservations+`WHERE r.id = ANY ($1)`,
			func(r booking.Reservation) string { return r.ID })}
}

const selectReservations = `
	SELECT ` + columns.Reservation + `
	FROM reservations r
	JOIN slots s ON s.id = r.slot_id `

// Find returns booking.ErrNotFound if there is none with that id.
func (s *ReservationStore) Find(ctx context.Context, id string) (booking.Reservation, error) {
	found, err := s.byID.Get(ctx, id)
	return found, pg.OrNotFound(err, booking.ErrNotFound)
}

// FindByTicket returns the reservation that a ticket of the line was given, or booking.ErrNotFound.
func (s *ReservationStore) FindByTicket(ctx context.Context, ticket string) (booking.Reservation, error) {
	return pg.Find[booking.Reservation](ctx, s.db, booking.ErrNotFound,
		selectReservations+`WHERE r.ticket = $1 AND r.ticket <> ''`, ticket)
}

// listedReservationRow is a reservation in a list that is ordered by its slot's local time.
type listedReservationRow struct {
	booking.Reservation
	pg.KeyRow
}

func (row listedReservationRow) reservation() booking.Reservation { return row.Reservation }

// ListByUser implements reserve.ReservationStore.
func (s *ReservationStore) ListByUser(ctx context.Context, userID string,
	page keyset.Request) (keyset.Page[booking.Reservation], error) {
	below := page.Below()
	return pg.Paged(ctx, s.db, page, listedReservationRow.Cursor, listedReservationRow.reservation, `
		SELECT `+columns.Reservation+`, own.key_at, own.key_number
		FROM (
			SELECT r.id, s.service_date + s.service_time AS key_at, r.ordinal AS key_number
			FROM reservations r
			JOIN slots s ON s.id = r.slot_id
			WHERE r.user_id = $1 AND (s.service_date + s.service_time, r.ordinal) < ($2::timestamp, $3)
			ORDER BY key_at DESC, key_number DESC
			LIMIT $4
		) own
		JOIN reservations r ON r.id = own.id
		JOIN slots s ON s.id = r.slot_id
		ORDER BY own.key_at DESC, own.key_number DESC`, userID, below.At, below.Number, page.Rows())
}

// ListUpcoming implements reserve.ReservationStore.
func (s *ReservationStore) ListUpcoming(ctx context.Context, userID string,
	page keyset.Request) (keyset.Page[booking.Reservation], error) {
	above := page.Above()
	return pg.Paged(ctx, s.db, page, listedReservationRow.Cursor, listedReservationRow.reservation, `
		SELECT `+columns.Reservation+`, s.service_date + s.service_time AS key_at, r.ordinal AS key_number
		FROM reservations r
		JOIN slots s ON s.id = r.slot_id
		WHERE r.user_id = $1 AND r.state IN `+columns.HoldingStates+` AND s.service_date >= current_date - 2
			AND (s.service_date + s.service_time, r.ordinal) > ($2::timestamp, $3)
		ORDER BY key_at, key_number
		LIMIT $4`, userID, above.At, above.Number, page.Rows())
}

// RestaurantsOf implements reserve.ReservationStore.
func (s *ReservationStore) RestaurantsOf(ctx context.Context, userID string, ids []string) (map[string]int64, error) {
	return pg.One[map[string]int64](ctx, s.db, `
		SELECT json_object_agg(id, restaurant_id)
		FROM reservations
		WHERE user_id = $1 AND id = ANY ($2)`, userID, pq.StringArray(ids))
}

type guestRow struct {
	reserve.Guest
	pg.KeyRow
}

// ListGuests implements reserve.ReservationStore. Reservations that are over have a later key.
func (s *ReservationStore) ListGuests(ctx context.Context, slot booking.SlotKey,
	page keyset.Request) (keyset.Page[reserve.Guest], error) {
	above := page.Above()
	show := func(row guestRow) reserve.Guest { return row.Guest }
	return pg.Paged(ctx, s.db, page, guestRow.Cursor, show, `
		SELECT `+columns.Reservation+`, `+columns.Guest+`,
			ended.key_at, r.ordinal AS key_number
		FROM occupations o
		JOIN reservations r ON r.id = o.reservation_id
		JOIN slots s ON s.id = r.slot_id`+columns.JoinGuests+`
		CROSS JOIN LATERAL (
			SELECT CASE WHEN r.state IN ('expired', 'cancelled', 'refunded') THEN timestamp '2001-01-01' ELSE timestamp '2000-01-01' END AS key_at
		) ended
		WHERE o.slot_id = (
			SELECT id
			FROM slots
			WHERE restaurant_id = $1 AND service_date = $2::date AND service_time = $3::time
		) AND (ended.key_at, r.ordinal) > ($4::timestamp, $5)
		ORDER BY ended.key_at, r.ordinal
		LIMIT $6`,
		slot.RestaurantID, string(slot.Date), string(slot.Time), above.At, above.Number, page.Rows())
}

// FindGuest implements reserve.ReservationStore.
func (s *ReservationStore) FindGuest(ctx context.Context, id string) (reserve.Guest, error) {
	return pg.Find[reserve.Guest](ctx, s.db, booking.ErrNotFound, `
		SELECT `+columns.Reservation+`, `+columns.Guest+`
		FROM reservations r
		JOIN slots s ON s.id = r.slot_id`+columns.JoinGuests+`
		WHERE r.id = $1`, id)
}

// ListSeated implements reserve.ReservationStore.
func (s *ReservationStore) ListSeated(ctx context.Context, slot booking.SlotKey) (map[int64]string, error) {
	return pg.One[map[int64]string](ctx, s.db, `
		SELECT json_object_agg(seat.seat_id, COALESCE(r.guest_name, u.name))
		FROM slots s
		JOIN reservation_seats seat ON seat.slot_id = s.id AND seat.held
		JOIN reservations r ON r.id = seat.reservation_id
		LEFT JOIN users u ON u.id = r.user_id
		WHERE s.restaurant_id = $1 AND s.service_date = $2::date AND s.service_time = $3::time`,
		slot.RestaurantID, string(slot.Date), string(slot.Time))
}
