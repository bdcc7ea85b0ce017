package reports

import (
	"context"
	"time"

	"github.com/lib/pq"

	"lunchgo/app/booking"
	"lunchgo/db/pg"
)

type soldOutRow struct {
	SlotID  int64
	Seconds *int64 // nil: the first party filled it, or it was full before it opened
}

// soldOutSteps are when covers and named seats of slots, $1, were taken and came free. Seats are those of all who come
// or stay, from when they reserved until their hold ended or they were refunded. When others gave theirs back is not
// stored: they count as if they had had none.
const soldOutSteps = `
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
		SELECT slot_id, id, created_at AS at, party_size AS seats
		FROM had
		WHERE state NOT IN ('cancelled', 'refunded')
		UNION ALL
		SELECT slot_id, id, hold_expires_at, -party_size
		FROM had
		WHERE state = 'expired'
		UNION ALL
		SELECT slot_id, had.id, step.at, step.seats
		FROM had
		JOIN ledger_entries e ON e.reservation_id = had.id AND e.kind = 'refund'
		CROSS JOIN LATERAL (VALUES (had.created_at, had.party_size), (e.created_at, -had.party_size)) AS step (at, seats)
		WHERE had.state = 'refunded'
	)`

// listSoldOut reads when slots had no cover left for the smallest party, $2, for the first time: seconds after their
// opening, or their first reservation.
const listSoldOut = soldOutSteps + `
	SELECT s.id AS slot_id,
		CASE WHEN filling.full_at > COALESCE(s.opens_at, filling.began_at)
			THEN extract(epoch FROM filling.full_at - COALESCE(s.opens_at, filling.began_at))::bigint END AS seconds
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

// seatStep is a party that takes named seats of a slot, or, with fewer than 0 covers, gives them back.
type seatStep struct {
	SlotID           int64
	Capacity, Covers int
	Began            time.Time // when the slot opened, or had its first reservation
	At               time.Time
	Seats            []int64
	Blocked          []int64 // in the slot; since when does not matter
}

// listSeatSteps reads the steps of slots in order: of one moment, those that give seats back come first.
const listSeatSteps = soldOutSteps + `
	SELECT s.id AS slot_id, s.capacity, COALESCE(s.opens_at, min(steps.at) OVER (PARTITION BY s.id)) AS began, steps.at,
		steps.seats AS covers,
		ARRAY(SELECT seat_id FROM reservation_seats WHERE reservation_id = steps.id AND slot_id = s.id) AS seats,
		ARRAY(SELECT seat_id FROM blocked_seats WHERE slot_id = s.id) AS blocked
	FROM steps
	JOIN slots s ON s.id = steps.slot_id
	ORDER BY s.id, steps.at, steps.seats`

// readSoldOut reads when slots had nothing left for any party that the restaurant takes for the first time: no cover,
// or, where seats have names, none that fits. Tables count as they are now, and parties at those that they have now.
func readSoldOut(ctx context.Context, t *pg.Tx, r booking.Restaurant, slots []int64) (soldOut []soldOutRow, err error) {
	if len(r.Seats) == 0 {
		err = t.List(ctx, &soldOut, listSoldOut, pq.Array(slots), r.PartyMin)
		return soldOut, err
	}
	var steps []seatStep
	if err := t.List(ctx, &steps, listSeatSteps, pq.Array(slots)); err != nil {
		return nil, err
	}
	for len(steps) > 0 {
		n := 1
		for n < len(steps) && steps[n].SlotID == steps[0].SlotID {
			n++
		}
		if at := firstFull(r, steps[:n]); !at.IsZero() {
			row := soldOutRow{SlotID: steps[0].SlotID}
			if took := at.Sub(steps[0].Began); took > 0 {
				seconds := int64(took.Round(time.Second) / time.Second)
				row.Seconds = &seconds
			}
			soldOut = append(soldOut, row)
		}
		steps = steps[n:]
	}
	return soldOut, nil
}

// firstFull returns when a slot was full for the first time; zero if it never was.
func firstFull(r booking.Restaurant, steps []seatStep) time.Time {
	held, taken := 0, map[int64]int{}
	for _, id := range steps[0].Blocked {
		taken[id]++
	}
	for _, step := range steps {
		held += step.Covers
		for _, id := range step.Seats {
			if step.Covers > 0 {
				taken[id]++
			} else {
				taken[id]--
			}
		}
		o := booking.Occupancy{Capacity: step.Capacity, Held: held}
		var ids []int64
		for id, parties := range taken { // in any order
			if parties > 0 {
				ids = append(ids, id)
			}
		}
		o.Seats = o.Seats.With(ids)
		if step.Covers > 0 && o.IsFull(r) {
			return step.At
		}
	}
	return time.Time{}
}
