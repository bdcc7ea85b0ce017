package db

// guards are the statements that races are decided by. Tests put weaker ones in their place, to show the race that each
// of them prevents.
type guards struct {
	lockSlot          string
	lockReservation   string
	changeReservation string
	expireHolds       string
	findEntry         string
}

var defaultGuards = guards{
	lockSlot:          lockSlot,
	lockReservation:   lockReservation,
	changeReservation: changeReservation,
	expireHolds:       expireHolds,
	findEntry:         findEntry,
}

// lockSlot makes the slot's row if there is none, locks it until the transaction ends, and raises its fence; all in one
// statement. It returns no row when the fence is lower than one that was served before.
const lockSlot = `
	INSERT INTO slots AS s (restaurant_id, service_date, service_time, capacity, fence)
	VALUES ($1, $2::date, $3::time, $4, $5)
	ON CONFLICT ON CONSTRAINT slots_one_per_time
	DO UPDATE SET fence = excluded.fence WHERE s.fence <= excluded.fence
	RETURNING id, capacity, closed`

// lockReservation locks a reservation's row until the transaction ends. The clock is read outside the locking query,
// because a query's own columns may be worked out before it waits for the lock.
const lockReservation = `
	SELECT locked.*, clock_timestamp() AS now
	FROM (
		SELECT ` + reservationColumns + `, r.slot_id, r.payment_key, r.payment_kind, p.time_zone
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

// expireHolds frees the seats of holds that have ended. statement_timestamp is the server's clock in a form that an index
// can be searched by.
const expireHolds = `
	WITH due AS (
		SELECT id
		FROM reservations
		WHERE state = 'temporary' AND hold_expires_at <= statement_timestamp()
		ORDER BY hold_expires_at
		LIMIT $1
		FOR UPDATE SKIP LOCKED
	), expired AS (
		UPDATE reservations r
		SET state = 'expired'
		FROM due
		WHERE r.id = due.id AND r.state = 'temporary'
		RETURNING r.slot_id
	)
	SELECT DISTINCT s.restaurant_id,
		to_char(s.service_date, 'YYYY-MM-DD') AS service_date,
		to_char(s.service_time, 'HH24:MI') AS service_time
	FROM expired
	JOIN slots s ON s.id = expired.slot_id`

// findEntry finds what was written before under a key of the ledger.
const findEntry = `
	SELECT ` + entryColumns + `
	FROM ledger_entries
	WHERE user_id = $1 AND idempotency_key = $2`
