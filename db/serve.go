package db

import (
	"context"
	"crypto/rand"
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

// Serve decides a run in five round trips, for one request as for sixty-four, in one slot as in three: begin; lock the slots
// and the accounts; count the seats, lock the dishes and look for what the accounts have; write what was decided; commit.
// There is one more to read what the accounts have, if they have something, and one to lock coupons, if any is asked for. A run
// that changes reservations takes four more for all its changes: to read them, to lock the wallets of those who have paid,
// to free what is old before what is new is written, and to move the difference.
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
		out := booking.Outcome{Request: run[0], Err: refused.err}
		if run[0].Change != nil {
			out.ReservationID = run[0].Change.ReservationID
		}
		return []booking.Outcome{out}, after, err
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
		slots, err := lockRun(ctx, t, turn, run)
		if err != nil {
			return err
		}
		state, wallets, err := readState(ctx, t, slots, run)
		if err == nil {
			state.Plan, state.Limits = turn.Seats, s.Limits
			outcomes, after = booking.Decide(state, run)
			err = writeOutcomes(ctx, t, decided{slots: slots, turn: turn, outcomes: outcomes, stock: state.Stock, wallets: wallets})
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
	left  map[booking.SlotKey]int64 // ids of the locked slots besides, which changes may leave
}

func (l lockedSlots) ids() pq.Int64Array {
	ids := make(pq.Int64Array, len(l.rows))
	for i, row := range l.rows {
		ids[i] = row.ID
	}
	return ids
}

// id is the id of a locked slot.
func (l lockedSlots) id(key booking.SlotKey) int64 {
	if at := slices.Index(l.times, key.Time); at >= 0 && key.Date == l.date {
		return l.rows[at].ID
	}
	return l.left[key]
}

func (l lockedSlots) idsOf(keys []booking.SlotKey) pq.Int64Array {
	ids := make(pq.Int64Array, len(keys))
	for i, key := range keys {
		ids[i] = l.id(key)
	}
	return ids
}

// lockRun locks what a run is decided under, besides dishes, coupons and wallets.
func lockRun(ctx context.Context, t *tx, turn booking.Turn, run []booking.Request) (lockedSlots, error) {
	if slices.ContainsFunc(run, isChange) {
		return lockChanges(ctx, t, turn, run)
	}
	return lockTurn(ctx, t, turn, usersOf(run)...)
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
func readState(ctx context.Context, t *tx, slots lockedSlots, run []booking.Request) (booking.SlotState, wallets, error) {
	changing, err := readChanging(ctx, t, slots, run)
	if err != nil {
		return booking.SlotState{}, nil, err
	}
	asked := inquiry{stayOf{slots.ids(), slots.date, longestHold(run)}, usersOf(run), keysOf(run)}
	state, has, err := readSeatsAndStock(ctx, t, slots, asked, dishesOf(run, changing.byID))
	if err != nil {
		return state, nil, err
	}
	state.Start, state.End, state.Changing = changing.start, changing.end, changing.byID
	if !changing.now.IsZero() {
		state.Now = changing.now
	}
	if err := readCoupons(ctx, t, &state, withCoupons(run, changing.byID)); err != nil {
		return state, nil, err
	}
	found, err := readKnown(ctx, t, asked, has)
	if err != nil {
		return state, nil, err
	}
	found.addTo(&state)
	for range run {
		state.IDs = append(state.IDs, rand.Text())
	}
	if state.Past, err = readPast(ctx, t, run, changing.byID); err != nil {
		return state, nil, err
	}
	wallets, err := lockWallets(ctx, t, changing.byID)
	state.Balances = wallets.balances()
	return state, wallets, err
}

type slotStateRow struct {
	seatsRow
	Stock    []byte         `db:"stock"`
	Seats    []byte         `db:"seats"`
	Waitlist []byte         `db:"waitlist"`
	Has      pq.StringArray `db:"has"`
}

// selectSlots counts the seats of slots whose rows are locked, in the order given, and returns the ids of what some accounts
// have. It locks the stock of the limited items among some on their days, ordered by day and item, and reads what is left on the
// day $3: whoever locks several keeps that order, so no two turns wait for each other. It makes a row that is missing with the item's daily quantity. The seats may be counted here although the
// statement may wait for a dish: while the slot is locked no other turn takes more of them. What it reads of a stock is no older
// than the lock, because an upsert goes on with the row as it is then.
const selectSlots = `
	WITH stock AS (
		INSERT INTO menu_stock AS m (menu_item_id, service_date, offered, remaining)
		SELECT item.id, ordered.day, item.quantity, item.quantity
		FROM unnest($2::bigint[], $4::date[]) AS ordered (id, day)
		CROSS JOIN LATERAL (
			SELECT i.id, COALESCE(known.remaining, i.daily_quantity) AS quantity
			FROM menu_items i
			LEFT JOIN menu_stock known ON known.menu_item_id = i.id AND known.service_date = ordered.day
			WHERE i.id = ordered.id
			LIMIT 1
		) item
		WHERE item.quantity IS NOT NULL
		ORDER BY ordered.day, item.id
		ON CONFLICT ON CONSTRAINT menu_stock_pk
		DO UPDATE SET remaining = m.remaining
		RETURNING menu_item_id, service_date, remaining
	)
	SELECT seats.held, seats.on_hold,
		(SELECT COALESCE(json_object_agg(menu_item_id, remaining), '{}') FROM stock WHERE service_date = $3::date) AS stock,
		ARRAY(
			SELECT DISTINCT had.id
			FROM (
				SELECT user_id, idempotency_key, $7 * interval '1 microsecond' AS hold
				FROM unnest($5::text[], $6::text[]) AS asked (user_id, idempotency_key)
			) run
			CROSS JOIN LATERAL (` + hadByRun + `) had
		) AS has,
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

// readSeatsAndStock counts the seats of locked slots, and locks and reads what is left of the dishes that the run orders. It
// also returns the ids of the reservations that the accounts have, which readKnown reads.
func readSeatsAndStock(ctx context.Context, t *tx, slots lockedSlots, asked inquiry,
	ordered dishes) (state booking.SlotState, has pq.StringArray, err error) {
	var rows []slotStateRow
	err = t.list(ctx, &rows, t.db.guarded(readSlots, selectSlots), slots.ids(), ordered.items, string(slots.date), ordered.days,
		asked.users, asked.keys, asked.hold.Microseconds())
	if err != nil {
		return state, nil, err
	}
	var waiting [][]byte
	for i, slot := range slots.rows {
		waiting = append(waiting, rows[i].Waitlist)
		state.Slots = append(state.Slots, booking.Occupancy{
			Capacity: slot.Capacity, Held: rows[i].Held, OnHold: rows[i].OnHold, Closed: slot.Closed,
		})
		if state.Slots[i].Seats, err = parseTakenSeats(rows[i].Seats); err != nil {
			return state, nil, err
		}
	}
	if err := json.Unmarshal(rows[0].Stock, &state.Stock); err != nil {
		return state, nil, fmt.Errorf("db: stock: %w", err)
	}
	return state, rows[0].Has, readWaitlist(ctx, t, &state, slots, waiting)
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

// keysOf are the keys of the requests of a run for new reservations; empty for a change, whose key is that of a change.
func keysOf(run []booking.Request) pq.StringArray {
	keys := make(pq.StringArray, len(run))
	for i, req := range run {
		if req.Change == nil {
			keys[i] = req.IdempotencyKey
		}
	}
	return keys
}

// dishes are items on days.
type dishes struct {
	items pq.Int64Array
	days  pq.StringArray
}

// dishesOf are the dishes that a run orders, and those that it may return to the stock, each once, in the order in which they
// come up.
func dishesOf(run []booking.Request, changing map[string]booking.Changing) dishes {
	of := dishes{items: pq.Int64Array{}, days: pq.StringArray{}}
	type dish struct {
		item int64
		day  booking.Date
	}
	seen := map[dish]bool{}
	add := func(item int64, day booking.Date) {
		if !seen[dish{item, day}] {
			seen[dish{item, day}] = true
			of.items, of.days = append(of.items, item), append(of.days, string(day))
		}
	}
	for _, req := range run {
		for _, it := range req.Items {
			add(it.MenuItemID, req.Slot.Date)
		}
	}
	for _, r := range changing {
		for _, line := range r.Lines {
			if line.FromStock {
				add(line.MenuItemID, r.Slot.Date)
			}
		}
	}
	return of
}

type seatsRow struct {
	Held   int `db:"held"`
	OnHold int `db:"on_hold"`
}
