package db

import (
	"context"
	"fmt"
	"time"

	"github.com/lib/pq"

	"lunchgo/app/booking"
	"lunchgo/db/catalog"
	"lunchgo/db/columns"
	"lunchgo/db/pg"
)

// stayOf are the slots of a stay, in order, and how long a hold there lasts.
type stayOf struct {
	slots pq.Int64Array
	day   booking.Date
	hold  time.Duration
}

// known is what accounts have that bears on a stay.
type known struct {
	now        time.Time // by the database's clock; it and the next two are zero if the accounts have nothing
	start, end time.Time // of the stay
	diners     map[string]booking.Diner
	inSlot     map[string][]booking.Reservation // by user id: what holds seats in one of the slots
	byKey      map[booking.Submission]booking.Reservation
}

type knownRow struct {
	booking.Reservation
	TimeZone                   string
	Offered, Confirmed, InSlot bool
	Now                        time.Time
	AskedZone                  string
	AskedLength                int // of the restaurant's slots, in minutes
	AskedTimes                 []booking.TimeOfDay
}

// reservationsOfRun reads the ids of what was made under the key of a diner or a member of staff, run, in any slot; of
// what the diner has; and of those holds of the diner that have expired in the time for which a hold lasts. The lookups
// are written one by one for each diner, so that the plan is one of lookups in the indexes also when it was made while
// the tables were empty.
const reservationsOfRun = `
		(SELECT id FROM reservations
		WHERE user_id = run.user_id AND idempotency_key = run.idempotency_key
		LIMIT 1)
		UNION ALL
		(SELECT id FROM reservations
		WHERE booked_by = run.user_id AND idempotency_key = run.idempotency_key
		LIMIT 1)
		UNION ALL
		SELECT id FROM reservations
		WHERE user_id = run.user_id AND state NOT IN ('expired', 'cancelled', 'completed', 'no_show', 'refunded')
		UNION ALL
		SELECT id FROM reservations
		WHERE user_id = run.user_id AND state = 'expired' AND hold_expires_at > statement_timestamp() - run.hold`

// selectKnown reads, of the reservations $1, those that were made under one of some keys; that can overlap a stay,
// wherever, or that a limit counts; and the expired ones. Dates differ by two days at most between time zones.
const selectKnown = `
	SELECT found.*, place.time_zone AS asked_zone, place.slot_minutes AS asked_length, place.times AS asked_times,
		clock_timestamp() AS now
	FROM unnest($1::text[]) AS had (id)
	CROSS JOIN LATERAL (
		SELECT ` + columns.Reservation + `,
			(SELECT time_zone FROM restaurants WHERE id = r.restaurant_id) AS time_zone,
			COALESCE((SELECT email_confirmed_at IS NOT NULL FROM users WHERE id = r.user_id), false) AS confirmed,
			(SELECT true FROM waitlist_entries WHERE reservation_id = r.id LIMIT 1) IS NOT NULL AS offered,
			r.slot_id = ANY ($3::bigint[])
				OR (SELECT true FROM reservation_stays WHERE reservation_id = r.id AND slot_id = ANY ($3) LIMIT 1) IS NOT NULL
				OR r.state = 'expired' AND (SELECT true FROM reservation_changes
					WHERE reservation_id = r.id AND from_slot_id = ANY ($3) LIMIT 1) IS NOT NULL AS in_slot
		FROM reservations r
		JOIN slots s ON s.id = r.slot_id
		WHERE r.id = had.id AND (r.state IN ('temporary', 'expired') OR r.idempotency_key = ANY ($2::text[])
			OR s.service_date BETWEEN $4::date - 2 AND $4::date + 2 OR r.paid_amount = 0 AND s.service_date >= current_date - 2)
		LIMIT 1
	) found
	CROSS JOIN LATERAL (
		SELECT p.time_zone, p.slot_minutes, ARRAY(
			SELECT to_char(service_time, 'HH24:MI') FROM slots WHERE id = ANY ($3) ORDER BY service_time) AS times
		FROM slots first
		JOIN restaurants p ON p.id = first.restaurant_id
		WHERE first.id = ($3)[1]
		LIMIT 1
	) place`

// inquiry asks what accounts have that bears on a stay, and what was made under their keys, one for each; empty for
// none.
type inquiry struct {
	stayOf
	users, keys pq.StringArray
}

// readKnown reads what accounts have, by the ids that a statement with reservationsOfRun has found after their rows
// were locked. It sends nothing if they have nothing.
func readKnown(ctx context.Context, t *pg.Tx, asked inquiry, has pq.StringArray) (known, error) {
	found := known{diners: map[string]booking.Diner{}, inSlot: map[string][]booking.Reservation{},
		byKey: map[booking.Submission]booking.Reservation{}}
	if len(has) == 0 {
		return found, nil
	}
	var rows []knownRow
	err := t.List(ctx, &rows, selectKnown, has, asked.keys, asked.slots, string(asked.day))
	for _, row := range rows {
		if err == nil {
			err = found.add(t.Pool, row)
		}
	}
	if err == nil && len(rows) > 0 {
		found.now = rows[0].Now
		times := rows[0].AskedTimes
		slot := booking.SlotKey{Date: asked.day, Time: times[0]}
		found.start, found.end, err = periodOf(rows[0].AskedZone, rows[0].AskedLength, slot, times[1:])
	}
	return found, err
}

// readDiners reads what the accounts of users have, whose rows are locked.
func readDiners(ctx context.Context, t *pg.Tx, asked stayOf, users ...string) (known, error) {
	var has pq.StringArray
	err := t.List(ctx, (*[]string)(&has), `
		SELECT DISTINCT had.id
		FROM (
			SELECT user_id, '' AS idempotency_key, $2 * interval '1 microsecond' AS hold
			FROM unnest($1::text[]) AS asked (user_id)
		) run
		CROSS JOIN LATERAL (`+reservationsOfRun+`) had`, pq.StringArray(users), asked.hold.Microseconds())
	if err != nil {
		return known{}, err
	}
	return readKnown(ctx, t, inquiry{stayOf: asked, keys: pq.StringArray{}}, has)
}

// addTo puts what is known into the state that a run is decided by.
func (k known) addTo(state *booking.SlotState) {
	state.Diners, state.Live, state.Repeats = k.diners, k.inSlot, k.byKey
	if state.Now.IsZero() {
		state.Now = k.now
	}
	if !k.start.IsZero() {
		state.Start, state.End = k.start, k.end
	}
}

// add notes a reservation of a diner.
func (k known) add(db *pg.Pool, row knownRow) (err error) {
	r := row.Reservation
	if r.BookedBy != "" {
		k.byKey[booking.Submission{UserID: r.BookedBy, IdempotencyKey: r.IdempotencyKey, ByStaff: true}] = r
		return nil
	}
	k.byKey[booking.Submission{UserID: r.UserID, IdempotencyKey: r.IdempotencyKey}] = r
	diner := k.diners[r.UserID]
	diner.Confirmed = row.Confirmed
	switch {
	case r.State.HoldsSeats():
		visit := booking.HeldVisit{ReservationID: r.ID, State: r.State, Offered: row.Offered, Unpaid: r.Unpaid()}
		visit.Start, visit.End, err = periodOf(row.TimeZone, r.SlotMinutes, r.Slot, r.Stay)
		diner.Visits = append(diner.Visits, visit)
		if row.InSlot {
			k.inSlot[r.UserID] = append(k.inSlot[r.UserID], r)
		}
	case r.State == booking.Expired && !row.Offered && row.InSlot && r.HoldExpiresAt.After(diner.HoldEnded):
		diner.HoldEnded = r.HoldExpiresAt
	}
	k.diners[r.UserID] = diner
	return err
}

// periodOf returns when a stay begins and ends at a restaurant in a zone whose slots have a length in minutes: with its
// last slot, in which the party has its seats though it may leave earlier.
func periodOf(timeZone string, length int, slot booking.SlotKey,
	stay []booking.TimeOfDay) (start, end time.Time, err error) {
	zone, err := catalog.LoadZone(timeZone)
	if err != nil {
		return start, end, err
	}
	r := booking.Restaurant{Location: zone, Settings: booking.Settings{SlotMinutes: length}}
	if start, err = r.Start(slot.Date, slot.Time); err == nil {
		end, err = r.End(slot, stay)
	}
	if err != nil {
		err = fmt.Errorf("db: the time of %v: %w", slot, err)
	}
	return start, end, err
}
