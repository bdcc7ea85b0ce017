package db

import (
	"context"
	"errors"

	"lunchgo/app/booking"
	"lunchgo/app/wallet"
)

// Pay takes the money from the diner's wallet and confirms the reservation, both or neither. A repeat with the same key
// returns the reservation as it is. Returns booking.ErrNotFound when it is not the diner's, booking.ErrKeyReused when the
// key paid for something else, the errors of booking.Reservation.PaymentFor, and wallet.ErrBalanceTooLow.
func (s *ReservationStore) Pay(ctx context.Context, order booking.PaymentOrder) (booking.Reservation, error) {
	var paid booking.Reservation
	err := s.db.inTx(ctx, func(ctx context.Context, t *tx) error {
		r, err := s.lock(ctx, t, order.ReservationID)
		switch {
		case err != nil:
			return err
		case r.UserID != order.UserID:
			return booking.ErrNotFound
		case r.PaymentKey != "" && r.PaymentKey == order.IdempotencyKey:
			paid = r.Reservation
			return repeatedPayment(r, order)
		}
		paid, err = s.payNow(ctx, t, r, order)
		return err
	})
	if errors.Is(err, wallet.ErrKeyReused) {
		err = booking.ErrKeyReused
	}
	if err != nil {
		return booking.Reservation{}, err
	}
	return paid, nil
}

func repeatedPayment(r lockedReservation, order booking.PaymentOrder) error {
	if r.PaymentKind != order.Kind {
		return booking.ErrKeyReused
	}
	return nil
}

func (s *ReservationStore) payNow(ctx context.Context, t *tx, r lockedReservation, order booking.PaymentOrder) (booking.Reservation, error) {
	payment, err := r.PaymentFor(order.Kind, r.Now)
	if err != nil {
		return booking.Reservation{}, err
	}
	was := r.State
	r.State, r.PaidAmount = payment.State, payment.Amount
	r.PaymentKey, r.PaymentKind = order.IdempotencyKey, order.Kind
	if err := s.change(ctx, t, r, was); err != nil {
		return booking.Reservation{}, err
	}
	err = postEntry(ctx, t, posting{
		UserID:        r.UserID,
		Amount:        -payment.Amount,
		Kind:          paymentEntry[order.Kind],
		ReservationID: r.ID,
		Key:           paymentKey(order.IdempotencyKey),
	})
	return r.Reservation, err
}

var paymentEntry = map[booking.PaymentKind]wallet.Kind{
	booking.Deposit: wallet.KindDeposit,
	booking.Prepay:  wallet.KindPrepay,
}
