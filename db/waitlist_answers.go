package db

import (
	"context"

	"lunchgo/app/booking"
	"lunchgo/db/pg"
)

// Accept implements reserve.WaitlistStore.
func (s *WaitlistStore) Accept(ctx context.Context, id string) (booking.Entry, error) {
	return s.answer(ctx, id, func(ctx context.Context, t *pg.Tx, e booking.Entry, r lockedReservation) error {
		switch {
		case e.State == booking.EntryAccepted && r.State != booking.Temporary:
			return nil // and paid for
		case !r.IsHeld(r.Now):
			return booking.ErrOfferOver
		}
		return t.Run(ctx, `UPDATE waitlist_entries SET state = 'accepted' WHERE id = $1 AND state = 'offered'`, id)
	})
}

// Decline implements reserve.WaitlistStore.
func (s *WaitlistStore) Decline(ctx context.Context, id string) (booking.Entry, error) {
	return s.answer(ctx, id, func(ctx context.Context, t *pg.Tx, e booking.Entry, r lockedReservation) error {
		switch {
		case e.State == booking.EntryDeclined:
			return nil
		case r.State != booking.Temporary:
			return booking.ErrOfferOver
		}
		r.Reservation.State = booking.Cancelled
		return (&ReservationStore{db: s.db}).free(ctx, t, r, booking.Temporary)
	})
}

type answered func(ctx context.Context, t *pg.Tx, e booking.Entry, r lockedReservation) error

// answer decides about an offer under the lock of its reservation.
func (s *WaitlistStore) answer(ctx context.Context, id string, decide answered) (booking.Entry, error) {
	known, err := s.FindEntry(ctx, id)
	switch {
	case err != nil:
		return booking.Entry{}, err
	case known.Offer == nil:
		return booking.Entry{}, booking.ErrOfferOver
	}
	err = s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		r, err := (&ReservationStore{db: s.db}).lock(ctx, t, known.Offer.ReservationID)
		if err != nil {
			return err
		}
		var row waitEntryRow // as it is under the lock
		if err := t.Get(ctx, &row, selectWaitlist+`WHERE w.id = $1`, id); err != nil {
			return err
		}
		return decide(ctx, t, row.entry(), r)
	})
	if err != nil {
		return booking.Entry{}, err
	}
	return s.FindEntry(ctx, id)
}
