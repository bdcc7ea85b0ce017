package db

import (
	"context"
	"crypto/rand"

	"lunchgo/app/booking"
	"lunchgo/app/payments"
	"lunchgo/app/wallet"
)

// takesMoney are the states for which payments.State.TakesMoney holds, in SQL.
const takesMoney = `('capturing', 'paid', 'refunding', 'partly_refunded')`

// returnToCard has as much of what has just come back to the wallet for a reservation go on to the card that paid for
// it as came from there. A job then asks the provider. The wallet's row is locked since money came back to it.
func returnToCard(ctx context.Context, t *tx, userID, reservationID string, amount int64) error {
	if amount == 0 {
		return nil
	}
	var returned []struct {
		ID    string `db:"id"`
		State string `db:"state"`
		Back  int64  `db:"back"`
	}
	refundID := rand.Text()
	err := t.list(ctx, &returned, `
		WITH paid AS (
			SELECT id, state, least(amount - returned, $2) AS back
			FROM payments
			WHERE reservation_id = $1 AND state IN `+takesMoney+` AND returned < amount
			FOR UPDATE
		), moved AS (
			UPDATE payments p
			SET returned = returned + paid.back, due_at = clock_timestamp()
			FROM paid
			WHERE p.id = paid.id
		), asked AS (
			INSERT INTO payment_refunds (id, payment_id, amount)
			SELECT $3, id, back
			FROM paid
		)
		SELECT id, state, back FROM paid`, reservationID, amount, refundID)
	if err != nil || len(returned) == 0 {
		return err
	}
	payment := returned[0]
	err = postEntries(ctx, t, userID, wallet.Move{Kind: wallet.KindCardRefund, Amount: -payment.Back,
		ReservationID: reservationID, Key: cardRefundKey(refundID)})
	if from := payments.State(payment.State); err == nil && from.MayBecome(payments.Refunding) {
		err = movePayment(ctx, t, paymentStep{ID: payment.ID, From: []payments.State{from},
			To: payments.Refunding, Now: true})
	}
	return err
}

type refundToMakeRow struct {
	ID     string `db:"id"`
	Amount int64  `db:"amount"`
	Reason string `db:"reason"`
}

// ListRefunds implements payments.Store.
func (s *PaymentStore) ListRefunds(ctx context.Context, id string) ([]payments.Refund, error) {
	var rows []refundToMakeRow
	err := s.db.list(ctx, &rows, `
		SELECT refund.id, refund.amount, COALESCE(NULLIF(r.cancel_reason, ''), 'reservation ' || r.id) AS reason
		FROM payment_refunds refund
		JOIN payments p ON p.id = refund.payment_id
		JOIN reservations r ON r.id = p.reservation_id
		WHERE refund.payment_id = $1 AND refund.state = 'asked'
		ORDER BY refund.created_at, refund.id`, id)
	list := make([]payments.Refund, 0, len(rows))
	for _, row := range rows {
		list = append(list, payments.Refund{ID: row.ID, Amount: row.Amount, Reason: row.Reason})
	}
	return list, err
}

// Refunded implements payments.Store. Another refund that is asked for meanwhile waits for the payment, or is seen.
func (s *PaymentStore) Refunded(ctx context.Context, id string, refund payments.Refund) error {
	return s.db.inTx(ctx, func(ctx context.Context, t *tx) error {
		_, err := t.exec(ctx, s.db.guarded(lockRefunding, `SELECT FROM payments WHERE id = $1 FOR UPDATE`), id)
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
	return s.db.inTx(ctx, func(ctx context.Context, t *tx) error {
		p, _, err := s.lockPaid(ctx, t, id)
		if err != nil {
			return err
		}
		if answered, err := s.answerRefund(ctx, t, refund.ID, "refused", code); err != nil || !answered {
			return err
		}
		err = postEntries(ctx, t, p.UserID, wallet.Move{Kind: wallet.KindCardRefund, Amount: refund.Amount,
			ReservationID: p.ReservationID, Key: cardRefundBackKey(refund.ID)})
		if err == nil {
			_, err = t.exec(ctx, `UPDATE payments SET returned = returned - $2 WHERE id = $1`, id, refund.Amount)
		}
		if err == nil {
			err = s.settleRefunding(ctx, t, id)
		}
		return err
	})
}

// answerRefund notes the provider's answer to a refund, and returns false if it had one.
func (s *PaymentStore) answerRefund(ctx context.Context, t *tx, refundID, state, code string) (bool, error) {
	n, err := t.exec(ctx, `
		UPDATE payment_refunds
		SET state = $2, code = $3, answered_at = clock_timestamp()
		WHERE id = $1 AND state = 'asked'`, refundID, state, code)
	return n == 1, err
}

// awaitsRefund says of a payment p whether the provider has not answered some refund.
const awaitsRefund = `EXISTS (SELECT FROM payment_refunds WHERE payment_id = p.id AND state = 'asked')`

// settleRefunding ends the refunding of a payment once the provider has answered all refunds.
func (s *PaymentStore) settleRefunding(ctx context.Context, t *tx, id string) error {
	var left struct {
		Asked    bool  `db:"asked"`
		Returned int64 `db:"returned"`
		Amount   int64 `db:"amount"`
	}
	err := t.get(ctx, &left, `
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
func (s *PaymentStore) lockPaid(ctx context.Context, t *tx, id string) (p payments.Payment, r lockedReservation,
	err error) {
	var row paymentRow
	if err = t.get(ctx, &row, selectPayment, id); err != nil {
		return p, r, orNotFound(err, payments.ErrNotFound)
	}
	if r, err = s.reservations.lock(ctx, t, row.ReservationID); err == nil {
		_, err = t.exec(ctx, `SELECT FROM accounts WHERE user_id = $1 FOR UPDATE`, row.UserID)
	}
	if err == nil {
		err = t.get(ctx, &row, selectPayment+` FOR UPDATE`, id)
	}
	return row.payment(), r, err
}

// RefuseCapture implements payments.Store.
func (s *PaymentStore) RefuseCapture(ctx context.Context, id, code string) ([]booking.SlotKey, error) {
	var freed []booking.SlotKey
	err := s.db.inTx(ctx, func(ctx context.Context, t *tx) error {
		freed = nil
		p, r, err := s.lockPaid(ctx, t, id)
		if err != nil || p.State != payments.Capturing {
			return err
		}
		err = movePayment(ctx, t, paymentStep{ID: id, From: []payments.State{payments.Capturing}, To: payments.Refused,
			Code: code})
		if err != nil {
			return err
		}
		if err := dropRefunds(ctx, t, id); err != nil {
			return err
		}
		switch {
		case r.State.IsConfirmed():
			freed, r.RefundAmount = r.Slots(), r.Left()
			err = s.giveBack(ctx, t, r, s.reservations.free)
		case r.State == booking.RefundPending:
			freed = r.Slots()
			err = s.giveBack(ctx, t, r, s.reservations.change)
		default: // it is over, or the party is there: what is missing the auditor names
			return nil
		}
		if err != nil {
			return err
		}
		return takeOut(ctx, t, p, r.RefundAmount)
	})
	return freed, err
}

// dropRefunds ends the refunds of a payment that was never taken: nothing is to go back.
func dropRefunds(ctx context.Context, t *tx, id string) error {
	_, err := t.exec(ctx, `
		UPDATE payment_refunds
		SET state = 'dropped', answered_at = clock_timestamp()
		WHERE payment_id = $1 AND state = 'asked'`, id)
	return err
}

// giveBack ends a reservation whose payment was refused after all, by a step that stores it: what comes back of it is
// in the wallet then. The letter says so instead of speaking of a refund.
func (s *PaymentStore) giveBack(ctx context.Context, t *tx, r lockedReservation,
	end func(context.Context, *tx, lockedReservation, booking.State) error) error {
	was := r.State
	r.State = booking.Refunded
	if err := end(ctx, t, r, was); err != nil {
		return err
	}
	if err := postRefund(ctx, t, r.UserID, r.ID, r.RefundAmount); err != nil {
		return err
	}
	_, err := t.exec(ctx, `
		UPDATE mails
		SET kind = 'payment_refused'
		WHERE reservation_id = $1 AND kind = 'refunded' AND sent_at IS NULL`, r.ID)
	return err
}

// takeOut takes what the provider did not bring out of the wallet again, as far as it has just come back there: what
// the restaurant keeps of it is missing then, and the auditor names it.
func takeOut(ctx context.Context, t *tx, p payments.Payment, cameBack int64) error {
	return postEntries(ctx, t, p.UserID, wallet.Move{Kind: wallet.KindCardRefund,
		Amount: -min(p.Amount-p.Returned, cameBack), ReservationID: p.ReservationID, Key: cardRefusedKey(p.ID)})
}
