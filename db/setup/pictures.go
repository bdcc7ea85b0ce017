package setup

import (
	"context"
	"slices"

	"github.com/lib/pq"

	"lunchgo/app/booking"
	"lunchgo/app/setup"
	"lunchgo/db/auditlog"
	"lunchgo/db/pg"
	"lunchgo/db/rowlock"
)

// AddPicture implements setup.ContentStore. The lock on the restaurant lets one upload of it count at a time. A menu
// that is written meanwhile holds the pictures that it names, see checkReferences.
func (s *ContentStore) AddPicture(ctx context.Context, u setup.Upload) error {
	return s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		if err := rowlock.Restaurant(ctx, t, u.RestaurantID); err != nil {
			return err
		}
		if _, err := t.Exec(ctx, deleteOrphans, u.RestaurantID, int64(setup.OrphanLife.Seconds())); err != nil {
			return err
		}
		var others int
		err := t.Get(ctx, &others, `
			SELECT count(*)
			FROM pictures
			WHERE restaurant_id = $1 AND hash <> $2`, u.RestaurantID, u.Hash)
		if err != nil {
			return err
		}
		if others >= setup.MaxPictures {
			return setup.ErrTooManyPictures
		}
		added, err := t.Exec(ctx, `
			INSERT INTO pictures (hash, restaurant_id, large, small, large_webp, small_webp, width, height, created_by)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
			ON CONFLICT (hash) DO UPDATE SET created_at = clock_timestamp()`,
			u.Hash, u.RestaurantID, u.Large.JPEG, u.Small.JPEG, u.Large.WebP, u.Small.WebP, u.Width, u.Height,
			u.StaffID)
		if err != nil || added == 0 {
			return err
		}
		return auditlog.Write(ctx, t, auditlog.Entry{StaffID: u.StaffID, RestaurantID: u.RestaurantID,
			Action: "setup.picture", Detail: map[string]any{"is": u.Hash, "width": u.Width, "height": u.Height}})
	})
}

// KeepPicture implements setup.ContentStore.
func (s *ContentStore) KeepPicture(ctx context.Context, u setup.Upload) (setup.Upload, error) {
	err := s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		return t.Get(ctx, &u, `
			UPDATE pictures
			SET created_at = clock_timestamp()
			WHERE hash = $1 AND restaurant_id = $2
			RETURNING width, height`, u.Hash, u.RestaurantID)
	})
	return u, pg.OrNotFound(err, booking.ErrNotFound)
}

// lockPictures returns which of some uploaded pictures a restaurant has, locked, so that nobody deletes them meanwhile.
func lockPictures(ctx context.Context, t *pg.Tx, restaurantID int64, hashes pq.StringArray) (known pq.StringArray,
	err error) {
	if len(hashes) == 0 {
		return nil, nil
	}
	err = t.List(ctx, &known, `
		SELECT hash
		FROM pictures
		WHERE restaurant_id = $1 AND hash = ANY ($2)
		FOR KEY SHARE`, restaurantID, hashes)
	return known, err
}

// checkShown returns *booking.InvalidError for pictures of a restaurant that are uploaded, but not by it.
func checkShown(ctx context.Context, t *pg.Tx, was, next booking.Restaurant) error {
	before, fields := append([]string{was.Picture}, was.Photos...), map[string]string{} // by hash
	for i, photo := range next.Photos {
		fields[photo] = setup.PhotoField(i)
	}
	fields[next.Picture] = "picture"
	var hashes pq.StringArray
	for _, picture := range append([]string{next.Picture}, next.Photos...) {
		if setup.IsUploaded(picture) && !slices.Contains(before, picture) {
			hashes = append(hashes, picture)
		}
	}
	known, err := lockPictures(ctx, t, next.ID, hashes)
	if err != nil {
		return err
	}
	for _, picture := range hashes {
		if !slices.Contains(known, picture) {
			return &booking.InvalidError{Fields: []booking.FieldError{{Field: fields[picture], Reason: "unknown"}}}
		}
	}
	return nil
}

// deleteOrphans deletes the pictures of a restaurant that no dish shows, on the menu or off it, nor the restaurant.
const deleteOrphans = `
	DELETE FROM pictures p
	WHERE p.restaurant_id = $1 AND p.created_at < clock_timestamp() - $2 * interval '1 second'
		AND NOT EXISTS (SELECT FROM menu_items i WHERE i.restaurant_id = $1 AND i.picture = p.hash AND NOT i.removed)
		AND NOT EXISTS (SELECT FROM restaurants r WHERE r.id = $1 AND (r.picture = p.hash OR r.photos ? p.hash))`

// FindPicture implements setup.ContentStore.
func (s *ContentStore) FindPicture(ctx context.Context, hash string, small, preferWebP bool) ([]byte, error) {
	return pg.Find[[]byte](ctx, s.db, booking.ErrNotFound, `
		SELECT CASE
			WHEN $2 AND $3 THEN COALESCE(small_webp, small)
			WHEN $2 THEN small
			WHEN $3 THEN COALESCE(large_webp, large)
			ELSE large
		END
		FROM pictures
		WHERE hash = $1`, hash, small, preferWebP)
}
