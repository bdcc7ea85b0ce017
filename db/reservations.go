package db

import (
	"context"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
)

// ReservationStore implements reserve.ReservationStore.
//
// Locks are taken in one order everywhere, so that no two transactions wait for each other: the rows of slots by their
// times, then those of users by their ids, then a reservation's, then a wallet's. Serve locks the slots and the users and only
// adds reservations. What changes one
// reservation locks that one and not its slots: paying and arriving move it between states that both hold seats, expiry,
// refunds and the end of a stay only free seats, so a turn that counts seats meanwhile counts at worst too many. Paying for
// a hold that has expired takes seats, and locks the slots and the user before; so does a change, which locks the slots of
// before and after in the order of their times. Undoing a mark that freed seats locks the slots: staff have no limits. Sweepers skip rows that another transaction holds.
type ReservationStore struct {
	Limits booking.Limits // of diners
	db     *DB
}

var _ reserve.ReservationStore = (*ReservationStore)(nil)

// NewReservationStore returns the reservations stored in db.
func NewReservationStore(db *DB) *ReservationStore {
	return &ReservationStore{Limits: booking.DefaultLimits(), db: db}
}

const selectReservations = `
	SELECT ` + reservationColumns + `
	FROM reservations r
	JOIN slots s ON s.id = r.slot_id `

// Find returns booking.ErrNotFound if there is none with that id.
func (s *ReservationStore) Find(ctx context.Context, id string) (booking.Reservation, error) {
	return s.findOne(ctx, selectReservations+`WHERE r.id = $1`, id)
}

// FindByTicket returns the reservation that a ticket of the line was given, or booking.ErrNotFound.
func (s *ReservationStore) FindByTicket(ctx context.Context, ticket string) (booking.Reservation, error) {
	return s.findOne(ctx, selectReservations+`WHERE r.ticket = $1 AND r.ticket <> ''`, ticket)
}

func (s *ReservationStore) findOne(ctx context.Context, query, arg string) (booking.Reservation, error) {
	var row reservationRow
	if err := s.db.get(ctx, &row, query, arg); err != nil {
		return booking.Reservation{}, orNotFound(err, booking.ErrNotFound)
	}
	return row.reservation()
}

// ListByUser returns a diner's reservations, latest slot first.
func (s *ReservationStore) ListByUser(ctx context.Context, userID string) ([]booking.Reservation, error) {
	var rows []reservationRow
	err := s.db.list(ctx, &rows, selectReservations+`
		WHERE r.user_id = $1
		ORDER BY s.service_date DESC, s.service_time DESC, r.ordinal DESC`, userID)
	if err != nil {
		return nil, err
	}
	return reservationsOf(rows)
}

type guestRow struct {
	reservationRow
	GuestName  string `db:"guest_name"`
	GuestPhone string `db:"guest_phone"`
}

// ListGuests returns the reservations of a slot, and those that stay in it, in the order in which they were made; those that
// are expired, cancelled or refunded come last.
func (s *ReservationStore) ListGuests(ctx context.Context, slot booking.SlotKey) ([]reserve.Guest, error) {
	var rows []guestRow
	err := s.db.list(ctx, &rows, `
		SELECT `+reservationColumns+`, u.name AS guest_name, u.phone AS guest_phone
		FROM occupations o
		JOIN reservations r ON r.id = o.reservation_id
		JOIN slots s ON s.id = r.slot_id
		JOIN users u ON u.id = r.user_id
		WHERE o.slot_id = (
			SELECT id
			FROM slots
			WHERE restaurant_id = $1 AND service_date = $2::date AND service_time = $3::time
		)
		ORDER BY r.state IN ('expired', 'cancelled', 'refunded'), r.ordinal`,
		slot.RestaurantID, string(slot.Date), string(slot.Time))
	if err != nil {
		return nil, err
	}
	guests := make([]reserve.Guest, 0, len(rows))
	for _, row := range rows {
		r, err := row.reservation()
		if err != nil {
			return nil, err
		}
		guests = append(guests, reserve.Guest{Reservation: r, Name: row.GuestName, Phone: row.GuestPhone})
	}
	return guests, nil
}
