package db

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/lib/pq"

	"lunchgo/app/booking"
	"lunchgo/db/pg"
	"lunchgo/db/rowlock"
)

// errOtherSlots says that a request is in a run for other slots than its own.
var errOtherSlots = errors.New("db: the request is for other slots than the turn")

// Serve decides a run in five round trips, for one request as for sixty-four, in one slot as in three: begin; lock the
// slots and the accounts; count the seats, lock the dishes and look for what the accounts have; write what was decided;
// commit. There is one more to read what the accounts have, if they have something, one to lock coupons, if any is
// asked for, and one to read the waitlist, if somebody waits. A run that changes reservations takes four more for all
// its changes: to read them, to lock the wallets of those who have paid, to free what is old before what is new is
// written, and to move the difference.
//
// One request whose data are refused (a person this database does not know, a key that was used in another slot a
// moment ago) must not fail the others: the run is then served in halves, in order, until that request stands alone
// with its error. Requests that were served in an earlier half find their reservation again when the run is repeated.
func (s *SlotStore) Serve(ctx context.Context, turn booking.Turn, run []booking.Request) ([]booking.Outcome,
	[]booking.Occupancy, error) {
	outcomes, after, err := s.serve(ctx, turn, run)
	var refused *pg.RefusedError
	if !errors.As(err, &refused) {
		return outcomes, after, err
	}
	if len(run) == 1 {
		_, after, err = s.serve(ctx, turn, nil)
		out := booking.Outcome{Request: run[0], Err: refused.Err}
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

// serve decides a run in one transaction. Returns *pg.RefusedError when the run's data were refused.
func (s *SlotStore) serve(ctx context.Context, turn booking.Turn, run []booking.Request) ([]booking.Outcome,
	[]booking.Occupancy, error) {
	if slices.ContainsFunc(run, func(req booking.Request) bool { return !slices.Equal(req.Slots(), turn.Slots()) }) {
		return nil, nil, &pg.RefusedError{Err: errOtherSlots}
	}
	var outcomes []booking.Outcome
	var after []booking.Occupancy
	err := s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		slots, err := lockRun(ctx, t, turn, run)
		if err != nil {
			return err
		}
		state, wallets, err := readState(ctx, t, turn, slots, run)
		if err == nil {
			state.Limits = s.Limits
			outcomes, after = booking.Decide(state, run)
			err = writeOutcomes(ctx, t, decided{slots: slots, turn: turn, outcomes: outcomes, stock: state.Stock,
				wallets: wallets, cards: state.Cards, fireLimit: state.FireLimit})
		}
		return t.Pool.Refused(err)
	})
	if err != nil {
		return nil, nil, err
	}
	return outcomes, after, nil
}

// slotColumns are those of a slotRow, and lockedColumns with the clock as it is once the row is locked.
const (
	slotFields    = `id, capacity, closed, paused, reason, notice, opens_at`
	slotColumns   = slotFields + `, opening_order = 'draw' AS draw`
	lockedColumns = slotColumns + `, clock_timestamp() AS now`
)

// slotRow is a slot as staff have set it, without anybody in it.
type slotRow struct {
	ID int64
	booking.Occupancy
	Now         time.Time      // by the database's clock, after the row was locked
	Unconfirmed pq.StringArray // of the accounts that were locked with the slots, those whose address is not confirmed
}

// areShut says whether one of some locked slots is closed, paused, or not open yet.
func areShut(slots []slotRow) bool {
	return slices.ContainsFunc(slots, func(slot slotRow) bool {
		return slot.Closed || slot.Waits(slot.Now) != nil
	})
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
func lockRun(ctx context.Context, t *pg.Tx, turn booking.Turn, run []booking.Request) (lockedSlots, error) {
	if slices.ContainsFunc(run, isChange) {
		return lockChanges(ctx, t, turn, run)
	}
	return lockTurn(ctx, t, turn, usersOf(run)...)
}

// lockTurn locks the slots of a turn until the transaction ends and raises their fences. One statement does so, and
// makes the rows that are missing, in the order of their times: whoever locks several slots keeps that order, so that
// no two transactions wait for each other. It yields no row of a slot whose fence is higher. Returns
// *booking.StaleFenceError when a later turn was served in one of the slots.
//
// The same statement locks the accounts of users, as rowlock.Users does: after the slots, because it looks for them
// only once the rows of those are counted.
func lockTurn(ctx context.Context, t *pg.Tx, turn booking.Turn, users ...string) (lockedSlots, error) {
	times := timesOfStay(turn.Slot, turn.Stay)
	slots := lockedSlots{date: turn.Slot.Date, times: times}
	err := t.List(ctx, &slots.rows, t.Pool.Guarded(LockSlots, t.Pool.Guarded(rowlock.LockUsers, `
		WITH locked AS (
			INSERT INTO slots AS s (restaurant_id, service_date, service_time, capacity, fence)
			SELECT $1, $2::date, at, $4, $5
			FROM unnest($3::time[]) AS turn (at)
			ORDER BY at
			ON CONFLICT ON CONSTRAINT slots_one_per_time
			DO UPDATE SET fence = excluded.fence WHERE s.fence <= excluded.fence
			RETURNING `+lockedColumns+`
		), `+lockAccounts+`
		SELECT `+slotFields+`, draw, now, `+unconfirmedAccounts+`
		FROM locked`)),
		turn.Slot.RestaurantID, string(turn.Slot.Date), timeArray(times), turn.Capacity, turn.Fence,
		rowlock.InOrder(users))
	if err == nil && len(slots.rows) < len(times) {
		err = staleFence(ctx, t, turn)
	}
	return slots, err
}

const (
	// lockAccounts locks the accounts $6 once the slots are locked.
	lockAccounts = `accounts AS (
			SELECT u.id, u.unconfirmed
			FROM unnest($6::text[]) AS run (id)
			CROSS JOIN LATERAL (
				SELECT id, email_confirmed_at IS NULL AS unconfirmed
				FROM users
				WHERE id = run.id AND (SELECT count(*) FROM locked) > 0
				LIMIT 1
				FOR NO KEY UPDATE
			) u
		)`
	// unconfirmedAccounts are of the accounts those whose address is not confirmed. To read them is what locks them.
	unconfirmedAccounts = `ARRAY(SELECT id FROM accounts WHERE unconfirmed) AS unconfirmed`
)

// staleFence returns the *booking.StaleFenceError of a turn whose fence was refused.
func staleFence(ctx context.Context, t *pg.Tx, turn booking.Turn) error {
	var stored int64
	err := t.Get(ctx, &stored, `
		SELECT max(fence)
		FROM slots
		WHERE restaurant_id = $1 AND service_date = $2 AND service_time = ANY ($3::time[])`,
		turn.Slot.RestaurantID, string(turn.Slot.Date), timeArray(timesOfStay(turn.Slot, turn.Stay)))
	if err != nil {
		return err
	}
	return &booking.StaleFenceError{Stored: stored}
}
