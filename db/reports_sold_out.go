package db

type soldOutRow struct {
	SlotID  int64 `db:"slot_id"`
	Seconds int64 `db:"seconds"`
}

// listSoldOut reads when slots had no seat left for the smallest party for the first time: seconds after their opening,
// or their first reservation. Seats are those of all who come or stay, from when they reserved until their hold ended
// or they were refunded. When others gave theirs back is not stored: they count as if they had had none.
const listSoldOut = `
	WITH had AS (
		SELECT s.id AS slot_id, r.id, r.party_size, r.state, r.created_at, r.hold_expires_at
		FROM unnest($1::bigint[]) AS s (id)
		JOIN reservations r ON r.slot_id = s.id
		UNION ALL
		SELECT s.id, r.id, r.party_size, r.state, r.created_at, r.hold_expires_at
		FROM unnest($1::bigint[]) AS s (id)
		JOIN reservation_stays stay ON stay.slot_id = s.id
		JOIN reservations r ON r.id = stay.reservation_id
	),
	steps AS (
		SELECT slot_id, created_at AS at, party_size AS seats
		FROM had
		WHERE state NOT IN ('cancelled', 'refunded')
		UNION ALL
		SELECT slot_id, hold_expires_at, -party_size
		FROM had
		WHERE state = 'expired'
		UNION ALL
		SELECT slot_id, step.at, step.seats
		FROM had
		JOIN ledger_entries e ON e.reservation_id = had.id AND e.kind = 'refund'
		CROSS JOIN LATERAL (VALUES (had.created_at, had.party_size), (e.created_at, -had.party_size)) AS step (at, seats)
		WHERE had.state = 'refunded'
	)
	SELECT s.id AS slot_id, GREATEST(0, extract(epoch FROM filling.full_at - COALESCE(s.opens_at, filling.began_at)))::bigint AS seconds
	FROM (
		SELECT slot_id, min(at) AS began_at, min(at) FILTER (WHERE taken > capacity - $2) AS full_at
		FROM (
			SELECT steps.slot_id, at, s.capacity,
				sum(seats) OVER (PARTITION BY steps.slot_id ORDER BY at, seats ROWS UNBOUNDED PRECEDING) AS taken
			FROM steps
			JOIN slots s ON s.id = steps.slot_id
		) running
		GROUP BY slot_id
	) filling
	JOIN slots s ON s.id = filling.slot_id
	WHERE filling.full_at IS NOT NULL`
