package db

import (
	"context"
	"errors"

	"lunchgo/app/booking"
	"lunchgo/app/wallet"
)

// Pay takes the money from the diner's wallet and confirms the reservation, both or neither. A repeat with the same key
// returns the reservation as it is. A hold that has expired is paid for as payLate says. Returns booking.ErrNotFound when it is
// not the diner's, booking.ErrKeyReused when the key paid for something else, the errors of booking.Reservation.PaymentFor,
// booking.ErrReturned and wallet.ErrBalanceTooLow.
func (s *ReservationStore) Pay(ctx context.Context, order booking.PaymentOrder) (booking.Reservation, error) {
	paid, err := s.payHeld(ctx, order)
	if errors.Is(err, errExpired) {
		paid, err = s.payLate(ctx, order)
	}
	if errors.Is(err, wallet.ErrKeyReused) {
		err = booking.ErrKeyReused
	}
	if err != nil && !errors.Is(err, booking.ErrReturned) {
		return booking.Reservation{}, err
	}
	return paid, err
}

// errExpired says that the hold has been ended, so that the slot is to be locked before the reservation.
var errExpired = errors.New("db: the hold has been ended")

func (s *ReservationStore) payHeld(ctx context.Context, order booking.PaymentOrder) (paid booking.Reservation, err error) {
	err = s.db.inTx(ctx, func(ctx context.Context, t *tx) error {
		r, payment, err := s.lockToPay(ctx, t, order)
		paid = r.Reservation
		switch {
		case errors.Is(err, errRepeat):
			return nil
		case err != nil:
			return err
		case payment.Retake:
			return errExpired
		}
		paid, err = s.confirm(ctx, t, r, payment, order)
		return err
	})
	return paid, err
}

// errRepeat says that the key has paid for the reservation before.
var errRepeat = errors.New("db: the payment is a repeat")

// lockToPay locks a reservation and decides about a payment for it. Returns errRepeat for a repeat; booking.ErrReturned, if
// that was its answer.
func (s *ReservationStore) lockToPay(ctx context.Context, t *tx, order booking.PaymentOrder) (lockedReservation, booking.Payment, error) {
	r, err := s.lock(ctx, t, order.ReservationID)
	switch {
	case err != nil:
		return r, booking.Payment{}, err
	case r.UserID != order.UserID:
		return r, booking.Payment{}, booking.ErrNotFound
	case r.PaymentKey != "" && r.PaymentKey == order.IdempotencyKey:
		return r, booking.Payment{}, repeatedPayment(r, order)
	}
	payment, err := r.PaymentFor(order.Kind, r.Now)
	return r, payment, err
}

func repeatedPayment(r lockedReservation, order booking.PaymentOrder) error {
	switch {
	case r.PaymentKind != order.Kind:
		return booking.ErrKeyReused
	case r.State == booking.Expired:
		return booking.ErrReturned
	}
	return errRepeat
}

// confirm takes the money and stores that it is paid.
func (s *ReservationStore) confirm(ctx context.Context, t *tx, r lockedReservation, payment booking.Payment, order booking.PaymentOrder) (booking.Reservation, error) {
	was := r.State
	r.State, r.PaidAmount = payment.State, payment.Amount
	r.PaymentKey, r.PaymentKind = order.IdempotencyKey, order.Kind
	if err := s.change(ctx, t, r, was); err != nil {
		return booking.Reservation{}, err
	}
	return r.Reservation, postPayment(ctx, t, r)
}

// postPayment takes what a reservation's payment costs from its diner's wallet.
func postPayment(ctx context.Context, t *tx, r lockedReservation) error {
	return postEntry(ctx, t, posting{
		UserID:        r.UserID,
		Amount:        -r.PaidAmount,
		Kind:          paymentEntry[r.PaymentKind],
		ReservationID: r.ID,
		Key:           paymentKey(r.PaymentKey),
	})
}

// postRefund gives what comes back of a reservation's payment to its diner's wallet.
func postRefund(ctx context.Context, t *tx, userID, reservationID string, amount int64) error {
	return postEntry(ctx, t, posting{
		UserID:        userID,
		Amount:        amount,
		Kind:          wallet.KindRefund,
		ReservationID: reservationID,
		Key:           refundKey(reservationID),
	})
}

var paymentEntry = map[booking.PaymentKind]wallet.Kind{
	booking.Deposit: wallet.KindDeposit,
	booking.Prepay:  wallet.KindPrepay,
}
