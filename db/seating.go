package db

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
