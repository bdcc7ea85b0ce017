// Package favourites stores which restaurants diners save.
package favourites

import (
	"context"

	"lunchgo/app/favourites"
	"lunchgo/app/identity"
	"lunchgo/app/keyset"
	"lunchgo/db/pg"
)

// Guards of the package.
const (
	LockSaver       pg.Guard = "lock the account of who saves a restaurant"
	InsertFavourite pg.Guard = "save a restaurant"
)

// Store implements favourites.Store.
type Store struct {
	Most int // restaurants that a diner saves
	db   *pg.Pool
}

// NewStore returns the favourites stored in db.
func NewStore(db *pg.Pool) *Store {
	return &Store{Most: favourites.Most, db: db}
}

// Save implements favourites.Store. The lock of the account lets one be counted at a time, and keeps out of an account
// that is being deleted.
func (s *Store) Save(ctx context.Context, userID string, restaurantID int64) error {
	return s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		err := t.Touch(ctx, identity.ErrNotFound, s.db.Guarded(LockSaver,
			`SELECT id FROM users WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE`), userID)
		if err != nil {
			return err
		}
		others, err := pg.One[int](ctx, t, `SELECT count(*) FROM favourites WHERE user_id = $1 AND restaurant_id <> $2`,
			userID, restaurantID)
		if err == nil && others >= s.Most {
			err = favourites.ErrTooMany
		}
		if err != nil {
			return err
		}
		return t.Run(ctx, s.db.Guarded(InsertFavourite, `
			INSERT INTO favourites (user_id, restaurant_id)
			VALUES ($1, $2)
			ON CONFLICT ON CONSTRAINT favourites_once DO NOTHING`), userID, restaurantID)
	})
}

// Remove implements favourites.Store.
func (s *Store) Remove(ctx context.Context, userID string, restaurantID int64) error {
	return s.db.Exec(ctx, `DELETE FROM favourites WHERE user_id = $1 AND restaurant_id = $2`, userID, restaurantID)
}

// Has implements favourites.Store.
func (s *Store) Has(ctx context.Context, userID string, restaurantID int64) (bool, error) {
	return pg.One[bool](ctx, s.db, `SELECT EXISTS (SELECT FROM favourites WHERE user_id = $1 AND restaurant_id = $2)`,
		userID, restaurantID)
}

// List implements favourites.Store.
func (s *Store) List(ctx context.Context, userID string,
	page keyset.Request) (keyset.Page[favourites.Favourite], error) {
	key := func(f favourites.Favourite) keyset.Cursor { return keyset.Cursor{Number: f.ID} }
	return pg.Paged(ctx, s.db, page, key, keyset.Whole, `
		SELECT f.id, f.restaurant_id, r.name_ko AS "name.ko", r.name_en AS "name.en"
		FROM favourites f
		JOIN restaurants r ON r.id = f.restaurant_id
		WHERE f.user_id = $1 AND f.id < $2
		ORDER BY f.id DESC
		LIMIT $3`, userID, page.Below().Number, page.Rows())
}
