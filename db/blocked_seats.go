package db

import (
	"context"
	"errors"
	"slices"

	"github.com/lib/pq"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/db/auditlog"
	"lunchgo/db/pg"
)

type blockedRow struct {
	SlotID      int64
	ServiceTime booking.TimeOfDay
	reserve.BlockedSeat
}

// ListBlocked implements reserve.SlotStore.
func (s *SlotStore) ListBlocked(ctx context.Context, restaurantID int64,
	date booking.Date) (map[booking.TimeOfDay][]reserve.BlockedSeat, error) {
	var rows []blockedRow
	err := s.db.List(ctx, &rows, `
		SELECT s.id AS slot_id, to_char(s.service_time, 'HH24:MI') AS service_time, b.seat_id, b.reason
		FROM slots s
		JOIN blocked_seats b ON b.slot_id = s.id
		WHERE s.restaurant_id = $1 AND s.service_date = $2::date
		ORDER BY s.service_time, b.seat_id`, restaurantID, string(date))
	blocked := map[booking.TimeOfDay][]reserve.BlockedSeat{}
	for _, row := range rows {
		blocked[row.ServiceTime] = append(blocked[row.ServiceTime], row.BlockedSeat)
	}
	return blocked, err
}

// BlockSeats implements reserve.SlotStore. The locks of the slots' rows keep turns from giving a seat away between the
// look whether somebody has it and its blocking.
func (s *SlotStore) BlockSeats(ctx context.Context, block reserve.SeatBlock) error {
	err := s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		ids, err := lockToBlock(ctx, t, block)
		if err == nil && block.Days.First != "" {
			ids, err = lockDays(ctx, t, block, ids)
		}
		if err != nil {
			return err
		}
		if len(block.Block) > 0 {
			parties, err := listParties(ctx, t, ids, pq.Int64Array(block.Block))
			if err == nil && len(parties) > 0 {
				err = &booking.SeatsInUseError{Parties: parties}
			}
			if err != nil {
				return err
			}
		}
		if block.Preview {
			return errPreviewed
		}
		if err := writeBlockedDays(ctx, t, block); err != nil {
			return err
		}
		return writeBlocked(ctx, t, block, ids)
	})
	if errors.Is(err, errPreviewed) {
		return nil
	}
	return err
}

// lockToBlock makes the rows of slots that have none, and locks all in their order.
func lockToBlock(ctx context.Context, t *pg.Tx, block reserve.SeatBlock) (ids pq.Int64Array, err error) {
	var days, times pq.StringArray
	for _, slot := range block.Slots {
		days, times = append(days, string(slot.Date)), append(times, string(slot.Time))
	}
	err = t.List(ctx, (*[]int64)(&ids), t.Pool.Guarded(LockToBlockSeats, `
		INSERT INTO slots AS s (restaurant_id, service_date, service_time, capacity)
		SELECT $1, day, at, $4
		FROM unnest($2::date[], $3::time[]) AS slot (day, at)
		ORDER BY day, at
		ON CONFLICT ON CONSTRAINT slots_one_per_time
		DO UPDATE SET fence = s.fence
		RETURNING id`), block.RestaurantID, days, times, block.UsualCapacity)
	return ids, err
}

// lockDays keeps other slots of the restaurant from being made until the transaction ends, and adds those of the days
// that were made after the use case had looked which there are. Slots that have begun are none of them: the use case
// knows those.
func lockDays(ctx context.Context, t *pg.Tx, block reserve.SeatBlock, ids pq.Int64Array) (pq.Int64Array, error) {
	const slotsOfDays = `
		SELECT id
		FROM slots
		WHERE restaurant_id = $1 AND service_date BETWEEN $2::date AND $3::date AND id <> ALL ($4::bigint[])
		ORDER BY service_date, service_time`
	var before, after []int64
	var locked int64
	days := []any{block.RestaurantID, string(block.Days.First), string(block.Days.Last)}
	err := t.List(ctx, &before, slotsOfDays, append(days, ids)...)
	if err == nil {
		err = t.Get(ctx, &locked, t.Pool.Guarded(LockToBlockDays,
			`SELECT id FROM restaurants WHERE id = $1 FOR UPDATE`),
			block.RestaurantID)
	}
	if err == nil {
		err = t.List(ctx, &after, slotsOfDays+` FOR NO KEY UPDATE`, append(days, append(ids, before...))...)
	}
	return append(ids, after...), err
}

// writeBlockedDays says which seats are blocked in slots of the days that are made later.
func writeBlockedDays(ctx context.Context, t *pg.Tx, block reserve.SeatBlock) error {
	if block.Days.First == "" {
		return nil
	}
	first, last := string(block.Days.First), string(block.Days.Last)
	_, err := t.Exec(ctx, `
		INSERT INTO day_blocked_seats (restaurant_id, service_date, seat_id, reason)
		SELECT $1, day::date, seat.id, $5
		FROM generate_series($2::date, $3::date, interval '1 day') AS day
		CROSS JOIN unnest($4::bigint[]) AS seat (id)
		ON CONFLICT ON CONSTRAINT day_blocked_seats_pk DO UPDATE SET reason = excluded.reason`,
		block.RestaurantID, first, last, pq.Int64Array(block.Block), block.Reason)
	if err == nil {
		_, err = t.Exec(ctx, `
			DELETE FROM day_blocked_seats
			WHERE restaurant_id = $1 AND service_date BETWEEN $2::date AND $3::date AND seat_id = ANY ($4::bigint[])`,
			block.RestaurantID, first, last, pq.Int64Array(block.Unblock))
	}
	return err
}

// writeBlocked blocks and unblocks, and writes down what that changes in each slot.
func writeBlocked(ctx context.Context, t *pg.Tx, block reserve.SeatBlock, slots pq.Int64Array) error {
	was, err := blockedIn(ctx, t, slots)
	if err != nil {
		return err
	}
	_, err = t.Exec(ctx, t.Pool.Guarded(InsertBlocked, `
		INSERT INTO blocked_seats AS b (slot_id, restaurant_id, seat_id, reason)
		SELECT slot.id, $2, seat.id, $4
		FROM unnest($1::bigint[]) AS slot (id)
		CROSS JOIN unnest($3::bigint[]) AS seat (id)
		ON CONFLICT ON CONSTRAINT blocked_seats_pk DO UPDATE SET reason = excluded.reason`),
		slots, block.RestaurantID, pq.Int64Array(block.Block), block.Reason)
	if err == nil {
		_, err = t.Exec(ctx,
			`DELETE FROM blocked_seats WHERE slot_id = ANY ($1::bigint[]) AND seat_id = ANY ($2::bigint[])`, slots,
			pq.Int64Array(block.Unblock))
	}
	if err != nil {
		return err
	}
	is, err := blockedIn(ctx, t, slots)
	if err != nil {
		return err
	}
	var acts []auditlog.Entry
	for _, slot := range slots {
		if slices.Equal(was[slot], is[slot]) {
			continue
		}
		acts = append(acts, auditlog.Entry{StaffID: block.StaffID, RestaurantID: block.RestaurantID, SlotID: slot,
			Action: "slot.blocked_seats", Reason: block.Reason,
			Detail: map[string]any{"was": append([]int64{}, was[slot]...), "is": append([]int64{}, is[slot]...)}})
	}
	if len(acts) == 0 {
		return nil
	}
	return auditlog.Write(ctx, t, acts...)
}

// blockedIn returns, by slot, the ids of the seats that are blocked, ascending.
func blockedIn(ctx context.Context, t *pg.Tx, slots pq.Int64Array) (map[int64][]int64, error) {
	var rows []blockedRow
	err := t.List(ctx, &rows, `
		SELECT slot_id, seat_id
		FROM blocked_seats
		WHERE slot_id = ANY ($1::bigint[])
		ORDER BY slot_id, seat_id`, slots)
	blocked := map[int64][]int64{}
	for _, row := range rows {
		blocked[row.SlotID] = append(blocked[row.SlotID], row.SeatID)
	}
	return blocked, err
}
