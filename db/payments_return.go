package db

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/payments"
	"lunchgo/app/wallet"
	"lunchgo/db/pg"
	dbwallet "lunchgo/db/wallet"
)

// takesMoney are the states for which payments.State.TakesMoney holds, in SQL.
const takesMoney = `('capturing', 'paid', 'refunding', 'partly_refunded')`

// returnToCard has as much of what has just come back to the wallet for a reservation go on to the cards that paid for
// it as came from there, to the last one first. A job then asks the provider. The wallet's row is locked since money
// came back to it.
func returnToCard(ctx context.Context, t *pg.Tx, userID, reservationID string, amount int64) error {
	if amount == 0 {
		return nil
	}
	var returned []struct {
		ID, RefundID string
		State        payments.State
		Back         int64
	}
	err := t.List(ctx, &returned, `
		WITH paid AS (
			SELECT id, state, created_at, amount - returned AS taken
			FROM payments
			WHERE reservation_id = $1 AND state IN `+takesMoney+` AND returned < amount
			ORDER BY id
			FOR UPDATE
		), shares AS (
			SELECT id, state, least(taken, $2 - (sum(taken) OVER latest - taken)) AS back,
				$3 || '-' || row_number() OVER latest AS refund_id
			FROM paid
			WINDOW latest AS (ORDER BY created_at DESC, id DESC)
		), back AS (
			SELECT *
			FROM shares
			WHERE back > 0
		), moved AS (
			UPDATE payments p
			SET returned = returned + back.back, due_at = clock_timestamp()
			FROM back
			WHERE p.id = back.id
		), asked AS (
			INSERT INTO payment_refunds (id, payment_id, amount)
			SELECT refund_id, id, back
			FROM back
		)
		SELECT id, state, back, refund_id
		FROM back
		ORDER BY refund_id`, reservationID, amount, rand.Text())
	for _, payment := range returned {
		if err == nil {
			err = dbwallet.Post(ctx, t, userID, wallet.Move{Kind: wallet.KindCardRefund, Amount: -payment.Back,
				ReservationID: reservationID, Key: dbwallet.CardRefundKey(payment.RefundID)})
		}
		if from := payment.State; err == nil && from.MayBecome(payments.Refunding) {
			err = movePayment(ctx, t, paymentStep{ID: payment.ID, From: []payments.State{from},
				To: payments.Refunding, Now: true})
		}
	}
	return err
}

// ListRefunds implements payments.Store.
func (s *PaymentStore) ListRefunds(ctx context.Context, id string) ([]payments.Refund, error) {
	return pg.List[payments.Refund](ctx, s.db, `
		SELECT refund.id, refund.amount, COALESCE(NULLIF(r.cancel_reason, ''), 'reservation ' || r.id) AS reason
		FROM payment_refunds refund
		JOIN payments p ON p.id = refund.payment_id
		JOIN reservations r ON r.id = p.reservation_id
		WHERE refund.payment_id = $1 AND refund.state = 'asked'
		ORDER BY refund.created_at, refund.id`, id)
}

// Refunded implements payments.Store. Another refund that is asked for meanwhile waits for the payment, or is seen.
func (s *PaymentStore) Refunded(ctx context.Context, id string, refund payments.Refund) error {
	return s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		_, err := t.Exec(ctx, s.db.Guarded(LockRefunding, `SELECT FROM payments WHERE id = $1 FOR UPDATE`), id)
		if err != nil {
			return err
		}
		if answered, err := s.answerRefund(ctx, t, refund.ID, "made", ""); err != nil || !answered {
			return err
		}
		return s.settleRefunding(ctx, t, id)
	})
}

// RefuseRefund implements payments.Store.
func (s *PaymentStore) RefuseRefund(ctx context.Context, id string, refund payments.Refund, code string) error {
	return s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		p, _, err := s.lockPaid(ctx, t, id)
		if err != nil {
			return err
		}
		if answered, err := s.answerRefund(ctx, t, refund.ID, "refused", code); err != nil || !answered {
			return err
		}
		err = dbwallet.Post(ctx, t, p.UserID, wallet.Move{Kind: wallet.KindCardRefund, Amount: refund.Amount,
			ReservationID: p.ReservationID, Key: dbwallet.CardRefundRefusedKey(refund.ID)})
		if err == nil {
			_, err = t.Exec(ctx, `UPDATE payments SET returned = returned - $2 WHERE id = $1`, id, refund.Amount)
		}
		if err == nil {
			_, err = t.Exec(ctx, `
				INSERT INTO mails (kind, user_id, reservation_id, card_refund_id, due_at)
				SELECT 'card_refund_refused', r.user_id, r.id, $2, clock_timestamp() + $3 * interval '1 microsecond'
				FROM reservations r
				JOIN restaurants p ON p.id = r.restaurant_id AND NOT p.shadow
				WHERE r.id = $1`, p.ReservationID, refund.ID, unknownBefore.Microseconds())
		}
		if err == nil {
			err = s.settleRefunding(ctx, t, id)
		}
		return err
	})
}

// unknownBefore is for how long a letter waits whose kind the version before has no words for: as long as an update of
// all instances takes.
const unknownBefore = 15 * time.Minute

// answerRefund notes the provider's answer to a refund, and returns false if it had one.
func (s *PaymentStore) answerRefund(ctx context.Context, t *pg.Tx, refundID, state, code string) (bool, error) {
	n, err := t.Exec(ctx, `
		UPDATE payment_refunds
		SET state = $2, code = $3, answered_at = clock_timestamp()
		WHERE id = $1 AND state = 'asked'`, refundID, state, code)
	return n == 1, err
}

// awaitsRefund says of a payment p whether the provider has not answered some refund.
const awaitsRefund = `EXISTS (SELECT FROM payment_refunds WHERE payment_id = p.id AND state = 'asked')`

// settleRefunding ends the refunding of a payment once the provider has answered all refunds.
func (s *PaymentStore) settleRefunding(ctx context.Context, t *pg.Tx, id string) error {
	var left struct {
		Asked            bool
		Returned, Amount int64
	}
	err := t.Get(ctx, &left, `
		SELECT `+awaitsRefund+` AS asked, returned, amount
		FROM payments p
		WHERE id = $1`, id)
	if err != nil || left.Asked {
		return err
	}
	to := payments.PartlyRefunded
	switch left.Returned {
	case left.Amount:
		to = payments.Refunded
	case 0:
		to = payments.Paid
	}
	return movePayment(ctx, t, paymentStep{ID: id, From: []payments.State{payments.Refunding}, To: to})
}

// lockPaid locks a payment with its reservation and wallet, in the order in which others do.
func (s *PaymentStore) lockPaid(ctx context.Context, t *pg.Tx, id string) (p payments.Payment, r lockedReservation,
	err error) {
	if err = t.Get(ctx, &p, selectPayment, id); err != nil {
		return p, r, pg.OrNotFound(err, payments.ErrNotFound)
	}
	if r, err = s.reservations.lock(ctx, t, p.ReservationID); err == nil {
		p, err = lockPayment(ctx, t, p)
	}
	return p, r, err
}

// lockPayment locks a payment of a locked reservation, with its wallet, and reads it again.
func lockPayment(ctx context.Context, t *pg.Tx, p payments.Payment) (locked payments.Payment, err error) {
	_, err = t.Exec(ctx, `SELECT FROM accounts WHERE user_id = $1 FOR UPDATE`, p.UserID)
	if err == nil {
		err = t.Get(ctx, &locked, selectPayment+` FOR UPDATE`, p.ID)
	}
	return locked, err
}

// RefuseCapture implements payments.Store.
func (s *PaymentStore) RefuseCapture(ctx context.Context, id, code string) ([]booking.SlotKey, error) {
	p, err := s.Find(ctx, id)
	if err == nil && p.Kind == booking.ForChange {
		return s.refuseChange(ctx, p, code)
	}
	if err != nil {
		return nil, err
	}
	return unlessMoved(pg.Within(ctx, s.db, func(ctx context.Context, t *pg.Tx) ([]booking.SlotKey, error) {
		r, err := s.reservations.lock(ctx, t, p.ReservationID)
		if err != nil {
			return nil, err
		}
		return s.endRefused(ctx, t, p, r, code)
	}))
}

// unlessMoved leaves out that somebody else has taken a step.
func unlessMoved[T any](left T, err error) (T, error) {
	if errors.Is(err, errMoved) {
		err = nil
	}
	return left, err
}

// endRefused ends a reservation whose payment was refused after all, and returns the slots of the seats that come free.
// Returns errMoved when somebody else has taken that step.
func (s *PaymentStore) endRefused(ctx context.Context, t *pg.Tx, p payments.Payment, r lockedReservation,
	code string) ([]booking.SlotKey, error) {
	p, err := lockPayment(ctx, t, p)
	if err == nil {
		err = endCapture(ctx, t, p.ID, code)
	}
	if err != nil {
		return nil, err
	}
	switch {
	case r.State.IsConfirmed():
		r.RefundAmount = r.Left()
		return r.Slots(), s.giveBack(ctx, t, p, r, s.reservations.free)
	case r.State == booking.RefundPending:
		r.RefundAmount = p.RefundWithout(r.PaidAmount-r.GivenBack, r.RefundAmount)
		return r.Slots(), s.giveBack(ctx, t, p, r, s.reservations.change)
	}
	return nil, nil // it is over, or the party is there: what is missing the auditor names
}

// endCapture makes a Capturing payment Refused: nothing of it is to go back. Returns errMoved for any other.
func endCapture(ctx context.Context, t *pg.Tx, id, code string) error {
	err := movePayment(ctx, t, paymentStep{ID: id, From: []payments.State{payments.Capturing}, To: payments.Refused,
		Code: code})
	if err == nil {
		err = dropRefunds(ctx, t, id)
	}
	return err
}

// dropRefunds ends the refunds of a payment that was never taken: nothing is to go back.
func dropRefunds(ctx context.Context, t *pg.Tx, id string) error {
	return t.Run(ctx, `
		UPDATE payment_refunds
		SET state = 'dropped', answered_at = clock_timestamp()
		WHERE payment_id = $1 AND state = 'asked'`, id)
}

// giveBack ends a reservation whose payment was refused after all, by a step that stores it: what comes back of it is in
// the wallet then, or goes on to another card that has paid. The letter says so instead of speaking of a refund.
func (s *PaymentStore) giveBack(ctx context.Context, t *pg.Tx, p payments.Payment, r lockedReservation,
	end func(context.Context, *pg.Tx, lockedReservation, booking.State) error) error {
	was := r.State
	r.State = booking.Refunded
	if err := end(ctx, t, r, was); err != nil {
		return err
	}
	missing := min(p.Missing(), r.RefundAmount)
	err := dbwallet.Post(ctx, t, r.UserID,
		wallet.Move{Kind: wallet.KindRefund, Amount: r.RefundAmount, ReservationID: r.ID, Key: dbwallet.RefundKey(r.ID)},
		takeOut(p, missing))
	if err == nil {
		err = returnToCard(ctx, t, r.UserID, r.ID, r.RefundAmount-missing)
	}
	if err != nil {
		return err
	}
	letter := "payment_refused"
	if p.Kind == booking.ForChange {
		letter = "change_refused"
	}
	return t.Run(ctx, `
		UPDATE mails
		SET kind = $2
		WHERE reservation_id = $1 AND kind = 'refunded' AND sent_at IS NULL`, r.ID, letter)
}

// takeOut takes what the provider did not bring out of the wallet again.
func takeOut(p payments.Payment, amount int64) wallet.Move {
	return wallet.Move{Kind: wallet.KindCardRefund, Amount: -amount, ReservationID: p.ReservationID,
		Key: dbwallet.CardRefusedKey(p.ID)}
}
