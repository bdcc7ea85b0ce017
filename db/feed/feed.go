// Package feed says which feeds of events want to be written.
package feed

import (
	"context"
	"time"

	"lunchgo/db/pg"
)

// Want has what a feed takes written for a while.
func Want(ctx context.Context, db *pg.Pool, feed string, wanted time.Duration) error {
	return db.Exec(ctx, `
		INSERT INTO event_feeds AS f (name, wanted_until, holder, held_until)
		VALUES ($1, clock_timestamp() + $2 * interval '1 microsecond', '', clock_timestamp())
		ON CONFLICT (name) DO UPDATE SET wanted_until = greatest(f.wanted_until, excluded.wanted_until)`,
		feed, wanted.Microseconds())
}
