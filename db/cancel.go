package db

import (
	"context"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/db/auditlog"
	"lunchgo/db/pg"
)

// Cancel takes the step that booking decides for the diner. Returns booking.ErrNotFound when a diner cancels what is
// not theirs, and *booking.RefundChangedError when less would come back than the amount quoted to them.
func (s *ReservationStore) Cancel(ctx context.Context, id string, by reserve.Canceller) (booking.Reservation, error) {
	return s.cancel(ctx, id, func(_ context.Context, _ *pg.Tx, r lockedReservation) (booking.Cancellation, error) {
		if r.UserID != by.UserID {
			return booking.Cancellation{}, booking.ErrNotFound
		}
		step, err := r.CancellationFor(r.Start, r.Now)
		if err == nil {
			err = step.Check(by.Quoted)
		}
		return step, err
	})
}

// CancelByStaff takes the step that booking decides for the restaurant, and writes down who did it and why. The reason
// goes into the diner's letter too.
func (s *ReservationStore) CancelByStaff(ctx context.Context, id, staffID, reason string) (booking.Reservation, error) {
	return s.cancel(ctx, id, func(ctx context.Context, t *pg.Tx, r lockedReservation) (booking.Cancellation, error) {
		return r.cancelByStaff(ctx, t, staffID, reason)
	})
}

// cancelByStaff is what a cancellation by the restaurant leads to, and writes it down.
func (r lockedReservation) cancelByStaff(ctx context.Context, t *pg.Tx,
	staffID, reason string) (booking.Cancellation, error) {
	step, err := r.CancellationByStaff()
	if err == nil {
		act := r.act(staffID, "reservation.cancelled",
			map[string]any{"was": r.State, "is": step.State, "refund": step.Refund})
		act.Reason, step.Reason = reason, reason
		err = auditlog.Write(ctx, t, act)
	}
	return step, err
}

// decision says what cancelling leads to, within the transaction in which it is done.
type decision func(ctx context.Context, t *pg.Tx, r lockedReservation) (booking.Cancellation, error)

func (s *ReservationStore) cancel(ctx context.Context, id string, decide decision) (booking.Reservation, error) {
	return s.step(ctx, id, func(ctx context.Context, t *pg.Tx, r lockedReservation) (booking.Reservation, error) {
		step, err := decide(ctx, t, r)
		if err != nil {
			return r.Reservation, err
		}
		was := r.State
		r.State, r.RefundAmount, r.CancelReason = step.State, step.Refund, step.Reason
		r.DinerCancelledAt = step.At
		return r.Reservation, s.free(ctx, t, r, was)
	})
}

// act is an act of staff that concerns the reservation.
func (r lockedReservation) act(staffID, action string, detail map[string]any) auditlog.Entry {
	return auditlog.Entry{StaffID: staffID, RestaurantID: r.RestaurantID, SlotID: r.SlotIDs[0], ReservationID: r.ID,
		Action: action, Detail: detail}
}
