package db

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"

	"lunchgo/app/booking"
	"lunchgo/app/payments"
	"lunchgo/db/columns"
	"lunchgo/db/pg"
	"lunchgo/db/rowlock"
	dbwallet "lunchgo/db/wallet"
)

// refuseChange is RefuseCapture for the payment of a change. It locks what a turn locks, in the same order: the change
// is taken back by the decision and the statements of a turn that nobody stood in line for.
func (s *PaymentStore) refuseChange(ctx context.Context, p payments.Payment, code string) ([]booking.SlotKey, error) {
	return unlessMoved(pg.Within(ctx, s.db, func(ctx context.Context, t *pg.Tx) ([]booking.SlotKey, error) {
		before, slots, err := s.lockToUndo(ctx, t, p)
		if err != nil {
			return nil, err
		}
		r, err := s.reservations.lock(ctx, t, p.ReservationID)
		if err != nil {
			return nil, err
		}
		undone := false
		if r.State == before.State && r.Changes == before.Changes+1 && r.GivenBack == before.GivenBack {
			undone, err = s.undo(ctx, t, p, r, before, slots)
		}
		switch {
		case err != nil:
			return nil, err
		case undone:
			return append(before.Slots(), r.Slots()...), endCapture(ctx, t, p.ID, code)
		}
		return s.endRefused(ctx, t, p, r, code)
	}))
}

// lockToUndo locks the slots that a change has left and taken, in order, and then its diner. It returns what the
// reservation was before, and the slots.
func (s *PaymentStore) lockToUndo(ctx context.Context, t *pg.Tx, p payments.Payment) (before booking.Reservation,
	rows []changedSlotRow, err error) {
	var text []byte
	err = t.Get(ctx, &text, `SELECT before FROM payments WHERE id = $1 AND state = 'capturing'`, p.ID)
	if errors.Is(err, sql.ErrNoRows) {
		err = errMoved
	}
	if err == nil {
		err = json.Unmarshal(text, &before)
	}
	if err != nil {
		return before, nil, err
	}
	err = t.List(ctx, &rows, s.db.Guarded(LockSlotsOf, `
		SELECT `+lockedColumns+`, `+columns.SlotKey+`
		FROM slots s
		WHERE s.id IN (
			SELECT slot_id FROM reservations WHERE id = $1
			UNION ALL
			SELECT slot_id FROM reservation_stays WHERE reservation_id = $1
		) OR s.restaurant_id = $2 AND s.service_date = $3 AND s.service_time = ANY ($4::time[])
		ORDER BY s.service_date, s.service_time
		FOR NO KEY UPDATE`),
		p.ReservationID, before.RestaurantID, string(before.Slot.Date), timeArray(timesOfStay(before.Slot, before.Stay)))
	if err == nil {
		err = rowlock.Users(ctx, t, p.UserID)
	}
	return before, rows, err
}

// undo takes a change back whose reservation is locked, if what the reservation had is free still; else it changes
// nothing.
func (s *PaymentStore) undo(ctx context.Context, t *pg.Tx, p payments.Payment, r lockedReservation,
	before booking.Reservation, rows []changedSlotRow) (bool, error) {
	slots := lockedSlots{date: before.Slot.Date, times: timesOfStay(before.Slot, before.Stay),
		left: map[booking.SlotKey]int64{}}
	for _, row := range rows {
		if slices.Contains(before.Slots(), row.Slot) {
			slots.rows = append(slots.rows, row.slotRow)
		} else {
			slots.left[row.Slot] = row.ID
		}
	}
	turn := booking.Turn{Slot: before.Slot, Stay: before.Stay}
	var err error
	if err := t.Get(ctx, &turn.Seats, selectPlan, before.RestaurantID); err != nil {
		return false, err
	}
	err = t.Get(ctx, &turn.ArrivalLimit, `SELECT arrivals_per_slot FROM restaurants WHERE id = $1`, before.RestaurantID)
	if err != nil {
		return false, err
	}
	run := []booking.Request{r.UndoRequest(before, "undo:"+p.ID, len(before.Seats) > 0)}
	state, wallets, err := readState(ctx, t, turn, slots, run)
	if err != nil || !hasCoupon(state, before, r.Reservation) {
		return false, err
	}
	outcomes, _ := booking.Decide(state, run)
	if outcomes[0].Err != nil && len(before.Seats) > 0 { // other seats may do
		run[0].SeatIDs = nil
		outcomes, _ = booking.Decide(state, run)
	}
	if outcomes[0].Err != nil {
		return false, nil
	}
	err = writeOutcomes(ctx, t, decided{slots: slots, turn: turn, outcomes: outcomes, stock: state.Stock,
		wallets: wallets})
	if err == nil {
		err = dbwallet.Post(ctx, t, p.UserID, takeOut(p, p.Amount))
	}
	if err == nil {
		err = noteUndone(ctx, t, before, r.Reservation)
	}
	return err == nil, err
}

// hasCoupon says whether a reservation that goes back to what it was can have the coupon that it had: its own, or one
// that is unused.
func hasCoupon(state booking.SlotState, before, now booking.Reservation) bool {
	id := before.Discount.CouponID
	if id == 0 || id == now.Discount.CouponID {
		return true
	}
	coupon, has := state.Coupons[booking.Owner{UserID: before.UserID, CouponID: id}]
	return has && coupon.ReservationID == ""
}

// noteUndone uses the coupon again that a reservation had, and has the diner read of the refusal instead of the changes
// that they are not written to about yet.
func noteUndone(ctx context.Context, t *pg.Tx, before, now booking.Reservation) error {
	return t.Run(ctx, `
		WITH used AS (
			UPDATE coupon_claims
			SET reservation_id = $1
			WHERE coupon_id = $2 AND user_id = $3 AND $2 <> $4
		), latest AS (
			SELECT max(id) AS id
			FROM mails
			WHERE reservation_id = $1 AND kind = 'changed'
		), dropped AS (
			DELETE FROM mails
			WHERE reservation_id = $1 AND kind = 'changed' AND sent_at IS NULL AND id < (SELECT id FROM latest)
		)
		UPDATE mails
		SET kind = 'change_refused'
		WHERE id = (SELECT id FROM latest)`, now.ID, before.Discount.CouponID, before.UserID, now.Discount.CouponID)
}
