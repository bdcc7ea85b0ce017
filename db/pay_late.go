package db

import (
	"context"
	"errors"
	"slices"

	"lunchgo/app/booking"
	"lunchgo/app/wallet"
	"lunchgo/db/columns"
	"lunchgo/db/coupons"
	"lunchgo/db/pg"
	"lunchgo/db/rowlock"
)

// payLate pays for a reservation whose hold has been ended, and whose seats, dishes and coupon are free since then.
// Under the locks of its slots and its account it takes them again, as a turn would; when one of them is gone, or the
// diner has another reservation at that time by now, it gives the money back.
func (s *ReservationStore) payLate(ctx context.Context, t *pg.Tx, order booking.PaymentOrder) (booking.Reservation,
	error) {
	slots, err := listSlotsOf(ctx, t, s.db.Guarded(LockSlotsOf, selectSlotsOf+` FOR NO KEY UPDATE`),
		order.ReservationID)
	if err == nil {
		err = rowlock.Users(ctx, t, order.UserID)
	}
	if err != nil {
		return booking.Reservation{}, err
	}
	r, payment, err := s.lockToPay(ctx, t, order)
	switch {
	case err != nil:
		return r.Reservation, err
	case !payment.Retake: // another payment was quicker, and it holds its seats again
		return s.confirm(ctx, t, r, payment, order)
	}
	free, dishes, err := s.seatsAreFree(ctx, t, slots, r)
	if err == nil && free && (dishes || r.Discount.CouponID != 0) {
		free, err = retakeStockAndCoupon(ctx, t, r.Reservation)
	}
	switch {
	case err != nil:
		return r.Reservation, err
	case free:
		return s.confirm(ctx, t, r, payment, order)
	}
	return s.refundLate(ctx, t, r, payment, order)
}

// refundLate takes the money and returns it, so that the ledger shows both: the reservation stays expired. Returns
// booking.ErrReturned then. Of a diner who could not have paid nothing is taken: then it returns
// booking.ErrHoldExpired.
func (s *ReservationStore) refundLate(ctx context.Context, t *pg.Tx, r lockedReservation, payment booking.Payment,
	order booking.PaymentOrder) (booking.Reservation, error) {
	if order.Card > 0 { // the provider has not taken it yet
		return booking.Reservation{}, booking.ErrHoldExpired
	}
	r.PaidAmount, r.RefundAmount = payment.Amount, payment.Amount
	r.PaymentKey, r.PaymentKind = order.IdempotencyKey, order.Kind
	if err := s.change(ctx, t, r, booking.Expired); err != nil {
		return booking.Reservation{}, err
	}
	err := postPayment(ctx, t, r, order)
	if errors.Is(err, wallet.ErrBalanceTooLow) {
		return booking.Reservation{}, booking.ErrHoldExpired
	}
	if err == nil {
		err = postRefund(ctx, t, r.UserID, r.ID, r.RefundAmount)
	}
	if err == nil {
		err = booking.ErrReturned
	}
	return r.Reservation, err
}

const selectSlotsOf = `
	SELECT ` + lockedColumns + `
	FROM slots s
	WHERE s.id IN (
		SELECT slot_id FROM reservations WHERE id = $1
		UNION ALL
		SELECT slot_id FROM reservation_stays WHERE reservation_id = $1
	)
	ORDER BY s.service_date, s.service_time`

// listSlotsOf reads the slots of a reservation in order, or locks them until the transaction ends, by a query that
// begins with selectSlotsOf.
func listSlotsOf(ctx context.Context, t *pg.Tx, query, reservationID string) ([]slotRow, error) {
	return pg.List[slotRow](ctx, t, query, reservationID)
}

type freeRow struct {
	Held     int // of a slot
	Arriving int // of them, those that begin there
	// ArrivalLimit is that of the restaurant.
	ArrivalLimit int
	Sits         bool               // the diner has another reservation
	Dishes       bool               // some came from the stock
	Seats        bool               // the named ones that it had are free
	Taken        booking.TakenSeats // named seats
	Stopped      bool               // their restaurant
	Waits        bool               // somebody, for seats in the slot
}

// seatsAreFree says whether the seats of an expired reservation are there and its diner may have them, and whether it
// needs dishes of the stock too. What it says holds while the rows of its slots are locked; this is a statement of its
// own after the one that locks, as in readState.
func (s *ReservationStore) seatsAreFree(ctx context.Context, t *pg.Tx, slots []slotRow,
	r lockedReservation) (free, dishes bool, err error) {
	ids := lockedSlots{rows: slots}.ids()
	if areShut(slots) || !slices.Equal(ids, r.SlotIDs) || !r.Now.Before(r.Start) {
		return false, false, nil
	}
	var rows []freeRow
	err = t.List(ctx, &rows, `
		SELECT seats.held, seats.arriving, `+arrivalLimitOf+`$4) AS arrival_limit, seats.sits,
			EXISTS (SELECT FROM reservation_items WHERE reservation_id = $3 AND from_stock) AS dishes,
			`+seatsAreStillFree+` AS seats, `+stopOf+`$4) IS NOT NULL AS stopped,
			`+columns.TakenSeats+`slot.id`+columns.TakenSeatsEnd+` AS taken,
			`+somebodyWaits+` AS waits
		FROM unnest($1::bigint[]) WITH ORDINALITY AS slot (id, position)
		CROSS JOIN LATERAL (
			SELECT COALESCE(sum(party_size), 0) AS held, COALESCE(bool_or(user_id = $2), false) AS sits,
				COALESCE(sum(party_size) FILTER (WHERE begins), 0) AS arriving
			FROM occupations
			WHERE slot_id = slot.id AND state IN `+columns.HoldingStates+`
		) seats
		ORDER BY slot.position`, ids, r.UserID, r.ID, r.RestaurantID)
	if err != nil {
		return false, false, err
	}
	if slices.ContainsFunc(rows, func(row freeRow) bool { return row.Sits || row.Stopped || !row.Seats }) {
		return false, rows[0].Dishes, nil
	}
	if allowed, err := s.limitsAllow(ctx, t, r); err != nil || !allowed {
		return false, rows[0].Dishes, err
	}
	free, err = seatsAreLeft(ctx, t, slots, r.Reservation, rows)
	return free, rows[0].Dishes, err
}

// limitsAllow says whether the limits of its diner let an expired reservation have its seats again. That there are too
// many holds does not matter: it becomes none.
func (s *ReservationStore) limitsAllow(ctx context.Context, t *pg.Tx, r lockedReservation) (bool, error) {
	found, err := readDiners(ctx, t, stayOf{slots: r.SlotIDs, day: r.Slot.Date}, r.UserID)
	visit := booking.HeldVisit{ReservationID: r.ID, Start: r.Start, End: r.End, Unpaid: r.Unpaid()}
	return err == nil && s.Limits.CheckSeats(found.diners[r.UserID], visit, r.Now) == nil, err
}

// seatsAreLeft says whether there are seats for an expired reservation, which comes after the waitlist like a new
// request. It counts the entries that it passes, also when a dish turns out to be gone: no entry is the worse for it.
func seatsAreLeft(ctx context.Context, t *pg.Tx, slots []slotRow, r booking.Reservation, rows []freeRow) (bool, error) {
	var state booking.SlotState
	for i, row := range rows {
		state.Slots = append(state.Slots,
			booking.Occupancy{Capacity: slots[i].Capacity, Held: row.Held, Seats: row.Taken,
				Arriving: row.Arriving, ArrivalLimit: row.ArrivalLimit})
	}
	var err error
	if slices.ContainsFunc(rows, func(row freeRow) bool { return row.Waits }) {
		locked := lockedSlots{rows: slots, date: r.Slot.Date, times: timesOfStay(r.Slot, r.Stay)}
		if err = readWaitlist(ctx, t, &state, locked); err != nil {
			return false, err
		}
	}
	if state.Plan, err = planFor(ctx, t, state.Waitlist, r.RestaurantID); err != nil {
		return false, err
	}
	passed, free := state.Retake(r)
	return free, notePasses(ctx, t, decided{outcomes: []booking.Outcome{{Passed: passed}}})
}

// retakeStockAndCoupon takes the dishes of a reservation from the stock again and uses its coupon again, all or none.
// Of a dish that has no limit any more nothing is taken, as of one that is ordered now. It locks them in the order in
// which turns do.
func retakeStockAndCoupon(ctx context.Context, t *pg.Tx, r booking.Reservation) (bool, error) {
	left, err := stockIsLeft(ctx, t, r.ID)
	if err != nil || !left {
		return false, err
	}
	free, err := coupons.IsFree(ctx, t, r)
	if err != nil || !free {
		return false, err
	}
	_, err = t.Exec(ctx, `
		WITH taken AS (
			UPDATE menu_stock m
			SET remaining = m.remaining - i.quantity
			FROM reservations r
			JOIN slots s ON s.id = r.slot_id
			JOIN reservation_items i ON i.reservation_id = r.id AND i.from_stock
			WHERE r.id = $1 AND m.menu_item_id = i.menu_item_id AND m.service_date = s.service_date AND NOT m.unlimited
		), free AS (
			UPDATE reservation_items i
			SET from_stock = false
			FROM reservations r
			JOIN slots s ON s.id = r.slot_id
			JOIN menu_stock m ON m.service_date = s.service_date AND m.unlimited
			WHERE r.id = $1 AND i.reservation_id = r.id AND i.menu_item_id = m.menu_item_id AND i.from_stock
		)
		UPDATE coupon_claims
		SET reservation_id = $1
		WHERE coupon_id = $2 AND user_id = $3`, r.ID, r.Discount.CouponID, r.UserID)
	return err == nil, err
}

// stockIsLeft locks what is left of a reservation's dishes and says whether it is enough.
func stockIsLeft(ctx context.Context, t *pg.Tx, reservationID string) (bool, error) {
	return pg.One[bool](ctx, t, `
		WITH wanted AS (
			SELECT m.unlimited OR m.remaining >= i.quantity AS has
			FROM reservations r
			JOIN slots s ON s.id = r.slot_id
			JOIN reservation_items i ON i.reservation_id = r.id AND i.from_stock
			JOIN menu_stock m ON m.menu_item_id = i.menu_item_id AND m.service_date = s.service_date
			WHERE r.id = $1
			ORDER BY m.menu_item_id
			FOR UPDATE OF m
		)
		SELECT COALESCE(bool_and(has), true) FROM wanted`, reservationID)
}
