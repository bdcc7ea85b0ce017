package db

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/lib/pq"

	"lunchgo/app/booking"
)

// The limits of an account are decided under the lock of its row in users. It comes after the rows of slots and before that
// of a reservation; whoever locks several takes them in ascending order. Whatever adds to what an account has takes it: turns,
// changes, offers of the waitlist and late payments. It does not clash with the lock of a foreign key.

// lockDiners locks accounts until the transaction ends.
func lockDiners(ctx context.Context, t *tx, users ...string) error {
	_, err := t.exec(ctx, t.db.guarded(lockUsers, `
		SELECT FROM users
		WHERE id = ANY ($1::text[])
		ORDER BY id
		FOR NO KEY UPDATE`), pq.StringArray(users))
	return err
}

// dinersOf reads, as one JSON value, what the limits look at: of accounts asked.users, for slots asked.slots of one restaurant
// on asked.day whose holds last for asked.hold. The lookups are written one by one, for the reason that readRepeats gives. Of
// what an account has it reads what can overlap, wherever, and what counts; dates differ by two days at most between time zones.
const dinersOf = `
	SELECT json_build_object('now', clock_timestamp(), 'timeZone', place.time_zone, 'slotMinutes', place.slot_minutes, 'diners', (
		SELECT json_agg(json_build_object(
			'id', u.id,
			'confirmed', u.email_confirmed_at IS NOT NULL,
			'visits', (
				SELECT json_agg(json_build_object(
					'id', r.id, 'state', r.state, 'restaurantId', r.restaurant_id,
					'date', s.service_date, 'time', to_char(s.service_time, 'HH24:MI'), 'stay', ARRAY(
						SELECT to_char(further.service_time, 'HH24:MI')
						FROM reservation_stays stay
						JOIN slots further ON further.id = stay.slot_id
						WHERE stay.reservation_id = r.id
						ORDER BY further.service_time
					),
					'timeZone', p.time_zone, 'slotMinutes', p.slot_minutes,
					'offered', EXISTS (SELECT FROM waitlist_entries WHERE reservation_id = r.id),
					'inSlot', r.slot_id = ANY (asked.slots) OR EXISTS (
						SELECT FROM reservation_stays WHERE reservation_id = r.id AND slot_id = ANY (asked.slots)),
					'deposit', r.deposit_amount, 'use', r.discount_use, 'discount', r.discount_amount, 'paid', r.paid_amount
				) ORDER BY s.service_date, s.service_time)
				FROM reservations r
				CROSS JOIN LATERAL (SELECT service_date, service_time FROM slots WHERE id = r.slot_id LIMIT 1) s
				CROSS JOIN LATERAL (SELECT time_zone, slot_minutes FROM restaurants WHERE id = r.restaurant_id LIMIT 1) p
				WHERE r.user_id = u.id AND r.state IN ` + holdingStates + `
					AND (r.state = 'temporary' OR s.service_date BETWEEN asked.day - 2 AND asked.day + 2
						OR r.paid_amount = 0 AND s.service_date >= current_date - 2)
			),
			'holdEnded', (
				SELECT max(r.hold_expires_at)
				FROM reservations r
				WHERE r.user_id = u.id AND r.state = 'expired' AND r.hold_expires_at > statement_timestamp() - asked.hold
					AND NOT EXISTS (SELECT FROM waitlist_entries WHERE reservation_id = r.id)
					AND (r.slot_id = ANY (asked.slots)
						OR EXISTS (SELECT FROM reservation_stays WHERE reservation_id = r.id AND slot_id = ANY (asked.slots))
						OR EXISTS (SELECT FROM reservation_changes WHERE reservation_id = r.id AND from_slot_id = ANY (asked.slots)))
			)))
		FROM unnest(asked.users) AS run (user_id)
		CROSS JOIN LATERAL (SELECT id, email_confirmed_at FROM users WHERE id = run.user_id LIMIT 1) u
	))
	FROM slots first
	JOIN restaurants place ON place.id = first.restaurant_id
	WHERE first.id = asked.slots[1]`

type dinersJSON struct {
	Now time.Time `json:"now"`
	placeJSON
	Diners []struct {
		ID        string      `json:"id"`
		Confirmed bool        `json:"confirmed"`
		Visits    []visitJSON `json:"visits"`
		HoldEnded time.Time   `json:"holdEnded"`
	} `json:"diners"`
}

type placeJSON struct {
	TimeZone    string `json:"timeZone"`
	SlotMinutes int    `json:"slotMinutes"`
}

type visitJSON struct {
	placeJSON
	ID           string              `json:"id"`
	State        booking.State       `json:"state"`
	RestaurantID int64               `json:"restaurantId"`
	Date         booking.Date        `json:"date"`
	Time         booking.TimeOfDay   `json:"time"`
	Stay         []booking.TimeOfDay `json:"stay"`
	Offered      bool                `json:"offered"`
	InSlot       bool                `json:"inSlot"`
	Deposit      int64               `json:"deposit"`
	Use          booking.DiscountUse `json:"use"`
	Discount     int64               `json:"discount"`
	Paid         int64               `json:"paid"`
}

// diners are accounts as the limits see them, by id, for a stay in some slots.
type diners struct {
	now    time.Time // by the database's clock
	place  placeJSON
	known  map[string]booking.Diner
	inSlot map[string]booking.Reservation // by user id: what holds seats in one of the slots; its id and state only
}

// parseDiners reads the value of dinersOf.
func (db *DB) parseDiners(raw []byte) (diners, error) {
	var read dinersJSON
	if err := json.Unmarshal(raw, &read); err != nil {
		return diners{}, fmt.Errorf("db: diners: %w", err)
	}
	found := diners{now: read.Now, place: read.placeJSON, known: map[string]booking.Diner{}, inSlot: map[string]booking.Reservation{}}
	for _, row := range read.Diners {
		diner := booking.Diner{Confirmed: row.Confirmed, HoldEnded: row.HoldEnded}
		for _, has := range row.Visits {
			visit, err := db.visitOf(has)
			if err != nil {
				return diners{}, err
			}
			diner.Visits = append(diner.Visits, visit)
			if has.InSlot {
				found.inSlot[row.ID] = booking.Reservation{ID: has.ID, UserID: row.ID, State: has.State}
			}
		}
		found.known[row.ID] = diner
	}
	return found, nil
}

func (db *DB) visitOf(has visitJSON) (booking.Visit, error) {
	reserved := booking.Reservation{State: has.State, DepositAmount: has.Deposit, PaidAmount: has.Paid,
		Discount: booking.Discount{Use: has.Use, Amount: has.Discount}}
	visit := booking.Visit{ReservationID: has.ID, State: has.State, Offered: has.Offered, Unpaid: reserved.Unpaid()}
	var err error
	visit.Start, visit.End, err = db.periodOf(has.placeJSON, booking.SlotKey{RestaurantID: has.RestaurantID, Date: has.Date, Time: has.Time}, has.Stay)
	return visit, err
}

// periodOf returns when a stay at a restaurant begins and ends.
func (db *DB) periodOf(place placeJSON, slot booking.SlotKey, stay []booking.TimeOfDay) (start, end time.Time, err error) {
	zone, err := db.zone(place.TimeZone)
	if err != nil {
		return start, end, err
	}
	r := booking.Restaurant{Location: zone, SlotMinutes: place.SlotMinutes}
	if start, err = r.Start(slot.Date, slot.Time); err == nil {
		end, err = r.End(slot, stay)
	}
	if err != nil {
		err = fmt.Errorf("db: the time of %v: %w", slot, err)
	}
	return start, end, err
}

// readDiners reads accounts whose rows are locked, for a stay in slots whose holds last for a time. It is a statement of its
// own after the one that locks, as in readState.
func readDiners(ctx context.Context, t *tx, asked stayOf, users ...string) (diners, error) {
	var raw []byte
	err := t.get(ctx, &raw, `
		SELECT (`+dinersOf+`)
		FROM (SELECT $1::bigint[] AS slots, $2::date AS day, $3::text[] AS users, $4 * interval '1 microsecond' AS hold) asked`,
		asked.slots, string(asked.day), pq.StringArray(users), asked.hold.Microseconds())
	if err != nil {
		return diners{}, err
	}
	return t.db.parseDiners(raw)
}

// stayOf are the slots of a stay, in order, and how long a hold there lasts.
type stayOf struct {
	slots pq.Int64Array
	day   booking.Date
	hold  time.Duration
}
