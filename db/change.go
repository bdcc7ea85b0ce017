package db

import (
	"context"
	"slices"
	"time"

	"github.com/lib/pq"

	"lunchgo/app/booking"
	"lunchgo/db/columns"
	"lunchgo/db/pg"
	"lunchgo/db/rowlock"
)

// A run that changes reservations is decided and stored like any other, see SlotStore.Serve, with more locks: those of
// the slots that the changes leave, of the reservations, and of the wallets of those who have paid. All lock in one
// order: slots by day and time, accounts, reservations, stock by day and item, coupons, wallets.

func isChange(req booking.Request) bool { return req.Change != nil }

type changedSlotRow struct {
	slotRow
	Slot booking.SlotKey
}

// lockChanges locks in one statement what lockTurn locks, and besides, in the same order of slots, those that the run's
// changes may leave, as they are, and then the reservations. Of a slot that there is not, nothing is locked:
// booking.Decide refuses its change. Returns *booking.StaleFenceError.
func lockChanges(ctx context.Context, t *pg.Tx, turn booking.Turn, run []booking.Request) (lockedSlots, error) {
	times := timesOfStay(turn.Slot, turn.Stay)
	leftDays, leftTimes, ids := leftBy(turn, run)
	var rows []changedSlotRow
	err := t.List(ctx, &rows,
		t.Pool.Guarded(LockSlotsOfChanges, t.Pool.Guarded(rowlock.LockUsers,
			t.Pool.Guarded(LockChanging, lockForChanges))),
		turn.Slot.RestaurantID, string(turn.Slot.Date), timeArray(times), turn.Capacity, turn.Fence,
		rowlock.InOrder(usersOf(run)), leftDays, leftTimes, ids)
	slots := lockedSlots{date: turn.Slot.Date, times: times, left: map[booking.SlotKey]int64{}}
	for _, row := range rows {
		if slices.Contains(turn.Slots(), row.Slot) {
			slots.rows = append(slots.rows, row.slotRow)
		} else {
			slots.left[row.Slot] = row.ID
		}
	}
	if err == nil && len(slots.rows) < len(times) {
		err = staleFence(ctx, t, turn)
	}
	return slots, err
}

const lockForChanges = `
	WITH asked AS (
		SELECT $2::date AS day, at, $5::bigint AS fence
		FROM unnest($3::time[]) AS turn (at)
		UNION ALL
		SELECT known.service_date, known.service_time, 0
		FROM unnest($7::date[], $8::time[]) AS leaving (day, at)
		CROSS JOIN LATERAL (
			SELECT service_date, service_time
			FROM slots
			WHERE restaurant_id = $1 AND service_date = leaving.day AND service_time = leaving.at
			LIMIT 1
		) known
	), locked AS (
		INSERT INTO slots AS s (restaurant_id, service_date, service_time, capacity, fence)
		SELECT $1, day, at, $4, fence
		FROM asked
		ORDER BY day, at
		ON CONFLICT ON CONSTRAINT slots_one_per_time
		DO UPDATE SET fence = GREATEST(s.fence, excluded.fence)
		WHERE s.fence <= excluded.fence OR s.service_date <> $2::date OR s.service_time <> ALL ($3::time[])
		RETURNING ` + lockedColumns + `, restaurant_id, service_date, service_time
	), ` + lockAccounts + `, changing AS (
		SELECT r.id
		FROM unnest($9::text[]) AS run (id)
		CROSS JOIN LATERAL (
			SELECT id
			FROM reservations
			WHERE id = run.id AND (SELECT count(*) FROM accounts) >= 0
			LIMIT 1
			FOR UPDATE
		) r
	)
	SELECT ` + slotFields + `, draw, now, ` + unconfirmedAccounts + `, ` + columns.SlotKey + `
	FROM locked s
	WHERE (SELECT count(*) FROM changing) >= 0
	ORDER BY s.service_date, s.service_time`

// leftBy are the slots besides those of the turn that a run's changes may leave, and the reservations that it changes,
// in order.
func leftBy(turn booking.Turn, run []booking.Request) (days, times, ids pq.StringArray) {
	days, times, ids = pq.StringArray{}, pq.StringArray{}, pq.StringArray{}
	seen := map[booking.SlotKey]bool{}
	for _, key := range turn.Slots() {
		seen[key] = true
	}
	for _, req := range run {
		if req.Change == nil {
			continue
		}
		ids = append(ids, req.Change.ReservationID)
		for _, key := range req.Change.From {
			if !seen[key] && key.RestaurantID == turn.Slot.RestaurantID {
				seen[key] = true
				days, times = append(days, string(key.Date)), append(times, string(key.Time))
			}
		}
	}
	return days, times, rowlock.InOrder(ids)
}

// changingRun is what a run changes, as it is under the locks.
type changingRun struct {
	byID       map[string]booking.Changing
	now        time.Time // by the database's clock
	start, end time.Time // of the stay that the run is for
}

type changingRow struct {
	booking.Changing
	TimeZone string
	Now      time.Time
}

// selectChanging reads reservations whose rows are locked.
const selectChanging = `
	SELECT found.*, clock_timestamp() AS now
	FROM unnest($1::text[]) AS run (id)
	CROSS JOIN LATERAL (
		SELECT ` + columns.Reservation + `,
			(SELECT time_zone FROM restaurants WHERE id = r.restaurant_id) AS time_zone,
			COALESCE((
				SELECT json_agg(json_build_object('menuItemId', i.menu_item_id, 'quantity', i.quantity, 'fromStock', i.from_stock))
				FROM reservation_items i
				WHERE i.reservation_id = r.id
			), '[]') AS lines,
			` + offeredColumn + `,
			` + columns.Lacks + `
		FROM reservations r
		JOIN slots s ON s.id = r.slot_id
		WHERE r.id = run.id
		LIMIT 1
	) found`

// readChanging reads the reservations that a run changes. It is a statement of its own after the one that locks them,
// as in readState. It sends nothing for a run without changes.
func readChanging(ctx context.Context, t *pg.Tx, slots lockedSlots, run []booking.Request) (changingRun, error) {
	changing := changingRun{byID: map[string]booking.Changing{}}
	var ids pq.StringArray
	for _, req := range run {
		if req.Change != nil {
			ids = append(ids, req.Change.ReservationID)
		}
	}
	if len(ids) == 0 {
		return changing, nil
	}
	var rows []changingRow
	if err := t.List(ctx, &rows, selectChanging, rowlock.InOrder(ids)); err != nil {
		return changing, err
	}
	for _, row := range rows {
		var err error
		row.Start, _, err = periodOf(row.TimeZone, row.SlotMinutes, row.Slot, row.Stay)
		if err != nil {
			return changing, err
		}
		changing.byID[row.ID], changing.now = row.Changing, row.Now
		slot := booking.SlotKey{RestaurantID: row.RestaurantID, Date: slots.date, Time: slots.times[0]}
		changing.start, changing.end, err = periodOf(row.TimeZone, row.SlotMinutes, slot, slots.times[1:])
		if err != nil {
			return changing, err
		}
	}
	return changing, nil
}

// readPast reads the earlier changes under the keys of changes whose reservation has been changed since they were asked
// for: by a repeat of the request, or by another. It sends nothing if there are none.
func readPast(ctx context.Context, t *pg.Tx, run []booking.Request,
	changing map[string]booking.Changing) (map[booking.Submission]booking.PastChange, error) {
	var users, keys pq.StringArray
	var byStaff pq.BoolArray
	for _, req := range run {
		if req.Change != nil && changing[req.Change.ReservationID].Changes != req.Change.Number {
			users, keys, byStaff = append(users, req.UserID), append(keys, req.IdempotencyKey),
				append(byStaff, req.IsByStaff())
		}
	}
	if len(keys) == 0 {
		return nil, nil
	}
	var rows []changeRow
	err := t.List(ctx, &rows, `
		SELECT found.*
		FROM unnest($1::text[], $2::text[], $3::boolean[]) AS run (user_id, idempotency_key, by_staff)
		CROSS JOIN LATERAL (`+selectChanges+`
			WHERE (c.user_id = run.user_id AND c.staff_id IS NULL OR c.staff_id = run.user_id)
				AND c.staff_id IS NOT NULL = run.by_staff AND c.idempotency_key = run.idempotency_key
			LIMIT 1
		) found`, users, keys, byStaff)
	past := map[booking.Submission]booking.PastChange{}
	for _, row := range rows {
		by := booking.Submission{UserID: row.UserID, IdempotencyKey: row.IdempotencyKey}
		if row.StaffID != "" {
			by.UserID, by.ByStaff = row.StaffID, true
		}
		past[by] = row.PastChange
	}
	return past, err
}

// withCoupons are the coupons that the new reservations of a run ask for, and those that the changed ones have.
func withCoupons(run []booking.Request, changing map[string]booking.Changing) []booking.Request {
	if len(changing) == 0 {
		return run
	}
	var with []booking.Request
	for _, req := range run {
		switch {
		case req.Change == nil:
			with = append(with, req)
		case req.Change.Undo != nil: // it may have another one than now
			with = append(with, booking.Request{UserID: req.UserID, CouponID: req.Change.Undo.Discount.CouponID})
		}
	}
	for _, r := range changing { // in any order
		with = append(with, booking.Request{UserID: r.UserID, CouponID: r.Discount.CouponID})
	}
	return with
}
