package db

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/lib/pq"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/db/auditlog"
	"lunchgo/db/columns"
	"lunchgo/db/pg"
)

// errPreviewed ends a transaction that is to change nothing.
var errPreviewed = errors.New("db: only looked at")

type steeredRow struct {
	slotRow
	ServiceTime booking.TimeOfDay
}

// ChangeSlots changes slots on behalf of a member of staff under the locks of their rows, all or none. Staff need no
// turn: the fence is not looked at. Returns *booking.BelowSoldError, and changes nothing, when a slot would have less
// covers than are taken.
func (s *SlotStore) ChangeSlots(ctx context.Context, change reserve.SlotsChange) (affected reserve.Affected,
	err error) {
	err = s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		slots, err := lockSteeredSlots(ctx, t, change)
		if err != nil {
			return err
		}
		is := make([]booking.Occupancy, len(slots))
		for i, slot := range slots {
			is[i] = change.Change.Apply(slot.Occupancy)
		}
		if err := checkSold(ctx, t, slots, is); err != nil {
			return err
		}
		if affected, err = readAffected(ctx, t, idsOf(slots)); err != nil {
			return err
		}
		affected.Slots = map[booking.TimeOfDay]booking.Occupancy{}
		for i, slot := range slots {
			affected.Slots[slot.ServiceTime] = is[i]
		}
		if change.Preview {
			return errPreviewed
		}
		return writeSteered(ctx, t, change, slots, is)
	})
	if err != nil && !errors.Is(err, errPreviewed) {
		return reserve.Affected{}, err
	}
	return affected, nil
}

// lockSteeredSlots makes the rows of slots that have none, locks all, so that no turn seats a party while they change,
// and counts their seats: by a statement of its own, as in readState. The slots are in the order of their times.
func lockSteeredSlots(ctx context.Context, t *pg.Tx, change reserve.SlotsChange) ([]steeredRow, error) {
	var slots []steeredRow
	err := t.List(ctx, &slots, t.Pool.Guarded(LockSteered, `
		INSERT INTO slots AS s (restaurant_id, service_date, service_time, capacity)
		SELECT $1, $2::date, at, $4
		FROM unnest($3::time[]) AS day (at)
		ORDER BY at
		ON CONFLICT ON CONSTRAINT slots_one_per_time
		DO UPDATE SET fence = s.fence
		RETURNING `+lockedColumns+`, to_char(service_time, 'HH24:MI') AS service_time`),
		change.RestaurantID, string(change.Date), timeArray(change.Times), change.UsualCapacity)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(slots, func(a, b steeredRow) int { return cmp.Compare(a.ServiceTime, b.ServiceTime) })
	var seats []booking.Occupancy
	err = t.List(ctx, &seats, `
		SELECT seats.held, seats.on_hold
		FROM unnest($1::bigint[]) WITH ORDINALITY AS slot (id, position)
		CROSS JOIN LATERAL (
			SELECT COALESCE(sum(party_size), 0) AS held,
				COALESCE(sum(party_size) FILTER (WHERE state = 'temporary'), 0) AS on_hold
			FROM occupations
			WHERE slot_id = slot.id AND state IN `+columns.HoldingStates+`
		) seats
		ORDER BY slot.position`, idsOf(slots))
	for i := range seats {
		slots[i].Held, slots[i].OnHold = seats[i].Held, seats[i].OnHold
	}
	return slots, err
}

func idsOf(slots []steeredRow) pq.Int64Array {
	ids := make(pq.Int64Array, len(slots))
	for i, slot := range slots {
		ids[i] = slot.ID
	}
	return ids
}

// checkSold returns *booking.BelowSoldError when a change leaves a slot fewer covers than are taken. A slot that has
// fewer already, and whose capacity does not change, is no reason.
func checkSold(ctx context.Context, t *pg.Tx, slots []steeredRow, is []booking.Occupancy) error {
	below := &booking.BelowSoldError{}
	var ids pq.Int64Array
	for i, slot := range slots {
		if is[i].Capacity < slot.Held && is[i].Capacity != slot.Capacity {
			ids, below.Sold = append(ids, slot.ID), max(below.Sold, slot.Held)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	var err error
	if below.Parties, err = listParties(ctx, t, ids, nil); err != nil {
		return err
	}
	return below
}

// maxPartiesShown is how many parties an error names.
const maxPartiesShown = 100

// listParties returns who holds covers of some slots, with seats: who holds one of those there, with the seats; by the
// time for which they come, which may be earlier than those slots, the latest booking first.
func listParties(ctx context.Context, t *pg.Tx, slots, seats pq.Int64Array) ([]booking.Party, error) {
	return pg.List[booking.Party](ctx, t, `
		SELECT id AS reservation_id, service_time AS time, name, party_size, state, seat_ids
		FROM (
			SELECT DISTINCT r.id, to_char(s.service_time, 'HH24:MI') AS service_time, COALESCE(r.guest_name, u.name) AS name,
				r.party_size, r.state, held.seat_ids, r.created_at
			FROM occupations o
			JOIN reservations r ON r.id = o.reservation_id
			JOIN slots s ON s.id = r.slot_id
			LEFT JOIN users u ON u.id = r.user_id
			CROSS JOIN LATERAL (
				SELECT ARRAY(
					SELECT seat_id
					FROM reservation_seats
					WHERE reservation_id = r.id AND slot_id = o.slot_id AND held AND seat_id = ANY ($2::bigint[])
					ORDER BY seat_id) AS seat_ids
			) held
			WHERE o.slot_id = ANY ($1::bigint[]) AND o.state IN `+columns.HoldingStates+`
				AND ($2::bigint[] IS NULL OR cardinality(held.seat_ids) > 0)
		) party
		ORDER BY service_time, created_at DESC, id
		LIMIT $3`, slots, seats, maxPartiesShown)
}

// readAffected counts who has covers of some slots, each party once.
func readAffected(ctx context.Context, t *pg.Tx, slots pq.Int64Array) (reserve.Affected, error) {
	return pg.One[reserve.Affected](ctx, t, `
		SELECT count(*) FILTER (WHERE r.state = 'temporary') AS holds,
			count(*) FILTER (WHERE r.state <> 'temporary') AS reservations,
			COALESCE(sum(r.paid_amount) FILTER (WHERE r.state <> 'temporary'), 0) AS money
		FROM (
			SELECT DISTINCT reservation_id AS id
			FROM occupations
			WHERE slot_id = ANY ($1::bigint[]) AND state IN `+columns.HoldingStates+` AND state <> 'refund_pending'
		) party
		JOIN reservations r ON r.id = party.id`, slots)
}

// writeSteered stores the slots as a change makes them, and in the audit log what that changes.
func writeSteered(ctx context.Context, t *pg.Tx, change reserve.SlotsChange, slots []steeredRow,
	is []booking.Occupancy) error {
	var capacities pq.Int64Array
	var closed, paused, draw pq.BoolArray
	var reasons, notices, opens pq.StringArray
	var acts []auditlog.Entry
	for i, slot := range slots {
		o := is[i]
		capacities = append(capacities, int64(o.Capacity))
		closed, paused, draw = append(closed, o.Closed), append(paused, o.Paused), append(draw, o.Draw)
		reasons, notices = append(reasons, o.Reason), append(notices, o.Notice)
		opensAt := ""
		if !o.OpensAt.IsZero() {
			opensAt = o.OpensAt.UTC().Format(timestampLayout)
		}
		opens = append(opens, opensAt)
		acts = append(acts, actsOf(change, slot, o)...)
	}
	_, err := t.Exec(ctx, t.Pool.Guarded(UpdateSteered, `
		UPDATE slots s
		SET capacity = c.capacity, closed = c.closed, paused = c.paused, reason = c.reason, notice = c.notice,
			opens_at = NULLIF(c.opens_at, '')::timestamptz, opening_order = CASE WHEN c.draw THEN 'draw' ELSE 'arrival' END
		FROM unnest($1::bigint[], $2::int[], $3::boolean[], $4::boolean[], $5::text[], $6::text[], $7::text[], $8::boolean[])
			AS c (id, capacity, closed, paused, reason, notice, opens_at, draw)
		WHERE s.id = c.id`), idsOf(slots), capacities, closed, paused, reasons, notices, opens, draw)
	if err != nil || len(acts) == 0 {
		return err
	}
	return auditlog.Write(ctx, t, acts...)
}

// timestampLayout is how a moment is written for PostgreSQL, which keeps microseconds.
const timestampLayout = "2006-01-02T15:04:05.000000Z07:00"

// actsOf are what a change does to a slot, an act a part.
func actsOf(change reserve.SlotsChange, slot steeredRow, is booking.Occupancy) []auditlog.Entry {
	var acts []auditlog.Entry
	for _, part := range reserve.PartsOf(slot.Occupancy, is) {
		act := auditlog.Entry{StaffID: change.StaffID, RestaurantID: change.RestaurantID, SlotID: slot.ID,
			Action: part.Action, Detail: map[string]any{"was": part.Was, "is": part.Is}}
		if reason := change.Change.Reason; reason != nil {
			act.Reason = *reason
		}
		acts = append(acts, act)
	}
	return acts
}
