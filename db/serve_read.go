package db

import (
	"context"
	"crypto/rand"
	"slices"
	"time"

	"github.com/lib/pq"

	"lunchgo/app/booking"
	"lunchgo/db/columns"
	"lunchgo/db/coupons"
	"lunchgo/db/pg"
	dbwallet "lunchgo/db/wallet"
)

// readState reads what Decide needs. These are statements of their own, after the one that locks: READ COMMITTED gives
// each statement a snapshot as it begins, and the locking one begins before it waits. Seats counted in its snapshot
// would miss those given away during the wait.
func readState(ctx context.Context, t *pg.Tx, turn booking.Turn, slots lockedSlots,
	run []booking.Request) (booking.SlotState, dbwallet.Accounts, error) {
	changing, err := readChanging(ctx, t, slots, run)
	if err != nil {
		return booking.SlotState{}, nil, err
	}
	asked := inquiry{stayOf{slots.ids(), slots.date, longestHold(run)}, usersOf(run), keysOf(run)}
	state, has, err := readSeatsAndStock(ctx, t, turn, slots, asked, dishesOf(run, changing.byID))
	if err != nil {
		return state, nil, err
	}
	state.Plan = turn.Seats
	state.Start, state.End, state.Changing = changing.start, changing.end, changing.byID
	if !changing.now.IsZero() {
		state.Now = changing.now
	}
	if err := coupons.Lock(ctx, t, &state, withCoupons(run, changing.byID)); err != nil {
		return state, nil, err
	}
	found, err := readKnown(ctx, t, asked, has)
	if err != nil {
		return state, nil, err
	}
	found.addTo(&state)
	if state.Now.IsZero() {
		state.Now = slots.rows[0].Now
	}
	for range run {
		state.IDs = append(state.IDs, rand.Text())
	}
	if state.Past, err = readPast(ctx, t, run, changing.byID); err != nil {
		return state, nil, err
	}
	wallets, err := lockWallets(ctx, t, changing.byID)
	if err != nil {
		return state, nil, err
	}
	state.Balances = wallets.Balances()
	if state.Cards, err = lockCards(ctx, t, run); err == nil {
		state.FireLimit, err = readFireLimit(ctx, t, turn, run)
	}
	return state, wallets, err
}

// readFireLimit reads how many people may be in the house at once, if a request of the run overrides the plan.
func readFireLimit(ctx context.Context, t *pg.Tx, turn booking.Turn, run []booking.Request) (limit int, err error) {
	if !slices.ContainsFunc(run, booking.Request.Overrides) {
		return 0, nil
	}
	err = t.Get(ctx, &limit, `
		SELECT COALESCE(NULLIF(p.fire_limit, 0),
			(SELECT sum(places) FROM seats WHERE restaurant_id = p.id AND NOT retired), p.capacity)
		FROM restaurants p
		WHERE p.id = $1`, turn.Slot.RestaurantID)
	return limit, err
}

type slotStateRow struct {
	booking.Occupancy // Held, OnHold, Arriving and Seats
	Stock             map[int64]int
	Stop              *string
	Waits             bool // somebody, for seats in the slot
	Has               []string
	HeldUnconfirmed   int // covers on hold for accounts whose address is not confirmed
}

// selectSlots counts the seats of slots whose rows are locked, in the order given, and returns the ids of what some
// accounts have. The seats may be counted here although the statement may wait for a dish: while the slot is locked no
// other turn takes more of them.
//
// A run that orders no dishes, of accounts that are all confirmed, or at a restaurant whose seats have no names, does
// without the part that reads them: the server prepares each part for every run, which takes it longer than to read the
// slot.
func selectSlots(dishes, named, unconfirmed bool) string {
	lock, stock, seats, held := "", noStock, noSeats, "0"
	if dishes {
		lock, stock = lockOrdered, leftOver
	}
	if named {
		seats = columns.TakenSeats + `slot.id` + columns.TakenSeatsEnd
	}
	if unconfirmed {
		held = heldUnconfirmed
	}
	return lock + selectLocked + stock + ` AS stock, ` + held + ` AS held_unconfirmed, ` + seats + ` AS seats` + ofLocked
}

// The parts of selectSlots.
const (
	// lockOrdered locks the stock of the limited items among some on their days, ordered by day and item, and reads what
	// is left on the day $3: whoever locks several keeps that order, so no two turns wait for each other. It makes a row
	// that is missing with the item's daily quantity. What it reads of a stock is no older than the lock, because an
	// upsert goes on with the row as it is then.
	lockOrdered = `
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
		RETURNING menu_item_id, service_date, remaining, unlimited
	), left_over AS (
		SELECT COALESCE(json_object_agg(menu_item_id, remaining), '{}') AS stock
		FROM stock
		WHERE service_date = $3::date AND NOT unlimited
	)`
	leftOver = `(SELECT stock FROM left_over)`
	// noStock names the arguments that it makes no use of: a statement has to have all.
	noStock = `
		CASE WHEN $2::bigint[] IS NOT NULL AND $3::date IS NOT NULL AND $4::date[] IS NOT NULL THEN '{}'::json END`
	noSeats         = `NULL::json`
	heldUnconfirmed = `(
			SELECT COALESCE(sum(party_size), 0)
			FROM occupations o
			WHERE slot_id = slot.id AND state = 'temporary'
				AND (SELECT true FROM users WHERE id = o.user_id AND email_confirmed_at IS NULL LIMIT 1)
				AND (SELECT booked_by IS NULL FROM reservations WHERE id = o.reservation_id LIMIT 1) -- not by staff
		)`
	selectLocked = `
	SELECT seats.held, seats.on_hold, seats.arriving, ` + stopOf + `$8) AS stop,
		ARRAY(
			SELECT DISTINCT had.id
			FROM (
				SELECT user_id, idempotency_key, $7 * interval '1 microsecond' AS hold
				FROM unnest($5::text[], $6::text[]) AS asked (user_id, idempotency_key)
			) run
			CROSS JOIN LATERAL (` + reservationsOfRun + `) had
		) AS has,
		` + somebodyWaits + ` AS waits,
		`
	ofLocked = `
	FROM unnest($1::bigint[]) WITH ORDINALITY AS slot (id, position)
	CROSS JOIN LATERAL (
		SELECT COALESCE(sum(party_size), 0) AS held,
			COALESCE(sum(party_size) FILTER (WHERE state = 'temporary'), 0) AS on_hold,
			COALESCE(sum(party_size) FILTER (WHERE begins), 0) AS arriving
		FROM occupations
		WHERE slot_id = slot.id AND state IN ` + columns.HoldingStates + `
	) seats
	ORDER BY slot.position`
)

// readSeatsAndStock counts the seats of locked slots, and locks and reads what is left of the dishes that the run
// orders. It also returns the ids of the reservations that the accounts have, which readKnown reads.
func readSeatsAndStock(ctx context.Context, t *pg.Tx, turn booking.Turn, slots lockedSlots, asked inquiry,
	ordered dishes) (state booking.SlotState, has pq.StringArray, err error) {
	var rows []slotStateRow
	unconfirmed := slots.rows[0].Unconfirmed
	query := t.Pool.Guarded(ReadSlots, selectSlots(len(ordered.items) > 0, len(turn.Seats) > 0, len(unconfirmed) > 0))
	err = t.List(ctx, &rows, query, slots.ids(), ordered.items, string(slots.date), ordered.days, asked.users,
		asked.keys, asked.hold.Microseconds(), turn.Slot.RestaurantID)
	if err != nil {
		return state, nil, err
	}
	state.Unconfirmed.Users = map[string]bool{}
	for _, id := range unconfirmed {
		state.Unconfirmed.Users[id] = true
	}
	for i, slot := range slots.rows {
		state.Unconfirmed.Held = append(state.Unconfirmed.Held, rows[i].HeldUnconfirmed)
		slot.Held, slot.OnHold, slot.Seats = rows[i].Held, rows[i].OnHold, rows[i].Seats
		slot.Arriving = rows[i].Arriving
		state.Slots = append(state.Slots, stopped(turn.Limited(slot.Occupancy), rows[i].Stop))
	}
	state.Stock = rows[0].Stock
	if slices.ContainsFunc(rows, func(row slotStateRow) bool { return row.Waits }) {
		err = readWaitlist(ctx, t, &state, slots)
	}
	return state, rows[0].Has, err
}

// usersOf are those whose accounts the requests of a run concern. For a guest without an account it is the member of
// staff, whose keys are looked for.
func usersOf(run []booking.Request) pq.StringArray {
	users := make(pq.StringArray, 0, len(run))
	for _, req := range run {
		if req.Guest != nil {
			users = append(users, req.UserID)
		} else {
			users = append(users, req.Diner())
		}
	}
	return users
}

// longestHold is how long the longest hold of a diner of a run lasts; guests of staff are bound by no limit.
func longestHold(run []booking.Request) time.Duration {
	var longest time.Duration
	for _, req := range run {
		if req.Guest == nil {
			longest = max(longest, req.HoldTime)
		}
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

// dishesOf are the dishes that a run orders, and those that it may return to the stock, each once, in the order in
// which they come up.
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
