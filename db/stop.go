package db

import (
	"context"
	"errors"

	"github.com/lib/pq"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/db/auditlog"
	"lunchgo/db/pg"
	"lunchgo/db/rowlock"
)

// stopOf and an expression for a restaurant's id read why it takes no new reservations; null if it does. Turns read it
// by the statement after the one that locks.
const stopOf = `(SELECT stop_reason FROM restaurants WHERE stopped_at IS NOT NULL AND id = `

// stopped returns the occupancy of a slot whose restaurant is stopped, if it is.
func stopped(o booking.Occupancy, stop *string) booking.Occupancy {
	if stop != nil {
		o.Closed, o.Stopped, o.Reason = true, true, *stop
	}
	return o
}

// SetStopped stops all new reservations of a restaurant, or lets them go on, on behalf of a member of staff. Returns
// whom that touches, Waiting excepted, and the slots to come. It locks their rows: turns under way end before it, and
// later ones see it. Returns booking.ErrUnpublished while an operator keeps the restaurant off the public pages.
func (s *SlotStore) SetStopped(ctx context.Context, stop reserve.Stop) (affected reserve.Affected,
	slots []booking.SlotKey, err error) {
	err = s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		var was struct {
			Stopped, Unpublished bool
			Reason               string
		}
		err := t.Get(ctx, &was, `
			SELECT stopped_at IS NOT NULL AS stopped, unpublished_at IS NOT NULL AS unpublished, stop_reason AS reason
			FROM restaurants
			WHERE id = $1
			FOR NO KEY UPDATE`, stop.RestaurantID)
		if err != nil {
			return pg.OrNotFound(err, booking.ErrNotFound)
		}
		if was.Unpublished {
			return booking.ErrUnpublished
		}
		var ids pq.Int64Array
		if slots, ids, err = rowlock.ComingSlots(ctx, t, stop.RestaurantID, stop.From); err != nil {
			return err
		}
		if affected, err = readAffected(ctx, t, ids); err != nil {
			return err
		}
		if stop.Preview {
			return errPreviewed
		}
		if was.Stopped == stop.Stopped && was.Reason == stop.Reason {
			return nil
		}
		return writeStop(ctx, t, stop, was.Stopped)
	})
	if err != nil && !errors.Is(err, errPreviewed) {
		return reserve.Affected{}, nil, err
	}
	return affected, slots, nil
}

func writeStop(ctx context.Context, t *pg.Tx, stop reserve.Stop, was bool) error {
	_, err := t.Exec(ctx, t.Pool.Guarded(UpdateStop, `
		UPDATE restaurants
		SET stopped_at = CASE WHEN $2 THEN COALESCE(stopped_at, statement_timestamp()) END, stop_reason = $3
		WHERE id = $1`), stop.RestaurantID, stop.Stopped, stop.Reason)
	if err != nil {
		return err
	}
	action := "restaurant.resume"
	if stop.Stopped {
		action = "restaurant.stop"
	}
	return auditlog.Write(ctx, t, auditlog.Entry{StaffID: stop.StaffID, RestaurantID: stop.RestaurantID, Action: action,
		Detail: map[string]any{"was": was, "is": stop.Stopped}, Reason: stop.Reason})
}
