package db

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"

	"lunchgo/app/booking"
	"lunchgo/app/wallet"
	"lunchgo/db/auditlog"
	"lunchgo/db/pg"
	dbwallet "lunchgo/db/wallet"
)

// GiveBack implements reserve.ReservationStore. The letter is written in the same transaction.
func (s *ReservationStore) GiveBack(ctx context.Context, g booking.GiveBack) (booking.Reservation, error) {
	return s.step(ctx, g.ReservationID, func(ctx context.Context, t *pg.Tx,
		r lockedReservation) (booking.Reservation, error) {
		if known, err := wasGivenBack(ctx, t, g); known || err != nil {
			return r.Reservation, err
		}
		id := rand.Text()
		err := r.CheckGiveBack(g)
		if err == nil {
			err = noteGivenBack(ctx, t, id, g)
		}
		if err == nil {
			act := r.act(g.StaffID, "reservation.given_back", map[string]any{"amount": g.Amount})
			act.Reason = g.Reason
			err = auditlog.Write(ctx, t, act)
		}
		if err == nil {
			err = dbwallet.Post(ctx, t, r.UserID, wallet.Move{Kind: wallet.KindGivenBack, Amount: g.Amount,
				ReservationID: r.ID, Key: dbwallet.GivenBackKey(id)})
		}
		if err == nil {
			err = returnToCard(ctx, t, r.UserID, r.ID, g.Amount)
		}
		r.GivenBack += g.Amount
		return r.Reservation, err
	})
}

// wasGivenBack returns whether an earlier call with the same key did so. Returns booking.ErrKeyReused for one that did
// something else.
func wasGivenBack(ctx context.Context, t *pg.Tx, g booking.GiveBack) (bool, error) {
	var same bool
	err := t.Get(ctx, &same, `
		SELECT reservation_id = $3 AND amount = $4
		FROM reservation_refunds
		WHERE staff_id = $1 AND idempotency_key = $2`, g.StaffID, g.Key, g.ReservationID, g.Amount)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return false, nil
	case err == nil && !same:
		err = booking.ErrKeyReused
	}
	return err == nil, err
}

// noteGivenBack stores that staff give money back, and the letter about it. Load tests write to nobody.
func noteGivenBack(ctx context.Context, t *pg.Tx, id string, g booking.GiveBack) error {
	return t.Run(ctx, t.Pool.Guarded(InsertRefund, `
		WITH given AS (
			INSERT INTO reservation_refunds (id, reservation_id, staff_id, idempotency_key, amount, reason)
			VALUES ($1, $2, $3, $4, $5, $6)
			RETURNING id, reservation_id, amount
		), counted AS (
			UPDATE reservations r
			SET given_back = given_back + given.amount
			FROM given
			WHERE r.id = given.reservation_id
			RETURNING r.id, r.user_id, r.restaurant_id
		)
		INSERT INTO mails (kind, user_id, reservation_id, refund_id, by_restaurant)
		SELECT 'given_back', counted.user_id, counted.id, given.id, true
		FROM counted
		JOIN given ON given.reservation_id = counted.id
		JOIN restaurants p ON p.id = counted.restaurant_id AND NOT p.shadow`),
		id, g.ReservationID, g.StaffID, g.Key, g.Amount, g.Reason)
}
