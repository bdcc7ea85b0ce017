package db

import (
	"context"
	"time"

	"github.com/lib/pq"

	"lunchgo/app/booking"
	"lunchgo/db/columns"
	"lunchgo/db/pg"
)

// askedSubmissions are submissions as parameters of a statement.
type askedSubmissions struct {
	users, keys pq.StringArray
	byStaff     pq.BoolArray
}

func askedFor(asked []booking.Submission) (a askedSubmissions) {
	for _, one := range asked {
		a.users, a.keys = append(a.users, one.UserID), append(a.keys, one.IdempotencyKey)
		a.byStaff = append(a.byStaff, one.ByStaff)
	}
	return a
}

// FindReserved implements reserve.ReservationStore, by one lookup in an index for each. What staff booked for an
// account was not made by its diner.
func (s *ReservationStore) FindReserved(ctx context.Context,
	asked []booking.Submission) (map[booking.Submission]booking.Reservation, error) {
	var rows []struct {
		booking.Reservation
		Place int
	}
	of := askedFor(asked)
	err := s.db.List(ctx, &rows, `
		SELECT asked.place, found.*
		FROM unnest($1::text[], $2::text[], $3::boolean[]) WITH ORDINALITY AS asked (user_id, key, by_staff, place)
		CROSS JOIN LATERAL (
			(SELECT id FROM reservations
			WHERE NOT asked.by_staff AND user_id = asked.user_id AND idempotency_key = asked.key AND booked_by IS NULL
			LIMIT 1)
			UNION ALL
			(SELECT id FROM reservations
			WHERE asked.by_staff AND booked_by = asked.user_id AND idempotency_key = asked.key
			LIMIT 1)
		) had
		CROSS JOIN LATERAL (
			SELECT `+columns.Reservation+`
			FROM reservations r
			JOIN slots s ON s.id = r.slot_id
			WHERE r.id = had.id
			LIMIT 1
		) found`, of.users, of.keys, of.byStaff)
	found := map[booking.Submission]booking.Reservation{}
	for _, row := range rows {
		found[asked[row.Place-1]] = row.Reservation
	}
	return found, err
}

// FindChanged implements reserve.ReservationStore, by one lookup in an index for each.
func (s *ReservationStore) FindChanged(ctx context.Context,
	asked []booking.Submission) (map[booking.Submission]string, error) {
	var rows []struct {
		ReservationID string
		Place         int
	}
	of := askedFor(asked)
	err := s.db.List(ctx, &rows, `
		SELECT asked.place, found.reservation_id
		FROM unnest($1::text[], $2::text[], $3::boolean[]) WITH ORDINALITY AS asked (user_id, key, by_staff, place)
		CROSS JOIN LATERAL (
			(SELECT reservation_id FROM reservation_changes
			WHERE NOT asked.by_staff AND user_id = asked.user_id AND idempotency_key = asked.key AND staff_id IS NULL
			LIMIT 1)
			UNION ALL
			(SELECT reservation_id FROM reservation_changes
			WHERE asked.by_staff AND staff_id = asked.user_id AND idempotency_key = asked.key
			LIMIT 1)
		) found`, of.users, of.keys, of.byStaff)
	found := map[booking.Submission]string{}
	for _, row := range rows {
		found[asked[row.Place-1]] = row.ReservationID
	}
	return found, err
}

// ServedSince says whether a turn was served after a moment by Redis' clock: a fence is the time of that clock in
// microseconds, or more. It reads all slots: it is asked once when a Redis server has new data.
func (s *SlotStore) ServedSince(ctx context.Context, since time.Time) (bool, error) {
	return pg.One[bool](ctx, s.db, `
		SELECT EXISTS (SELECT FROM slots WHERE fence > $1) OR EXISTS (SELECT FROM coupons WHERE fence > $1)`,
		since.UnixMicro())
}
