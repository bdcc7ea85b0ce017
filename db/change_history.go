package db

import (
	"context"

	"lunchgo/app/booking"
	"lunchgo/app/keyset"
	"lunchgo/db/pg"
)

type changeRow struct {
	booking.PastChange
	IdempotencyKey string
}

func (row changeRow) change() booking.PastChange { return row.PastChange }

const selectChanges = `
	SELECT c.reservation_id, COALESCE(c.user_id, '') AS user_id, COALESCE(c.staff_id, '') AS staff_id,
		c.idempotency_key, c.number,
		f.restaurant_id AS "from.slot.restaurant_id", to_char(f.service_date, 'YYYY-MM-DD') AS "from.slot.date",
		to_char(f.service_time, 'HH24:MI') AS "from.slot.time", s.restaurant_id AS "to.slot.restaurant_id",
		to_char(s.service_date, 'YYYY-MM-DD') AS "to.slot.date", to_char(s.service_time, 'HH24:MI') AS "to.slot.time",
		c.from_party AS "from.party_size", c.to_party AS "to.party_size",
		` + bookedItems + `c.from_items) item), '[]') AS "from.items",
		` + bookedItems + `c.to_items) item), '[]') AS "to.items",
		c.from_deposit AS "from.deposit_amount", c.to_deposit AS "to.deposit_amount", c.from_menu AS "from.menu_amount",
		c.to_menu AS "to.menu_amount", c.from_discount AS "from.discount_amount", c.to_discount AS "to.discount_amount",
		c.charged, c.refunded, c.kept AS retained, c.created_at AS at
	FROM reservation_changes c
	JOIN slots f ON f.id = c.from_slot_id
	JOIN slots s ON s.id = c.to_slot_id `

// bookedItems, with a column of itemRows behind it, reads each as a booking.Item.
const bookedItems = `COALESCE((SELECT json_agg(item || jsonb_build_object('name', item)) FROM jsonb_array_elements(`

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
	row, err := pg.Find[changeRow](ctx, s.db, booking.ErrNotFound, selectChanges+where, args...)
	return row.PastChange, err
}

// ListChanges implements reserve.ReservationStore.
func (s *ReservationStore) ListChanges(ctx context.Context, reservationID string,
	page keyset.Request) (keyset.Page[booking.PastChange], error) {
	key := func(row changeRow) keyset.Cursor { return keyset.Cursor{Number: int64(row.Number)} }
	return pg.Paged(ctx, s.db, page, key, changeRow.change, selectChanges+`
		WHERE c.reservation_id = $1 AND c.number > $2::bigint
		ORDER BY c.number
		LIMIT $3`, reservationID, page.Above().Number, page.Rows())
}

// itemRow is a booking.Item as the history of changes stores it.
type itemRow struct {
	MenuItemID int64  `json:"menuItemId"`
	Ko         string `json:"ko"`
	En         string `json:"en"`
	Quantity   int    `json:"quantity"`
	UnitPrice  int64  `json:"unitPrice"`
}
