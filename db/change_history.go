package db

import (
	"context"
	"errors"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/keyset"
)

type changeRow struct {
	ReservationID string    `db:"reservation_id"`
	UserID        string    `db:"user_id"`
	StaffID       string    `db:"staff_id"`
	Key           string    `db:"idempotency_key"`
	Number        int       `db:"number"`
	RestaurantID  int64     `db:"restaurant_id"`
	FromDate      string    `db:"from_date"`
	FromTime      string    `db:"from_time"`
	ToDate        string    `db:"to_date"`
	ToTime        string    `db:"to_time"`
	FromParty     int       `db:"from_party"`
	ToParty       int       `db:"to_party"`
	FromItems     []byte    `db:"from_items"`
	ToItems       []byte    `db:"to_items"`
	FromDeposit   int64     `db:"from_deposit"`
	ToDeposit     int64     `db:"to_deposit"`
	FromMenu      int64     `db:"from_menu"`
	ToMenu        int64     `db:"to_menu"`
	FromDiscount  int64     `db:"from_discount"`
	ToDiscount    int64     `db:"to_discount"`
	Charged       int64     `db:"charged"`
	Refunded      int64     `db:"refunded"`
	Kept          int64     `db:"kept"`
	CreatedAt     time.Time `db:"created_at"`
}

const selectChanges = `
	SELECT c.reservation_id, COALESCE(c.user_id, '') AS user_id, COALESCE(c.staff_id, '') AS staff_id, c.idempotency_key, c.number, f.restaurant_id,
		to_char(f.service_date, 'YYYY-MM-DD') AS from_date, to_char(f.service_time, 'HH24:MI') AS from_time,
		to_char(s.service_date, 'YYYY-MM-DD') AS to_date, to_char(s.service_time, 'HH24:MI') AS to_time,
		c.from_party, c.to_party, c.from_items, c.to_items, c.from_deposit, c.to_deposit, c.from_menu, c.to_menu,
		c.from_discount, c.to_discount, c.charged, c.refunded, c.kept, c.created_at
	FROM reservation_changes c
	JOIN slots f ON f.id = c.from_slot_id
	JOIN slots s ON s.id = c.to_slot_id `

func (row changeRow) change() (booking.PastChange, error) {
	from, fromErr := parseItems(row.FromItems)
	to, toErr := parseItems(row.ToItems)
	return booking.PastChange{
		ReservationID: row.ReservationID,
		UserID:        row.UserID,
		StaffID:       row.StaffID,
		Number:        row.Number,
		From: booking.Agreed{Slot: slotKey(row.RestaurantID, row.FromDate, row.FromTime), PartySize: row.FromParty,
			Items: from, DepositAmount: row.FromDeposit, MenuAmount: row.FromMenu, DiscountAmount: row.FromDiscount},
		To: booking.Agreed{Slot: slotKey(row.RestaurantID, row.ToDate, row.ToTime), PartySize: row.ToParty, Items: to,
			DepositAmount: row.ToDeposit, MenuAmount: row.ToMenu, DiscountAmount: row.ToDiscount},
		Charged:  row.Charged,
		Refunded: row.Refunded,
		Retained: row.Kept,
		At:       row.CreatedAt,
	}, errors.Join(fromErr, toErr)
}

// FindChange implements reserve.ReservationStore.
func (s *ReservationStore) FindChange(ctx context.Context, userID, key string) (booking.PastChange, error) {
	return s.findChange(ctx, `WHERE c.user_id = $1 AND c.idempotency_key = $2 AND c.staff_id IS NULL`, userID, key)
}

// FindChangeByStaff implements reserve.ReservationStore.
func (s *ReservationStore) FindChangeByStaff(ctx context.Context, staffID, key string) (booking.PastChange, error) {
	return s.findChange(ctx, `WHERE c.staff_id = $1 AND c.idempotency_key = $2`, staffID, key)
}

// FindChangeByTicket implements reserve.ReservationStore.
func (s *ReservationStore) FindChangeByTicket(ctx context.Context, ticket string) (booking.PastChange, error) {
	return s.findChange(ctx, `WHERE c.ticket = $1 AND c.ticket <> ''`, ticket)
}

// findChange returns booking.ErrNotFound if there is no such change.
func (s *ReservationStore) findChange(ctx context.Context, where string, args ...any) (booking.PastChange, error) {
	var row changeRow
	if err := s.db.get(ctx, &row, selectChanges+where, args...); err != nil {
		return booking.PastChange{}, orNotFound(err, booking.ErrNotFound)
	}
	return row.change()
}

// ListChanges implements reserve.ReservationStore.
func (s *ReservationStore) ListChanges(ctx context.Context, reservationID string,
	page keyset.Request) (keyset.Page[booking.PastChange], error) {
	var rows []changeRow
	err := s.db.list(ctx, &rows, selectChanges+`
		WHERE c.reservation_id = $1 AND c.number > $2::bigint
		ORDER BY c.number
		LIMIT $3`, reservationID, page.Above().Number, page.Rows())
	if err != nil {
		return keyset.Page[booking.PastChange]{}, err
	}
	key := func(row changeRow) keyset.Cursor { return keyset.Cursor{Number: int64(row.Number)} }
	return keyset.Cut(page, rows, key, changeRow.change)
}
