package db

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"lunchgo/app/booking"
)

// errRefused ends a change's transaction so that nothing of it stays; its outcome says why.
var errRefused = errors.New("db: the change is refused")

// changing is a change while its transaction goes on.
type changing struct {
	store *ReservationStore
	*tx
	turn  booking.Turn
	req   booking.Request
	slots map[booking.SlotKey]slotRow // locked: those of before and those asked for
	was   lockedReservation
	state booking.ChangeState
	own   []ownLine
	next  booking.Revision
}

// Change implements reserve.ChangeStore. It locks in the order of all others: slots by time, the diner's account, the
// reservation, stock by date and item, the coupon, the account. What is new is taken in the statement that frees what is old.
func (s *ReservationStore) Change(ctx context.Context, turn booking.Turn, req booking.Request) (booking.Outcome, []booking.Occupancy, error) {
	out := booking.Outcome{Request: req, ReservationID: req.Change.ReservationID}
	var after []booking.Occupancy
	err := s.db.inTx(ctx, func(ctx context.Context, t *tx) error {
		c := changing{store: s, tx: t, turn: turn, req: req}
		err := c.lock(ctx)
		if errors.Is(err, errRepeat) {
			return c.repeat(ctx, &out)
		}
		if err == nil {
			err = c.read(ctx)
		}
		if err == nil {
			err = c.apply(ctx)
		}
		if err != nil {
			err = c.refuse(err, &out)
		}
		after = c.after(out.Err == nil)
		return err
	})
	if errors.Is(err, errRefused) {
		err = nil
	}
	return out, after, err
}

// lock locks the slots, the account and the reservation. Returns errRepeat when the reservation has been changed under the same key,
// booking.ErrStaleFence, and booking.ErrNotFound when it is not the diner's.
func (c *changing) lock(ctx context.Context) error {
	keys := slices.Concat(c.req.Change.From, c.req.Slots())
	slices.SortFunc(keys, func(a, b booking.SlotKey) int {
		return strings.Compare(string(a.Date)+string(a.Time), string(b.Date)+string(b.Time))
	})
	c.slots = map[booking.SlotKey]slotRow{}
	for _, key := range slices.Compact(keys) {
		slot, err := c.lockSlot(ctx, key)
		if err != nil {
			return err
		}
		c.slots[key] = slot
	}
	err := lockDiners(ctx, c.tx, c.req.UserID)
	if err != nil {
		return err
	}
	if c.was, err = c.store.lock(ctx, c.tx, c.req.Change.ReservationID); err != nil {
		return err
	}
	switch {
	case c.was.UserID != c.req.UserID:
		return booking.ErrNotFound
	case c.was.Changes != c.req.Change.Number:
		return errRepeat
	}
	return nil
}

// lockSlot locks one that is asked for under the turn's fence, making its row if there is none, and one of before as it is.
func (c *changing) lockSlot(ctx context.Context, key booking.SlotKey) (slotRow, error) {
	if slices.Contains(c.req.Slots(), key) {
		slots, err := lockTurn(ctx, c.tx, booking.Turn{Slot: key, Capacity: c.turn.Capacity, Fence: c.turn.Fence})
		if err != nil {
			return slotRow{}, err
		}
		return slots.rows[0], nil
	}
	var slot slotRow
	err := c.get(ctx, &slot, c.db.guarded(lockSlotOfChange, `
		SELECT id, capacity, closed
		FROM slots
		WHERE restaurant_id = $1 AND service_date = $2::date AND service_time = $3::time
		FOR NO KEY UPDATE`), key.RestaurantID, string(key.Date), string(key.Time))
	return slot, orNotFound(err, booking.ErrChangedMeanwhile)
}

// repeat answers a change of a reservation that has been changed since it was asked for: by a repeat of the request, or by another.
func (c *changing) repeat(ctx context.Context, out *booking.Outcome) error {
	past, err := findChange(ctx, c.tx, c.req.UserID, c.req.IdempotencyKey)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		out.Err = booking.ErrChangedMeanwhile
	case err != nil:
		return err
	case !past.Matches(c.req):
		out.Err = booking.ErrKeyReused
	default:
		out.Existing = &c.was.Reservation
	}
	return nil
}

// read reads, under the locks, what booking.DecideChange needs.
func (c *changing) read(ctx context.Context) error {
	c.state = booking.ChangeState{Reservation: c.was.Reservation, Start: c.was.Start, Now: c.was.Now, Plan: c.turn.Seats,
		Slots: map[booking.SlotKey]booking.Occupancy{}}
	if err := c.readSeats(ctx); err != nil {
		return err
	}
	if err := c.readStock(ctx); err != nil {
		return err
	}
	if err := c.readDiner(ctx); err != nil {
		return err
	}
	return c.readCoupon(ctx)
}

// readDiner reads what the limits look at.
func (c *changing) readDiner(ctx context.Context) error {
	asked := stayOf{day: c.req.Slot.Date, hold: c.req.HoldTime}
	for _, key := range c.req.Slots() {
		asked.slots = append(asked.slots, c.slots[key].ID)
	}
	found, err := readDiners(ctx, c.tx, asked, c.req.UserID)
	if err != nil {
		return err
	}
	c.state.Limits, c.state.Diner = c.store.Limits, found.diners[c.req.UserID]
	c.state.NextStart, c.state.NextEnd = found.start, found.end
	return nil
}

type changeSeatsRow struct {
	seatsRow
	Other    string `db:"other"`
	Seats    []byte `db:"seats"`
	Waitlist []byte `db:"waitlist"`
}

// readSeats counts the seats of the slots that are asked for, and reads who waits for some. These are statements of their own
// after those that lock, as in readState.
func (c *changing) readSeats(ctx context.Context) error {
	locked := lockedSlots{date: c.req.Slot.Date, times: timesOfStay(c.req.Slot, c.req.Stay)}
	var waiting [][]byte
	for _, key := range c.req.Slots() {
		slot := c.slots[key]
		row, err := c.readSlot(ctx, slot)
		if err != nil {
			return err
		}
		o := booking.Occupancy{Capacity: slot.Capacity, Held: row.Held, OnHold: row.OnHold, Closed: slot.Closed}
		if o.Seats, err = parseTakenSeats(row.Seats); err != nil {
			return err
		}
		c.state.Slots[key] = o
		c.state.Duplicate = cmp.Or(c.state.Duplicate, row.Other)
		locked.rows, waiting = append(locked.rows, slot), append(waiting, row.Waitlist)
	}
	var list booking.SlotState
	err := readWaitlist(ctx, c.tx, &list, locked, waiting)
	c.state.Waitlist, c.state.Vacancies = list.Waitlist, list.Vacancies
	return err
}

// readSlot counts the seats of a slot whose row is locked, finds another live reservation of the diner in it, and reads who
// waits for seats.
func (c *changing) readSlot(ctx context.Context, slot slotRow) (row changeSeatsRow, err error) {
	err = c.get(ctx, &row, c.db.guarded(readSlotOfChange, `
		SELECT seats.*, `+takenSeats+`slot.id`+takenSeatsEnd+` AS seats, (`+waitlistInto+`) AS waitlist
		FROM (SELECT $1::bigint AS id) slot
		CROSS JOIN LATERAL (
			SELECT COALESCE(sum(party_size), 0) AS held,
				COALESCE(sum(party_size) FILTER (WHERE state = 'temporary'), 0) AS on_hold,
				COALESCE(max(reservation_id) FILTER (WHERE user_id = $2 AND reservation_id <> $3), '') AS other
			FROM occupations
			WHERE slot_id = slot.id AND state IN `+holdingStates+`
		) seats`), slot.ID, c.req.UserID, c.was.ID)
	return row, err
}

// readCoupon locks the coupon that the reservation has, and reads its terms.
func (c *changing) readCoupon(ctx context.Context) error {
	id := c.was.Discount.CouponID
	if id == 0 {
		return nil
	}
	var state booking.SlotState
	err := readCoupons(ctx, c.tx, &state, []booking.Request{{UserID: c.was.UserID, CouponID: id}})
	c.state.Coupon = state.Coupons[booking.Owner{UserID: c.was.UserID, CouponID: id}].CouponTerms
	return err
}

// apply decides and stores what was decided: seats, dishes and coupon, the history, and the money. Whatever fails, all is
// as before.
func (c *changing) apply(ctx context.Context) error {
	var err error
	if c.next, err = booking.DecideChange(c.state, c.req); err != nil {
		return err
	}
	if err := c.writeReservation(ctx); err != nil {
		return err
	}
	if err := notePasses(ctx, c.tx, []booking.Outcome{{Passed: c.next.Passed}}); err != nil {
		return err
	}
	id, err := c.writeHistory(ctx)
	if err != nil || c.next.Amount() == 0 {
		return err
	}
	return postChange(ctx, c.tx, c.next, id)
}

// after is how full the turn's slots are afterwards, in order; nil where they were not counted.
func (c *changing) after(changed bool) []booking.Occupancy {
	if len(c.state.Slots) == 0 {
		return nil
	}
	if changed {
		return c.state.After(c.turn.Slots(), c.next.Reservation)
	}
	return c.state.After(c.turn.Slots(), c.was.Reservation)
}

// refuse puts what speaks against a change into its outcome. What is no answer to the diner is returned as it is.
func (c *changing) refuse(err error, out *booking.Outcome) error {
	if errors.Is(err, booking.ErrStaleFence) || !isRefused(err) && mapError(err) != err {
		return err
	}
	if out.Err = mapError(err); errors.Is(out.Err, booking.ErrDuplicate) {
		out.ReservationID = c.state.Duplicate
	}
	return errRefused
}
