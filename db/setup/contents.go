package setup

import (
	"context"

	"lunchgo/app/setup"
	"lunchgo/db/auditlog"
	"lunchgo/db/pg"
	"lunchgo/db/rowlock"
)

// ContentStore implements setup.ContentStore: what is in a restaurant, such as its menu and its seats.
type ContentStore struct {
	db *pg.Pool
}

// NewContentStore returns the contents of the restaurants in a database.
func NewContentStore(db *pg.Pool) *ContentStore { return &ContentStore{db: db} }

// storedDocument is a document of what is in a restaurant.
type storedDocument[D any] struct {
	action  string // in the audit log
	read    func(ctx context.Context, t *pg.Tx, restaurantID int64) (D, error)
	changed func(of, other D) any // what of a version another does not have just so: the log keeps no more
}

// put has a document replaced over the version that a write names, under the lock of the restaurant's row, and returns
// it as stored. Returns booking.ErrNotFound, and the errors of Write.Check and of replace.
func (d storedDocument[D]) put(ctx context.Context, db *pg.Pool, w setup.Write,
	replace func(ctx context.Context, t *pg.Tx, was D) error) (D, error) {
	return pg.WithinCall(ctx, db, 2, func(ctx context.Context, t *pg.Tx) (stored D, err error) {
		if err := rowlock.Restaurant(ctx, t, w.RestaurantID); err != nil {
			return stored, err
		}
		was, err := d.read(ctx, t, w.RestaurantID)
		if err == nil {
			err = w.Check(was)
		}
		if err == nil {
			err = replace(ctx, t, was)
		}
		if err == nil {
			stored, err = d.read(ctx, t, w.RestaurantID)
		}
		if err != nil {
			return stored, err
		}
		return stored, auditlog.Write(ctx, t, auditlog.Entry{StaffID: w.StaffID, RestaurantID: w.RestaurantID,
			Action: d.action, Detail: map[string]any{"was": d.changed(was, stored), "is": d.changed(stored, was)}})
	})
}
