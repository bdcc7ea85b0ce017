package db

import (
	"context"
	"database/sql"
	"errors"

	"lunchgo/app/booking"
	"lunchgo/app/wallet"
)

type slotKeyRow struct {
	RestaurantID int64  `db:"restaurant_id"`
	ServiceDate  string `db:"service_date"`
	ServiceTime  string `db:"service_time"`
}

func (r slotKeyRow) key() booking.SlotKey {
	return slotKey(r.RestaurantID, r.ServiceDate, r.ServiceTime)
}

// ExpireHolds expires up to limit reservations whose hold has ended by the database's clock and returns their slots, each
// once. Several instances may call it at once: each passes over the rows that another holds, and over one that is being
// paid for at that moment.
func (s *ReservationStore) ExpireHolds(ctx context.Context, limit int) ([]booking.SlotKey, error) {
	var rows []slotKeyRow
	err := s.db.inTx(ctx, func(ctx context.Context, t *tx) error {
		rows = nil
		return t.list(ctx, &rows, s.db.guards.expireHolds, limit)
	})
	if err != nil {
		return nil, err
	}
	slots := make([]booking.SlotKey, 0, len(rows))
	for _, row := range rows {
		slots = append(slots, row.key())
	}
	return slots, nil
}

// SettleRefunds pays out up to limit pending refunds, oldest first, each in its own transaction, and returns the slots
// whose seats came free, each once. Several instances may call it at once. When it fails on the way, it returns the slots
// of the refunds that were paid out before, with the error.
func (s *ReservationStore) SettleRefunds(ctx context.Context, limit int) ([]booking.SlotKey, error) {
	var slots []booking.SlotKey
	seen := map[booking.SlotKey]bool{}
	for range limit {
		slot, err := s.settleOne(ctx)
		if errors.Is(err, sql.ErrNoRows) {
			break
		}
		if err != nil {
			return slots, err
		}
		if !seen[slot] {
			seen[slot] = true
			slots = append(slots, slot)
		}
	}
	return slots, nil
}

type refundRow struct {
	slotKeyRow
	ID           string `db:"id"`
	UserID       string `db:"user_id"`
	RefundAmount int64  `db:"refund_amount"`
}

// settleOne pays out the oldest refund that nobody else holds. Returns sql.ErrNoRows when there is none.
func (s *ReservationStore) settleOne(ctx context.Context) (booking.SlotKey, error) {
	var refund refundRow
	err := s.db.inTx(ctx, func(ctx context.Context, t *tx) error {
		err := t.get(ctx, &refund, `
			WITH due AS (
				SELECT id
				FROM reservations
				WHERE state = 'refund_pending'
				ORDER BY ordinal
				LIMIT 1
				FOR UPDATE SKIP LOCKED
			)
			UPDATE reservations r
			SET state = 'refunded'
			FROM due, slots s
			WHERE r.id = due.id AND r.state = 'refund_pending' AND s.id = r.slot_id
			RETURNING r.id, r.user_id, r.refund_amount, r.restaurant_id,
				to_char(s.service_date, 'YYYY-MM-DD') AS service_date,
				to_char(s.service_time, 'HH24:MI') AS service_time`)
		if err != nil {
			return err
		}
		return postEntry(ctx, t, posting{
			UserID:        refund.UserID,
			Amount:        refund.RefundAmount,
			Kind:          wallet.KindRefund,
			ReservationID: refund.ID,
			Key:           refundKey(refund.ID),
		})
	})
	return refund.key(), err
}
