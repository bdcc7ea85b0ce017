package db

import (
	"context"

	"lunchgo/app/booking"
	"lunchgo/db/columns"
	"lunchgo/db/pg"
)

// ListDue implements reserve.WaitlistStore.
func (s *WaitlistStore) ListDue(ctx context.Context) ([]booking.SlotKey, error) {
	return pg.List[booking.SlotKey](ctx, s.db, `
		SELECT s.restaurant_id, to_char(s.service_date, 'YYYY-MM-DD') AS date,
			to_char(s.service_time, 'HH24:MI') AS time
		FROM (
			SELECT slot_id, min(party_size) AS party_size
			FROM (
				SELECT slot_id, party_size
				FROM waitlist_entries
				WHERE state = 'waiting'
				UNION ALL
				SELECT need.slot_id, 1 -- the first free seat is kept
				FROM waitlist_entries e
				CROSS JOIN LATERAL (
					SELECT e.slot_id
					UNION ALL
					SELECT slot_id FROM waitlist_stays WHERE entry_id = e.id
				) need
				WHERE e.state = 'waiting' AND e.passes >= $2 AND e.keeps < $3 AND e.keep_before > now()
			) due
			GROUP BY slot_id
		) w
		JOIN slots s ON s.id = w.slot_id
		JOIN restaurants p ON p.id = s.restaurant_id
		CROSS JOIN LATERAL (
			SELECT COALESCE(sum(o.party_size), 0) AS held
			FROM occupations o
			WHERE o.slot_id = s.id AND o.state IN `+columns.HoldingStates+`
		) seats
		WHERE NOT s.closed AND NOT s.paused AND p.stopped_at IS NULL AND COALESCE(s.opens_at <= now(), true)
				AND s.capacity - seats.held >= w.party_size
			OR (s.service_date + s.service_time) AT TIME ZONE p.time_zone
				< now() + greatest(p.lead_minutes, $1) * interval '1 minute'`, int(booking.LeastOfferTime.Minutes()),
		booking.MaxPasses, booking.MaxKeeps)
}
