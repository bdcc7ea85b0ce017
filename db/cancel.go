package db

import (
	"context"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
)

// Cancel takes the step that booking decides for the diner or for the staff. Returns booking.ErrNotFound when a diner
// cancels what is not theirs, and *booking.RefundChangedError when less would come back than they were told. That a member of staff is one of this restaurant is for the caller to know.
func (s *ReservationStore) Cancel(ctx context.Context, id string, by reserve.Canceller) (booking.Reservation, error) {
	var cancelled booking.Reservation
	err := s.db.inTx(ctx, func(ctx context.Context, t *tx) error {
		r, err := s.lock(ctx, t, id)
		if err != nil {
			return err
		}
		step, err := cancellation(r, by)
		if err == nil {
			err = step.Check(by.Quoted)
		}
		if err != nil {
			return err
		}
		was := r.State
		r.State, r.RefundAmount = step.State, step.Refund
		if err := s.free(ctx, t, r, was); err != nil {
			return err
		}
		cancelled = r.Reservation
		if !by.Staff {
			return nil
		}
		return writeAudit(ctx, t, auditEntry{
			StaffID: by.UserID, RestaurantID: r.RestaurantID, SlotID: r.SlotID, ReservationID: r.ID,
			Action: "reservation.cancel", Detail: map[string]any{"was": was, "refund": step.Refund},
		})
	})
	if err != nil {
		return booking.Reservation{}, err
	}
	return cancelled, nil
}

func cancellation(r lockedReservation, by reserve.Canceller) (booking.Cancellation, error) {
	switch {
	case by.Staff:
		return r.CancellationByStaff()
	case r.UserID != by.UserID:
		return booking.Cancellation{}, booking.ErrNotFound
	}
	return r.CancellationFor(r.Start, r.Now)
}

// Finish marks a confirmed reservation as booking.Completed or booking.NoShow. Returns booking.ErrWrongState.
func (s *ReservationStore) Finish(ctx context.Context, id string, state booking.State, staffID string) (booking.Reservation, error) {
	if state != booking.Completed && state != booking.NoShow {
		return booking.Reservation{}, booking.ErrWrongState
	}
	var finished booking.Reservation
	err := s.db.inTx(ctx, func(ctx context.Context, t *tx) error {
		r, err := s.lock(ctx, t, id)
		if err != nil {
			return err
		}
		was := r.State
		if !was.CanBecome(state) {
			return booking.ErrWrongState
		}
		r.State = state
		if err := s.change(ctx, t, r, was); err != nil {
			return err
		}
		finished = r.Reservation
		return writeAudit(ctx, t, auditEntry{
			StaffID: staffID, RestaurantID: r.RestaurantID, SlotID: r.SlotID, ReservationID: r.ID,
			Action: "reservation." + string(state), Detail: map[string]any{"was": was},
		})
	})
	if err != nil {
		return booking.Reservation{}, err
	}
	return finished, nil
}
