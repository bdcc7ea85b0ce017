package outbox

import (
	"context"

	"github.com/lib/pq"

	"lunchgo/app/booking"
	"lunchgo/db/catalog"
	"lunchgo/db/columns"
	"lunchgo/db/pg"
)

// maxTouched is how many touched days are looked at in one transaction.
const maxTouched = 500

// announceLock says whether no other transaction announces, and keeps others from it until this one ends.
const announceLock = `SELECT pg_try_advisory_xact_lock(hashtext('lunchgo: sold-out slots'))`

// AnnounceSlots writes an event for each slot that has sold out, or has seats again, since the last time, and returns
// how many.
//
// Seats come free without the lock of their slot, so the transaction that takes or frees some cannot know whether the
// slot is full now. It notes the day instead. Here, after its commit, the seats of that day's slots are counted:
// whatever changes later is noted once more. One process at a time does so, or a count that is older could be announced
// last.
func (s *Store) AnnounceSlots(ctx context.Context) (int, error) {
	touched, err := pg.One[bool](ctx, s.db, `SELECT EXISTS (SELECT FROM touched_days)`)
	if err != nil || !touched {
		return 0, err
	}
	return pg.Within(ctx, s.db, func(ctx context.Context, t *pg.Tx) (int, error) {
		alone, err := pg.One[bool](ctx, t, t.Pool.Guarded(AnnounceAlone, announceLock))
		if err != nil || !alone {
			return 0, err
		}
		var restaurants pq.Int64Array
		var dates pq.StringArray
		if err := listTouched(ctx, t, &restaurants, &dates); err != nil || len(dates) == 0 {
			return 0, err
		}
		slots, err := lockAnnouncedOtherwise(ctx, t, restaurants, dates)
		if err != nil || len(slots) == 0 {
			return 0, err
		}
		return announceSoldOut(ctx, t, slots)
	})
}

// listTouched takes the days that were noted, each once.
func listTouched(ctx context.Context, t *pg.Tx, restaurants *pq.Int64Array, dates *pq.StringArray) error {
	var rows []booking.SlotKey
	err := t.List(ctx, &rows, `
		WITH touched AS (
			DELETE FROM touched_days
			WHERE id IN (SELECT id FROM touched_days ORDER BY id LIMIT $1)
			RETURNING restaurant_id, service_date
		)
		SELECT DISTINCT restaurant_id, to_char(service_date, 'YYYY-MM-DD') AS date
		FROM touched`, maxTouched)
	for _, row := range rows {
		*restaurants, *dates = append(*restaurants, row.RestaurantID), append(*dates, string(row.Date))
	}
	return err
}

// slotFilling is a slot as its events see it.
type slotFilling struct {
	ID           int64
	RestaurantID int64
	booking.Occupancy
	WasSoldOut bool // as its last event says
}

// selectFilling reads slots s; which ones follows.
const selectFilling = `
	SELECT s.id, s.restaurant_id, s.capacity,
		(
			SELECT COALESCE(sum(o.party_size), 0)
			FROM occupations o
			WHERE o.slot_id = s.id AND o.state IN ` + columns.HoldingStates + `
		) AS held,
		` + columns.TakenSeats + `s.id` + columns.TakenSeatsEnd + ` AS seats,
		EXISTS (SELECT FROM sold_out_slots WHERE slot_id = s.id) AS was_sold_out
	FROM `

// lockAnnouncedOtherwise locks the slots of some days that have an event to come. It finds them without locks, for
// which turns would have to wait, and locks the few that there are in the order in which turns do.
func lockAnnouncedOtherwise(ctx context.Context, t *pg.Tx, restaurants pq.Int64Array,
	dates pq.StringArray) (slots pq.Int64Array, err error) {
	var rows []slotFilling
	err = t.List(ctx, &rows, selectFilling+`unnest($1::bigint[], $2::date[]) AS day (restaurant_id, service_date)
		JOIN slots s ON s.restaurant_id = day.restaurant_id AND s.service_date = day.service_date`, restaurants, dates)
	if err != nil {
		return nil, err
	}
	rows, err = announcedOtherwise(ctx, t, rows)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	for _, row := range rows {
		slots = append(slots, row.ID)
	}
	_, err = t.Exec(ctx, `
		SELECT FROM slots
		WHERE id = ANY ($1)
		ORDER BY service_date, service_time
		FOR NO KEY UPDATE`, slots)
	return slots, err
}

// announcedOtherwise returns those slots of which the last event said something else than what is so now.
func announcedOtherwise(ctx context.Context, t *pg.Tx, rows []slotFilling) ([]slotFilling, error) {
	var ids pq.Int64Array
	for _, row := range rows {
		ids = append(ids, row.RestaurantID)
	}
	restaurants, err := listSeating(ctx, t, ids)
	if err != nil {
		return nil, err
	}
	var differ []slotFilling
	for _, row := range rows {
		// Seats that are promised to the waitlist count as free: nobody has them yet.
		if row.IsFull(restaurants[row.RestaurantID]) != row.WasSoldOut {
			differ = append(differ, row)
		}
	}
	return differ, nil
}

// listSeating reads which parties some restaurants take, and their plans, by id.
func listSeating(ctx context.Context, t *pg.Tx, ids pq.Int64Array) (map[int64]booking.Restaurant, error) {
	byID := func(r booking.Restaurant) (int64, booking.Restaurant) { return r.ID, r }
	return pg.Mapped(ctx, t, byID, `
		SELECT p.id, p.party_min, p.party_max, `+catalog.RestaurantSeats+` AS seats
		FROM restaurants p
		WHERE p.id = ANY ($1)`, ids)
}

// announceSoldOut notes of slots that are locked whether they are sold out, and writes the events of those of which it
// was noted otherwise.
func announceSoldOut(ctx context.Context, t *pg.Tx, slots pq.Int64Array) (int, error) {
	var rows []slotFilling
	if err := t.List(ctx, &rows, selectFilling+`slots s
		WHERE s.id = ANY ($1)`, slots); err != nil {
		return 0, err
	}
	rows, err := announcedOtherwise(ctx, t, rows)
	if err != nil || len(rows) == 0 {
		return 0, err
	}
	var soldOut, reopened pq.Int64Array
	for _, row := range rows {
		if row.WasSoldOut {
			reopened = append(reopened, row.ID)
		} else {
			soldOut = append(soldOut, row.ID)
		}
	}
	_, err = t.Exec(ctx, `
		WITH reopened AS (
			DELETE FROM sold_out_slots
			WHERE slot_id = ANY ($2)
		)
		INSERT INTO sold_out_slots (slot_id)
		SELECT unnest($1::bigint[])`, soldOut, reopened)
	if err != nil {
		return 0, err
	}
	_, err = t.Exec(ctx, `
		SELECT write_slot_event(id, kind)
		FROM (
			SELECT unnest($1::bigint[]) AS id, 'sold_out' AS kind
			UNION ALL
			SELECT unnest($2::bigint[]), 'reopened'
		) slot`, soldOut, reopened)
	return len(rows), err
}
