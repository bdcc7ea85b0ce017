package db

// guards are the statements that races are decided by. Tests put weaker ones in their place, to show the race that each
// of them prevents.
type guards struct {
	lockSlot          string
	readSlot          string
	lockSlotOf        string
	lockReservation   string
	changeReservation string
	cancelReservation string
	expireHolds       string
	lockAccount       string
	changeWallet      string
	lockCoupon        string
	lockClaims        string
	takeMails         string

	lockSlotNamed      string
	countForChange     string
	lockStockForChange string
	changeTerms        string
	lockWaitlist       string
	claimOffers        string
}

var defaultGuards = guards{
	lockSlot:          lockSlot,
	readSlot:          readSlot,
	lockSlotOf:        lockSlotOf,
	lockReservation:   lockReservation,
	changeReservation: changeReservation,
	cancelReservation: cancelReservation,
	expireHolds:       expireHolds,
	lockAccount:       lockAccount,
	changeWallet:      changeWallet,
	lockCoupon:        lockCoupon,
	lockClaims:        lockClaims,
	takeMails:         takeMails,

	lockSlotNamed:      lockSlotNamed,
	countForChange:     countForChange,
	lockStockForChange: lockStockForChange,
	changeTerms:        changeTerms,
	lockWaitlist:       lockWaitlist,
	claimOffers:        claimOffers,
}

// lockSlot makes the rows of slots of a day that have none, locks them until the transaction ends, and raises their fences;
// all in one statement, in the order of their times: whoever locks several does so in that order, so that no two transactions
// wait for each other. It returns no row of a slot whose fence is higher.
const lockSlot = `
	INSERT INTO slots AS s (restaurant_id, service_date, service_time, capacity, fence)
	SELECT $1, $2::date, at, $4, $5
	FROM unnest($3::time[]) AS turn (at)
	ORDER BY at
	ON CONFLICT ON CONSTRAINT slots_one_per_time
	DO UPDATE SET fence = excluded.fence WHERE s.fence <= excluded.fence
	RETURNING id, capacity, closed`

// readSlot counts the seats of slots whose rows are locked, in the order given, and locks and reads what is left on its day of the limited items
// among some, in ascending order: whoever locks several locks them in that order, so no two turns wait for each other. A
// row that is not there yet is made with the item's daily quantity. The seats may be counted here although the statement
// may wait for a dish: while the slot is locked nobody takes more of them. What it reads of a stock is no older than the
// lock, because an upsert goes on with the row as it is then.
const readSlot = `
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
	FROM unnest($1::bigint[]) WITH ORDINALITY AS slot (id, place)
	CROSS JOIN LATERAL (
		SELECT COALESCE(sum(party_size), 0) AS held,
			COALESCE(sum(party_size) FILTER (WHERE state = 'temporary'), 0) AS on_hold
		FROM occupations
		WHERE slot_id = slot.id AND state IN ` + holdingStates + `
	) seats
	ORDER BY slot.place`

// slotsOf reads the slots of a reservation, in order.
const slotsOf = `
	SELECT s.id, s.capacity, s.closed
	FROM slots s
	WHERE s.id IN (
		SELECT slot_id FROM reservations WHERE id = $1
		UNION ALL
		SELECT slot_id FROM reservation_stays WHERE reservation_id = $1
	)
	ORDER BY s.service_date, s.service_time`

// lockSlotOf locks the slots of a reservation whose hold has expired, in order, until the transaction ends.
const lockSlotOf = slotsOf + `
	FOR NO KEY UPDATE`

// lockReservation locks a reservation's row until the transaction ends. The clock is read outside the locking query,
// because a query's own columns may be worked out before it waits for the lock. Nor are those of other tables, the dishes
// among them, younger than the statement: seen tells whether the diner changed the reservation during the wait, after which
// it has to be read again. Where the change was to another slot, the statement finds no row, but holds the lock.
const lockReservation = `
	SELECT locked.*, clock_timestamp() AS now
	FROM (
		SELECT ` + reservationColumns + `, ` + slotIDs + ` AS slot_ids, r.payment_key, r.payment_kind, p.time_zone,
			(SELECT changes FROM reservations WHERE id = $1) AS seen
		FROM reservations r
		JOIN slots s ON s.id = r.slot_id
		JOIN restaurants p ON p.id = r.restaurant_id
		WHERE r.id = $1
		FOR UPDATE OF r
	) locked`

// changeReservation is a compare-and-set: it writes nothing when the state is not the expected one any more.
const changeReservation = `
	UPDATE reservations
	SET state = $3, paid_amount = $4, refund_amount = $5, payment_key = $6, payment_kind = $7
	WHERE id = $1 AND state = $2`

// cancelReservation is a compare-and-set as well; in the same statement the dishes go back into stock and
// the coupon to its diner. It says how many
// reservations it changed.
const cancelReservation = `
	WITH freed AS (
		UPDATE reservations
		SET state = $3, refund_amount = $4
		WHERE id = $1 AND state = $2
		RETURNING id, slot_id
	),` + giveBack + `
	SELECT count(*) FROM freed`

// expireHolds frees the seats, dishes and coupons of holds that have ended. statement_timestamp is the server's clock in a
// form that an index can be searched by. A reservation that its diner changed while the statement looked for it is left for
// the next one: this one would give back the dishes of before.
const expireHolds = `
	WITH due AS (
		SELECT id, changes
		FROM reservations
		WHERE state = 'temporary' AND hold_expires_at <= statement_timestamp()
		ORDER BY hold_expires_at
		LIMIT $1
		FOR UPDATE SKIP LOCKED
	), freed AS (
		UPDATE reservations r
		SET state = 'expired'
		FROM due
		JOIN reservations seen ON seen.id = due.id AND seen.changes = due.changes
		WHERE r.id = due.id AND r.state = 'temporary'
		RETURNING r.id, r.slot_id
	),` + giveBack + `
	SELECT DISTINCT s.restaurant_id,
		to_char(s.service_date, 'YYYY-MM-DD') AS service_date,
		to_char(s.service_time, 'HH24:MI') AS service_time
	FROM freed
	CROSS JOIN LATERAL (
		SELECT freed.slot_id
		UNION ALL
		SELECT slot_id FROM reservation_stays WHERE reservation_id = freed.id
	) stay
	JOIN slots s ON s.id = stay.slot_id`

// lockAccount locks an account's row until the transaction ends.
const lockAccount = `
	SELECT balance, version
	FROM accounts
	WHERE user_id = $1
	FOR UPDATE`

// changeWallet is a compare-and-set on the account's version. It makes the account with its first entry.
const changeWallet = `
	WITH account AS (
		INSERT INTO accounts AS a (user_id, balance, version)
		VALUES ($1, $3, $4)
		ON CONFLICT (user_id) DO UPDATE SET balance = excluded.balance, version = excluded.version
		WHERE a.version = $2
		RETURNING user_id
	)
	INSERT INTO ledger_entries (user_id, version, amount, kind, reservation_id, idempotency_key, balance_after)
	SELECT user_id, input.version, amount, kind, NULLIF(reservation_id, ''), idempotency_key, balance_after
	FROM account
	CROSS JOIN json_to_recordset($5::json) AS input (
		version bigint, amount bigint, kind text, reservation_id text, idempotency_key text, balance_after bigint)
	ORDER BY input.version
	RETURNING ` + entryColumns
