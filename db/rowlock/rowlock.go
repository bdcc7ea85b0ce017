// Package rowlock holds the rows that the transactions of several features lock.
package rowlock

import (
	"context"

	"lunchgo/app/booking"
	"lunchgo/db/pg"
)

// Guards of the package.
const (
	LockRestaurant pg.Guard = "lock a restaurant whose document is written"
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
