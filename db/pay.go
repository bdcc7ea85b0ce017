package db

import (
	"context"
	"errors"

	"lunchgo/app/booking"
	"lunchgo/app/wallet"
	"lunchgo/db/pg"
	dbwallet "lunchgo/db/wallet"
)

// Pay takes the money from the diner's wallet and confirms the reservation, both or neither. A repeat with the same key
// returns the reservation as it is, and so does a deposit of nothing for one that was confirmed without. A hold that has
// expired is paid for as payLate says. Returns booking.ErrNotFound when it is not the diner's, booking.ErrKeyReused when
// the key paid for something else, the errors of booking.Reservation.PaymentFor, booking.ErrReturned and
// wallet.ErrBalanceTooLow.
func (s *ReservationStore) Pay(ctx context.Context, order booking.PaymentOrder) (booking.Reservation, error) {
	paid, err := s.payWith(ctx, order, func(context.Context, *pg.Tx) error { return nil })
	if errors.Is(err, wallet.ErrKeyReused) {
		err = booking.ErrKeyReused
	}
	if err != nil && !errors.Is(err, booking.ErrReturned) {
		return booking.Reservation{}, err
	}
	return paid, err
}

// How an attempt to pay can end besides errors that roll it back.
var (
	errRepeat  = errors.New("db: the payment is a repeat")
	errExpired = errors.New("db: the hold has been ended: the slot is to be locked before the reservation")
)

// attempt pays within a transaction. Returns errRepeat, errExpired, booking.ErrReturned when money went out and back,
// and errors after which nothing is stored.
type attempt func(ctx context.Context, t *pg.Tx, order booking.PaymentOrder) (booking.Reservation, error)

// payWith pays, and does what else belongs to a payment that is made in the same transaction. Of a hold that has been
// ended it tries again with the locks that this needs.
func (s *ReservationStore) payWith(ctx context.Context, order booking.PaymentOrder,
	besides func(ctx context.Context, t *pg.Tx) error) (paid booking.Reservation, err error) {
	for _, pay := range []attempt{s.payHeld, s.payLate} {
		paid, err = s.inPayment(ctx, order, func(ctx context.Context, t *pg.Tx,
			order booking.PaymentOrder) (booking.Reservation, error) {
			paid, err := pay(ctx, t, order)
			if err == nil {
				err = besides(ctx, t)
			}
			return paid, err
		})
		if !errors.Is(err, errExpired) {
			break
		}
	}
	return paid, err
}

// inPayment runs an attempt in its transaction. What it gave back is stored as well as what it took.
func (s *ReservationStore) inPayment(ctx context.Context, order booking.PaymentOrder,
	pay attempt) (paid booking.Reservation, err error) {
	var outcome error
	err = s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		paid, outcome = pay(ctx, t, order)
		if errors.Is(outcome, errRepeat) || errors.Is(outcome, booking.ErrReturned) {
			return nil
		}
		return outcome
	})
	if err == nil && errors.Is(outcome, booking.ErrReturned) {
		err = booking.ErrReturned
	}
	return paid, err
}

// payHeld pays for a reservation that holds its seats. Of one whose seats, given back, are gone already, it gives the
// money back at once; whether they are still there only a look under the locks of its slots can tell.
func (s *ReservationStore) payHeld(ctx context.Context, t *pg.Tx, order booking.PaymentOrder) (booking.Reservation,
	error) {
	r, payment, err := s.lockToPay(ctx, t, order)
	switch {
	case err != nil:
		return r.Reservation, err
	case !payment.Retake:
		return s.confirm(ctx, t, r, payment, order)
	}
	slots, err := listSlotsOf(ctx, t, selectSlotsOf, r.ID)
	if err != nil {
		return r.Reservation, err
	}
	free, _, err := s.seatsAreFree(ctx, t, slots, r)
	switch {
	case err != nil:
		return r.Reservation, err
	case free:
		return r.Reservation, errExpired
	}
	return s.refundLate(ctx, t, r, payment, order)
}

// lockToPay locks a reservation and decides about a payment for it. Returns errRepeat for a repeat;
// booking.ErrReturned, if that was its answer.
func (s *ReservationStore) lockToPay(ctx context.Context, t *pg.Tx,
	order booking.PaymentOrder) (lockedReservation, booking.Payment, error) {
	r, err := s.lock(ctx, t, order.ReservationID)
	switch {
	case err != nil:
		return r, booking.Payment{}, err
	case r.UserID != order.UserID:
		return r, booking.Payment{}, booking.ErrNotFound
	case r.PaymentKey != "" && r.PaymentKey == order.IdempotencyKey:
		return r, booking.Payment{}, repeatedPayment(ctx, t, r, order)
	case order.Kind == booking.Deposit && order.PaymentID == "" && r.NeedsNoPayment(): // a card's money is let go of
		return r, booking.Payment{}, errRepeat
	}
	payment, err := r.PaymentFor(order.Kind, r.Now)
	if err == nil {
		err = order.CheckPayment(payment)
	}
	return r, payment, err
}

// repeatedPayment returns what a payment says whose key has paid already. A card's did not pay while its payment is
// Started: the wallet has paid under its key.
func repeatedPayment(ctx context.Context, t *pg.Tx, r lockedReservation, order booking.PaymentOrder) error {
	switch {
	case r.PaymentKind != order.Kind:
		return booking.ErrKeyReused
	case r.State == booking.Expired:
		return booking.ErrReturned
	case order.PaymentID == "":
		return errRepeat
	}
	open, err := pg.One[bool](ctx, t, `SELECT state = 'started' FROM payments WHERE id = $1`, order.PaymentID)
	switch {
	case err != nil:
		return err
	case open:
		return booking.ErrAlreadyPaid
	}
	return errRepeat
}

// confirm takes the money and stores that it is paid.
func (s *ReservationStore) confirm(ctx context.Context, t *pg.Tx, r lockedReservation, payment booking.Payment,
	order booking.PaymentOrder) (booking.Reservation, error) {
	was := r.State
	r.State, r.PaidAmount, r.ConfirmedAt = payment.State, payment.Amount, r.Now
	r.PaymentKey, r.PaymentKind = order.IdempotencyKey, order.Kind
	if err := s.change(ctx, t, r, was); err != nil {
		return booking.Reservation{}, err
	}
	return r.Reservation, postPayment(ctx, t, r, order)
}

// postPayment takes what a reservation's payment costs from its diner's wallet, into which comes first what a provider
// has authorised for it.
func postPayment(ctx context.Context, t *pg.Tx, r lockedReservation, order booking.PaymentOrder) error {
	return dbwallet.Post(ctx, t, r.UserID,
		wallet.Move{Kind: wallet.KindCard, Amount: order.Card, ReservationID: r.ID, Key: dbwallet.CardKey(order.PaymentID)},
		wallet.Move{Kind: paymentEntry[r.PaymentKind], Amount: -r.PaidAmount, ReservationID: r.ID,
			Key: dbwallet.PaymentKey(r.PaymentKey)})
}

// postRefund gives what comes back of a reservation's payment to its diner: by the card that paid, as far as it did,
// else to the wallet.
func postRefund(ctx context.Context, t *pg.Tx, userID, reservationID string, amount int64) error {
	err := dbwallet.Post(ctx, t, userID, wallet.Move{Kind: wallet.KindRefund, Amount: amount,
		ReservationID: reservationID, Key: dbwallet.RefundKey(reservationID)})
	if err != nil {
		return err
	}
	return returnToCard(ctx, t, userID, reservationID, amount)
}

var paymentEntry = map[booking.PaymentKind]wallet.Kind{
	booking.Deposit: wallet.KindDeposit,
	booking.Prepay:  wallet.KindPrepay,
}
