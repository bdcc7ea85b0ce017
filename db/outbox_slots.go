package db

import (
	"context"

	"github.com/lib/pq"
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
func (s *OutboxStore) AnnounceSlots(ctx context.Context) (announced int, err error) {
	var touched bool
	if err := s.db.get(ctx, &touched, `SELECT EXISTS (SELECT FROM touched_days)`); err != nil || !touched {
		return 0, err
	}
	err = s.db.inTx(ctx, func(ctx context.Context, t *tx) error {
		announced = 0
		var alone bool
		err := t.get(ctx, &alone, t.db.guarded(announceAlone, announceLock))
		if err != nil || !alone {
			return err
		}
		var restaurants pq.Int64Array
		var dates pq.StringArray
		if err := t.listTouched(ctx, &restaurants, &dates); err != nil || len(dates) == 0 {
			return err
		}
		slots, err := t.lockAnnouncedOtherwise(ctx, restaurants, dates)
		if err == nil && len(slots) > 0 {
			announced, err = t.announceSoldOut(ctx, slots)
		}
		return err
	})
	return announced, err
}

// listTouched takes the days that were noted, each once.
func (t *tx) listTouched(ctx context.Context, restaurants *pq.Int64Array, dates *pq.StringArray) error {
	var rows []struct {
		RestaurantID int64  `db:"restaurant_id"`
		Date         string `db:"service_date"`
	}
	err := t.list(ctx, &rows, `
		WITH touched AS (
			DELETE FROM touched_days
			WHERE id IN (SELECT id FROM touched_days ORDER BY id LIMIT $1)
			RETURNING restaurant_id, service_date
		)
		SELECT DISTINCT restaurant_id, to_char(service_date, 'YYYY-MM-DD') AS service_date
		FROM touched`, maxTouched)
	for _, row := range rows {
		*restaurants, *dates = append(*restaurants, row.RestaurantID), append(*dates, row.Date)
	}
	return err
}

// lockAnnouncedOtherwise locks the slots of some days that have an event to come. It finds them without locks, for
// which turns would have to wait, and locks the few that there are in the order in which turns do.
func (t *tx) lockAnnouncedOtherwise(ctx context.Context, restaurants pq.Int64Array,
	dates pq.StringArray) (slots pq.Int64Array, err error) {
	err = t.list(ctx, &slots, `
		SELECT s.id
		FROM unnest($1::bigint[], $2::date[]) AS day (restaurant_id, service_date)
		JOIN slots s ON s.restaurant_id = day.restaurant_id AND s.service_date = day.service_date
		WHERE `+announcedOtherwise, restaurants, dates)
	if err != nil || len(slots) == 0 {
		return nil, err
	}
	_, err = t.exec(ctx, `
		SELECT FROM slots
		WHERE id = ANY ($1)
		ORDER BY service_date, service_time
		FOR NO KEY UPDATE`, slots)
	return slots, err
}

// announcedOtherwise says whether the last event of a slot s said something else than what is so now: that it has no
// seat left.
const announcedOtherwise = `(
				SELECT COALESCE(sum(o.party_size), 0) >= s.capacity
				FROM occupations o
				WHERE o.slot_id = s.id AND o.state IN ` + holdingStates + `
			) <> EXISTS (SELECT FROM sold_out_slots WHERE slot_id = s.id)`

// changeSoldOut notes of slots that are locked whether they are sold out, and returns those of which it was noted
// otherwise.
const changeSoldOut = `
	WITH differ AS MATERIALIZED (
		SELECT s.id, EXISTS (SELECT FROM sold_out_slots WHERE slot_id = s.id) AS was_sold_out
		FROM slots s
		WHERE s.id = ANY ($1) AND ` + announcedOtherwise + `
	), sold_out AS (
		INSERT INTO sold_out_slots (slot_id)
		SELECT id FROM differ WHERE NOT was_sold_out
	), reopened AS (
		DELETE FROM sold_out_slots
		WHERE slot_id IN (SELECT id FROM differ WHERE was_sold_out)
	)
	SELECT id, CASE WHEN was_sold_out THEN 'reopened' ELSE 'sold_out' END AS event
	FROM differ`

// announceSoldOut writes the events of slots that are locked.
func (t *tx) announceSoldOut(ctx context.Context, slots pq.Int64Array) (int, error) {
	var rows []struct {
		ID    int64  `db:"id"`
		Event string `db:"event"`
	}
	if err := t.list(ctx, &rows, changeSoldOut, slots); err != nil || len(rows) == 0 {
		return 0, err
	}
	var ids pq.Int64Array
	var kinds pq.StringArray
	for _, row := range rows {
		ids, kinds = append(ids, row.ID), append(kinds, row.Event)
	}
	_, err := t.exec(ctx, `
		SELECT write_slot_event(id, kind)
		FROM unnest($1::bigint[], $2::text[]) AS slot (id, kind)`, ids, kinds)
	return len(rows), err
}
