package db

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/lib/pq"

	"lunchgo/app/booking"
	"lunchgo/db/columns"
	"lunchgo/db/pg"
)

// lockedReservation is a reservation whose row is locked, with what deciding about it needs.
type lockedReservation struct {
	booking.Reservation
	SlotIDs    pq.Int64Array // of its slots, in order
	PaymentKey string
	TimeZone   string
	Start      time.Time // of its slot
	End        time.Time // of its stay
	Now        time.Time // by the database's clock, read under the lock
	Seen       int       // changes as the statement saw them before it waited

	DinerCancelledAt time.Time // zero unless its diner cancels it now
}

// errChanged says that a compare-and-set found another state than the one that was read. Under the row's lock that does
// not happen.
var errChanged = errors.New("db: the reservation changed meanwhile")

// lock reads a reservation and holds its row until the transaction ends. Returns booking.ErrNotFound.
func (s *ReservationStore) lock(ctx context.Context, t *pg.Tx, id string) (lockedReservation, error) {
	var locked lockedReservation
	err := lockRow(ctx, t, &locked, id)
	if errors.Is(err, sql.ErrNoRows) || err == nil && locked.Seen != locked.Changes {
		err = lockRow(ctx, t, &locked, id) // its diner changed it while the statement waited
	}
	if err != nil {
		return lockedReservation{}, pg.OrNotFound(err, booking.ErrNotFound)
	}
	locked.Start, locked.End, err = periodOf(locked.TimeZone, locked.SlotMinutes, locked.Slot, locked.Stay)
	return locked, err
}

// lockRow locks a reservation's row until the transaction ends. The clock is read outside the locking query, because a
// query's own columns may be worked out before it waits for the lock. Nor are those of other tables, the dishes among
// them, younger than the statement: seen tells whether the diner changed the reservation during the wait, after which
// it has to be read again. Where the change was to another slot, the statement finds no row, but holds the lock.
func lockRow(ctx context.Context, t *pg.Tx, row *lockedReservation, id string) error {
	return t.Get(ctx, row, t.Pool.Guarded(LockReservation, `
		SELECT locked.*, clock_timestamp() AS now
		FROM (
			SELECT `+columns.Reservation+`, `+columns.SlotIDs+` AS slot_ids, r.payment_key, p.time_zone,
				(SELECT changes FROM reservations WHERE id = $1) AS seen
			FROM reservations r
			JOIN slots s ON s.id = r.slot_id
			JOIN restaurants p ON p.id = r.restaurant_id
			WHERE r.id = $1
			FOR UPDATE OF r
		) locked`), id)
}

// step takes a step with a reservation whose row it locks, and returns what that makes of it. Returns
// booking.ErrNotFound, and the errors of the step, after which nothing is stored.
func (s *ReservationStore) step(ctx context.Context, id string,
	take func(context.Context, *pg.Tx, lockedReservation) (booking.Reservation, error)) (booking.Reservation, error) {
	return pg.WithinCall(ctx, s.db, 2, func(ctx context.Context, t *pg.Tx) (booking.Reservation, error) {
		r, err := s.lock(ctx, t, id)
		if err != nil {
			return r.Reservation, err
		}
		return take(ctx, t, r)
	})
}

// change takes the reservation from the state it was read in to the one it has now and stores its payment and refund,
// and when it was confirmed.
// It is a compare-and-set: it returns errChanged, and stores nothing, when the row is in another state than was.
func (s *ReservationStore) change(ctx context.Context, t *pg.Tx, r lockedReservation, was booking.State) error {
	return t.Touch(ctx, errChanged, s.db.Guarded(UpdateState, `
		UPDATE reservations
		SET state = $3, paid_amount = $4, refund_amount = $5, payment_key = $6, payment_kind = $7, confirmed_at = $8
		WHERE id = $1 AND state = $2`),
		r.ID, string(was), string(r.State), r.PaidAmount, r.RefundAmount, r.PaymentKey, string(r.PaymentKind),
		pg.NullTime(r.ConfirmedAt))
}

// free does what change does, for a step after which others may have the reservation's dishes, coupon and, when its new
// state says so, seats. The same statement returns the dishes to the stock and the coupon to its diner.
func (s *ReservationStore) free(ctx context.Context, t *pg.Tx, r lockedReservation, was booking.State) error {
	return t.Touch(ctx, errChanged, s.db.Guarded(CancelReservation, `
		WITH freed AS (
			UPDATE reservations
			SET state = $3, refund_amount = $4, cancel_reason = $5, diner_cancelled_at = $6
			WHERE id = $1 AND state = $2
			RETURNING id, slot_id
		),`+ReturnTaken+`
		SELECT FROM freed`), r.ID, string(was), string(r.State), r.RefundAmount, r.CancelReason,
		pg.NullTime(r.DinerCancelledAt))
}
