package db

// takenSeats reads the named seats that reservations hold in a slot, or that staff have blocked there. The id of the
// slot follows, and takenSeatsEnd. The reservation of each is looked up by its key, also in a plan that was made while
// the tables were empty.
const (
	takenSeats = `(
			SELECT json_agg(json_build_object('id', taken.seat_id, 'onHold', taken.on_hold, 'blocked', taken.blocked)
				ORDER BY taken.seat_id)
			FROM (SELECT `
	takenSeatsEnd = ` AS slot_id) here
			CROSS JOIN LATERAL (
				SELECT n.seat_id, holder.state = 'temporary' AS on_hold, false AS blocked
				FROM reservation_seats n
				CROSS JOIN LATERAL (
					SELECT state
					FROM reservations
					WHERE id = n.reservation_id
					LIMIT 1
				) holder
				WHERE n.held AND n.slot_id = here.slot_id
				UNION ALL
				SELECT seat_id, false, true
				FROM blocked_seats
				WHERE slot_id = here.slot_id
			) taken
		)`
)

// seatsAreStillFree says of the reservation $3, which has ended, whether its named seats are still free, and not
// blocked.
const seatsAreStillFree = `
			NOT EXISTS (
				SELECT
				FROM reservation_seats mine
				JOIN reservation_seats theirs ON theirs.slot_id = mine.slot_id AND theirs.seat_id = mine.seat_id AND theirs.held
				WHERE mine.reservation_id = $3
				UNION ALL
				SELECT
				FROM reservation_seats mine
				JOIN blocked_seats b ON b.slot_id = mine.slot_id AND b.seat_id = mine.seat_id
				WHERE mine.reservation_id = $3
			)`
