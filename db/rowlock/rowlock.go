// Package rowlock holds the rows that the transactions of several features lock.
package rowlock

import (
	"context"
	"slices"

	"github.com/lib/pq"

	"lunchgo/app/booking"
	"lunchgo/db/columns"
	"lunchgo/db/pg"
)

// Guards of the package.
const (
	LockUsers       pg.Guard = "lock the accounts of diners"
	LockComingSlots pg.Guard = "lock the slots to come of a restaurant that stops"
	LockRestaurant  pg.Guard = "lock a restaurant whose document is written"
)

// Restaurant lets the writers of a restaurant's documents follow one another. Returns booking.ErrNotFound.
func Restaurant(ctx context.Context, t *pg.Tx, restaurantID int64) error {
	var id int64
	err := t.Get(ctx, &id, t.Pool.Guarded(LockRestaurant, `
		SELECT id
		FROM restaurants
		WHERE id = $1
		FOR NO KEY UPDATE`), restaurantID)
	return pg.OrNotFound(err, booking.ErrNotFound)
}

// Users locks accounts until the transaction ends: what they have, such as limits and ways to sign in, is decided under
// that lock. It comes after the rows of slots and before that of a reservation; whoever locks several takes them in
// ascending order. Whatever adds to what an account has takes it: turns, changes, offers of the waitlist and late
// payments. It does not clash with the lock of a foreign key.
func Users(ctx context.Context, t *pg.Tx, ids ...string) error {
	return t.Run(ctx, t.Pool.Guarded(LockUsers, `
		SELECT FROM unnest($1::text[]) AS diner (id)
		CROSS JOIN LATERAL (
			SELECT FROM users
			WHERE id = diner.id
			LIMIT 1
			FOR NO KEY UPDATE
		) u`), InOrder(ids))
}

// InOrder returns ids in the order in which their rows are locked, each once.
func InOrder(ids []string) pq.StringArray {
	return slices.Compact(slices.Sorted(slices.Values(ids)))
}

// ComingSlots locks the slots of a restaurant from a day on, in their order.
func ComingSlots(ctx context.Context, t *pg.Tx, restaurantID int64,
	from booking.Date) (slots []booking.SlotKey, ids pq.Int64Array, err error) {
	var rows []struct {
		ID   int64
		Slot booking.SlotKey
	}
	err = t.List(ctx, &rows, t.Pool.Guarded(LockComingSlots, `
		SELECT id, `+columns.SlotKey+`
		FROM slots s
		WHERE s.restaurant_id = $1 AND s.service_date >= $2::date
		ORDER BY s.service_date, s.service_time
		FOR NO KEY UPDATE`), restaurantID, string(from))
	ids = pq.Int64Array{}
	for _, row := range rows {
		ids, slots = append(ids, row.ID), append(slots, row.Slot)
	}
	return slots, ids, err
}
