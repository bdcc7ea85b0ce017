// Package rowlock holds the rows that the transactions of several features lock.
package rowlock

import (
	"context"

	"github.com/lib/pq"
	"lunchgo/app/booking"
	"lunchgo/db/pg"
	"slices"
)

// Guards of the package.
const (
	LockUsers      pg.Guard = "lock the accounts of diners"
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
