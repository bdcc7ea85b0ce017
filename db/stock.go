package db

import (
	"context"
	"database/sql"
	"errors"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/db/auditlog"
	"lunchgo/db/coupons"
	"lunchgo/db/pg"
)

// StockStore implements reserve.StockStore.
type StockStore struct {
	db *pg.Pool
}

// NewStockStore returns the stock of dishes stored in db.
func NewStockStore(db *pg.Pool) *StockStore { return &StockStore{db: db} }

// ListPortions returns the limited items of a restaurant on a date, in ascending order.
func (s *StockStore) ListPortions(ctx context.Context, restaurantID int64, date booking.Date) ([]booking.Portions,
	error) {
	return pg.List[booking.Portions](ctx, s.db, `
		SELECT i.id AS menu_item_id, COALESCE(m.offered, i.daily_quantity) AS offered,
			COALESCE(m.remaining, i.daily_quantity) AS remaining
		FROM menu_items i
		LEFT JOIN menu_stock m ON m.menu_item_id = i.id AND m.service_date = $2::date
		WHERE i.restaurant_id = $1 AND NOT i.retired AND COALESCE(m.remaining, i.daily_quantity) IS NOT NULL
			AND m.unlimited IS NOT TRUE
		ORDER BY i.id`,
		restaurantID, string(date))
}

// SetStock says how many portions are left from now on, or takes the limit away. What was ordered before stays ordered.
// Returns booking.ErrNotFound when the restaurant has no such item, and booking.ErrWrongState for a step from no limit.
func (s *StockStore) SetStock(ctx context.Context, change reserve.StockChange) error {
	return s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		was, err := lockStock(ctx, t, change)
		if err != nil {
			return err
		}
		is, err := change.Apply(was)
		if err != nil {
			return err
		}
		_, err = t.Exec(ctx, `
			INSERT INTO menu_stock AS m (menu_item_id, service_date, offered, remaining, unlimited)
			VALUES ($1, $2::date, COALESCE($3, 0), COALESCE($3, 0), $3::integer IS NULL)
			ON CONFLICT ON CONSTRAINT menu_stock_pk
			DO UPDATE SET offered = m.offered - m.remaining + COALESCE($3, m.remaining), remaining = COALESCE($3, m.remaining),
				unlimited = excluded.unlimited`,
			change.MenuItemID, string(change.Date), is)
		if err != nil {
			return err
		}
		return auditlog.Write(ctx, t, auditlog.Entry{
			StaffID: change.StaffID, RestaurantID: change.RestaurantID, Action: "stock.set",
			Detail: map[string]any{"item": change.MenuItemID, "date": change.Date, "was": was, "is": is},
		})
	})
}

// lockStock lets the changes of an item by staff follow one another and returns what was left of it, nil for any
// number. These are two statements, because what is read has to be from after the wait for the lock.
func lockStock(ctx context.Context, t *pg.Tx, change reserve.StockChange) (was *int, err error) {
	var usual *int
	err = t.Get(ctx, &usual, `
		SELECT daily_quantity
		FROM menu_items
		WHERE id = $1 AND restaurant_id = $2
		FOR NO KEY UPDATE`, change.MenuItemID, change.RestaurantID)
	if err != nil {
		return nil, pg.OrNotFound(err, booking.ErrNotFound)
	}
	var left *int
	err = t.Get(ctx, &left, `
		SELECT CASE WHEN NOT unlimited THEN remaining END
		FROM menu_stock
		WHERE menu_item_id = $1 AND service_date = $2::date
		FOR UPDATE`, change.MenuItemID, string(change.Date))
	if errors.Is(err, sql.ErrNoRows) {
		return usual, nil
	}
	return left, err
}

// returnStock gives the portions of reservations back that a statement's CTE freed (id, slot_id) has just ended: each
// is ended once, so they come back once. The rows are locked in the order in which turns lock them, so that no two
// transactions wait for each other.
const returnStock = `
	back AS (
		SELECT i.menu_item_id, s.service_date, sum(i.quantity) AS quantity
		FROM freed
		JOIN reservation_items i ON i.reservation_id = freed.id AND i.from_stock
		JOIN slots s ON s.id = freed.slot_id
		GROUP BY i.menu_item_id, s.service_date
	), locked AS (
		SELECT m.menu_item_id, m.service_date, back.quantity
		FROM back
		JOIN menu_stock m ON m.menu_item_id = back.menu_item_id AND m.service_date = back.service_date
		ORDER BY m.service_date, m.menu_item_id
		FOR UPDATE OF m
	), returned AS (
		UPDATE menu_stock m
		SET remaining = m.remaining + locked.quantity
		FROM locked
		WHERE m.menu_item_id = locked.menu_item_id AND m.service_date = locked.service_date
		RETURNING 1
	)`

// ReturnTaken is what goes back, dishes and coupons, with reservations that a CTE freed has just ended.
const ReturnTaken = returnStock + `,` + coupons.Return
