package db

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/lib/pq"

	"lunchgo/app/booking"
)

// errOtherSlots says that a request is in a run for other slots than its own.
var errOtherSlots = errors.New("db: the request is for other slots than the turn")

// refusedError says that the run's own data were refused, not the turn.
type refusedError struct {
	err error
}

func (e *refusedError) Error() string { return e.err.Error() }
func (e *refusedError) Unwrap() error { return e.err }

// Serve decides a run in six round trips, for one request as for sixty-four, in one slot as in three: begin; lock the slots
// and the accounts; count the seats and lock the dishes; read what the accounts have; write what was decided; commit. A seventh locks coupons, if any is asked for.
//
// One request whose data are refused (a person this database does not know, a key that was used in another slot a moment
// ago) must not fail the others: the run is then served in halves, in order, until that request stands alone with its
// error. Requests that were served in an earlier half find their reservation again when the run is repeated.
func (s *SlotStore) Serve(ctx context.Context, turn booking.Turn, run []booking.Request) ([]booking.Outcome, []booking.Occupancy, error) {
	outcomes, after, err := s.serve(ctx, turn, run)
	var refused *refusedError
	if !errors.As(err, &refused) {
		return outcomes, after, err
	}
	if len(run) == 1 {
		_, after, err = s.serve(ctx, turn, nil)
		return []booking.Outcome{{Request: run[0], Err: refused.err}}, after, err
	}
	half := len(run) / 2
	first, _, err := s.Serve(ctx, turn, run[:half])
	if err != nil {
		return nil, nil, err
	}
	second, after, err := s.Serve(ctx, turn, run[half:])
	if err != nil {
		return nil, nil, err
	}
	return append(first, second...), after, nil
}

// serve decides a run in one transaction. Returns *refusedError when the run's data were refused.
func (s *SlotStore) serve(ctx context.Context, turn booking.Turn, run []booking.Request) ([]booking.Outcome, []booking.Occupancy, error) {
	if slices.ContainsFunc(run, func(req booking.Request) bool { return !slices.Equal(req.Slots(), turn.Slots()) }) {
		return nil, nil, &refusedError{errOtherSlots}
	}
	var outcomes []booking.Outcome
	var after []booking.Occupancy
	err := s.db.inTx(ctx, func(ctx context.Context, t *tx) error {
		slots, err := lockTurn(ctx, t, turn, usersOf(run)...)
		if err != nil {
			return err
		}
		state, err := readState(ctx, t, slots, run)
		if err == nil {
			state.Plan, state.Limits = turn.Seats, s.Limits
			outcomes, after = booking.Decide(state, run)
			err = writeReservations(ctx, t, decided{slots.ids(), turn, outcomes, state.Stock})
		}
		if isRefused(err) {
			return &refusedError{err: mapError(err)}
		}
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	return outcomes, after, nil
}

type slotRow struct {
	ID       int64 `db:"id"`
	Capacity int   `db:"capacity"`
	Closed   bool  `db:"closed"`
}

// lockedSlots are the slots of a turn, in order, whose rows are locked.
type lockedSlots struct {
	rows  []slotRow
	date  booking.Date
	times []booking.TimeOfDay
}

func (l lockedSlots) ids() pq.Int64Array {
	ids := make(pq.Int64Array, len(l.rows))
	for i, row := range l.rows {
		ids[i] = row.ID
	}
	return ids
}

// lockTurn locks the slots of a turn until the transaction ends and raises their fences. One statement does so, and makes
// the rows that are missing, in the order of their times: whoever locks several slots keeps that order, so that no two
// transactions wait for each other. It yields no row of a slot whose fence is higher. Returns booking.ErrStaleFence when a
// later turn was served in one of the slots.
//
// The same statement locks the accounts of users, as lockDiners does: after the slots, because it looks for them only once
// the rows of those are counted.
func lockTurn(ctx context.Context, t *tx, turn booking.Turn, users ...string) (lockedSlots, error) {
	times := timesOfStay(turn.Slot, turn.Stay)
	slots := lockedSlots{date: turn.Slot.Date, times: times}
	err := t.list(ctx, &slots.rows, t.db.guarded(lockSlots, t.db.guarded(lockUsers, `
		WITH locked AS (
			INSERT INTO slots AS s (restaurant_id, service_date, service_time, capacity, fence)
			SELECT $1, $2::date, at, $4, $5
			FROM unnest($3::time[]) AS turn (at)
			ORDER BY at
			ON CONFLICT ON CONSTRAINT slots_one_per_time
			DO UPDATE SET fence = excluded.fence WHERE s.fence <= excluded.fence
			RETURNING id, capacity, closed
		), accounts AS (
			SELECT u.id
			FROM unnest($6::text[]) AS run (id)
			CROSS JOIN LATERAL (
				SELECT id
				FROM users
				WHERE id = run.id AND (SELECT count(*) FROM locked) > 0
				LIMIT 1
				FOR NO KEY UPDATE
			) u
		)
		SELECT id, capacity, closed
		FROM locked
		WHERE (SELECT count(*) FROM accounts) >= 0`)),
		turn.Slot.RestaurantID, string(turn.Slot.Date), timeArray(times), turn.Capacity, turn.Fence, inOrder(users))
	if err == nil && len(slots.rows) < len(times) {
		err = booking.ErrStaleFence
	}
	return slots, err
}

// readState reads what Decide needs. These are statements of their own, after the one that locks: READ COMMITTED gives
// each statement a snapshot as it begins, and the locking one begins before it waits. Seats counted in its snapshot would
// miss those given away during the wait.
func readState(ctx context.Context, t *tx, slots lockedSlots, run []booking.Request) (booking.SlotState, error) {
	state, err := readSeatsAndStock(ctx, t, slots, run)
	if err != nil {
		return booking.SlotState{}, err
	}
	if err := readCoupons(ctx, t, &state, run); err != nil {
		return booking.SlotState{}, err
	}
	var keys pq.StringArray
	for _, req := range run {
		keys = append(keys, req.IdempotencyKey)
	}
	found, err := readKnown(ctx, t, stayOf{slots.ids(), slots.date, longestHold(run)}, usersOf(run), keys)
	state.Diners, state.Live, state.Repeats = found.diners, found.inSlot, map[string]booking.Reservation{}
	state.Start, state.End = found.start, found.end
	if state.Now.IsZero() {
		state.Now = found.now
	}
	for _, req := range run {
		if r, made := found.byKey[[2]string{req.UserID, req.IdempotencyKey}]; made {
			state.Repeats[req.UserID] = r
		}
	}
	return state, err
}

type slotStateRow struct {
	seatsRow
	Stock    []byte `db:"stock"`
	Seats    []byte `db:"seats"`
	Waitlist []byte `db:"waitlist"`
}

// selectSlots counts the seats of slots whose rows are locked, in the order given. It locks and reads what is left on its
// day of the limited items among some, in ascending order: whoever locks several keeps that order, so no two turns wait for
// each other. It makes a row that is missing with the item's daily quantity. The seats may be counted here although the
// statement may wait for a dish: while the slot is locked no other turn takes more of them. What it reads of a stock is no older
// than the lock, because an upsert goes on with the row as it is then.
const selectSlots = `
	WITH stock AS (
		INSERT INTO menu_stock AS m (menu_item_id, service_date, offered, remaining)
		SELECT item.id, $3::date, item.quantity, item.quantity
		FROM unnest($2::bigint[]) AS ordered (id)
		CROSS JOIN LATERAL (
			SELECT i.id, COALESCE(known.remaining, i.daily_quantity) AS quantity
			FROM menu_items i
			LEFT JOIN menu_stock known ON known.menu_item_id = i.id AND known.service_date = $3::date
			WHERE i.id = ordered.id
			LIMIT 1
		) item
		WHERE item.quantity IS NOT NULL
		ORDER BY item.id
		ON CONFLICT ON CONSTRAINT menu_stock_pk
		DO UPDATE SET remaining = m.remaining
		RETURNING menu_item_id, remaining
	)
	SELECT seats.held, seats.on_hold,
		(SELECT COALESCE(json_object_agg(menu_item_id, remaining), '{}') FROM stock) AS stock,
		` + takenSeats + `slot.id` + takenSeatsEnd + ` AS seats,
		(` + waitlistInto + `) AS waitlist
	FROM unnest($1::bigint[]) WITH ORDINALITY AS slot (id, position)
	CROSS JOIN LATERAL (
		SELECT COALESCE(sum(party_size), 0) AS held,
			COALESCE(sum(party_size) FILTER (WHERE state = 'temporary'), 0) AS on_hold
		FROM occupations
		WHERE slot_id = slot.id AND state IN ` + holdingStates + `
	) seats
	ORDER BY slot.position`

// readSeatsAndStock counts the seats of locked slots, and locks and reads what is left of the dishes that the run orders.
func readSeatsAndStock(ctx context.Context, t *tx, slots lockedSlots, run []booking.Request) (booking.SlotState, error) {
	var rows []slotStateRow
	err := t.list(ctx, &rows, t.db.guarded(readSlots, selectSlots), slots.ids(), orderedItems(run), string(slots.date))
	if err != nil {
		return booking.SlotState{}, err
	}
	var state booking.SlotState
	var waiting [][]byte
	for i, slot := range slots.rows {
		waiting = append(waiting, rows[i].Waitlist)
		state.Slots = append(state.Slots, booking.Occupancy{
			Capacity: slot.Capacity, Held: rows[i].Held, OnHold: rows[i].OnHold, Closed: slot.Closed,
		})
		var err error
		if state.Slots[i].Seats, err = parseTakenSeats(rows[i].Seats); err != nil {
			return booking.SlotState{}, err
		}
	}
	if err := json.Unmarshal(rows[0].Stock, &state.Stock); err != nil {
		return booking.SlotState{}, fmt.Errorf("db: stock: %w", err)
	}
	return state, readWaitlist(ctx, t, &state, slots, waiting)
}

// usersOf are those who submitted the requests of a run.
func usersOf(run []booking.Request) pq.StringArray {
	users := make(pq.StringArray, 0, len(run))
	for _, req := range run {
		users = append(users, req.UserID)
	}
	return users
}

// longestHold is how long the longest hold of a run lasts.
func longestHold(run []booking.Request) time.Duration {
	var longest time.Duration
	for _, req := range run {
		longest = max(longest, req.HoldTime)
	}
	return longest
}

// orderedItems are the items that a run orders, each once, in the order in which they come up.
func orderedItems(run []booking.Request) pq.Int64Array {
	items := pq.Int64Array{}
	seen := map[int64]bool{}
	for _, req := range run {
		for _, it := range req.Items {
			if !seen[it.MenuItemID] {
				seen[it.MenuItemID] = true
				items = append(items, it.MenuItemID)
			}
		}
	}
	return items
}

type seatsRow struct {
	Held   int `db:"held"`
	OnHold int `db:"on_hold"`
}
