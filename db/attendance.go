package db

import (
	"context"
	"slices"

	"lunchgo/app/booking"
	"lunchgo/db/auditlog"
	"lunchgo/db/columns"
	"lunchgo/db/pg"
)

// Mark marks what became of a party, on behalf of a member of staff. Returns booking.ErrNotFound and the errors of
// booking.Reservation.CheckMark.
func (s *ReservationStore) Mark(ctx context.Context, id string, state booking.State,
	staffID string) (booking.Reservation, error) {
	return s.step(ctx, id, func(ctx context.Context, t *pg.Tx, r lockedReservation) (booking.Reservation, error) {
		if err := r.CheckMark(state, r.Start, r.Now); err != nil {
			return r.Reservation, err
		}
		marked := r.Mark(state, r.Now)
		if err := s.mark(ctx, t, r.State, marked); err != nil {
			return marked, err
		}
		return marked, auditlog.Write(ctx, t, r.act(staffID, "reservation."+string(state),
			map[string]any{"was": r.State}))
	})
}

// Undo takes the mark of a party back, on behalf of a member of staff. Seats that the mark freed are taken again under
// the locks of their slots. Returns booking.ErrNotFound, the errors of booking.Reservation.Undo, and
// booking.ErrSeatsGiven when the seats are gone.
func (s *ReservationStore) Undo(ctx context.Context, id string, mark booking.State,
	staffID string) (booking.Reservation, error) {
	return s.undo(ctx, id, undoing{staffID: staffID, freed: !mark.HoldsSeats(),
		step: func(r lockedReservation) (booking.Reservation, error) { return r.Undo(mark, r.End, r.Now) }})
}

// UndoTo takes the marks of a party back that have followed an earlier state, as Undo does.
func (s *ReservationStore) UndoTo(ctx context.Context, seen booking.Reservation, state booking.State,
	staffID string) (booking.Reservation, error) {
	return s.undo(ctx, seen.ID, undoing{staffID: staffID, freed: !seen.State.HoldsSeats(),
		step: func(r lockedReservation) (booking.Reservation, error) {
			if r.State != seen.State {
				return r.Reservation, booking.ErrWrongState
			}
			return r.UndoTo(state, r.End, r.Now)
		}})
}

// undoing is how marks are taken back.
type undoing struct {
	staffID string
	freed   bool // the marks have freed seats
	step    func(r lockedReservation) (booking.Reservation, error)
}

func (s *ReservationStore) undo(ctx context.Context, id string, u undoing) (booking.Reservation, error) {
	return pg.Within(ctx, s.db, func(ctx context.Context, t *pg.Tx) (undone booking.Reservation, err error) {
		var slots []slotRow
		if u.freed {
			slots, err = listSlotsOf(ctx, t, s.db.Guarded(LockSlotsOf, selectSlotsOf+` FOR NO KEY UPDATE`), id)
			if err != nil {
				return undone, err
			}
		}
		r, err := s.lock(ctx, t, id)
		if err == nil {
			undone, err = u.step(r)
		}
		if err == nil && u.freed {
			err = retakeSeats(ctx, t, slots, r)
		}
		if err == nil {
			err = s.mark(ctx, t, r.State, undone)
		}
		if err != nil {
			return undone, err
		}
		return undone, auditlog.Write(ctx, t,
			r.act(u.staffID, "reservation.undo", map[string]any{"was": r.State, "is": undone.State}))
	})
}

// mark takes a reservation from a state to the one it has now, and stores its attendance. It is a compare-and-set, as
// change is.
func (s *ReservationStore) mark(ctx context.Context, t *pg.Tx, was booking.State, r booking.Reservation) error {
	a := r.Attendance
	return t.Touch(ctx, errChanged, s.db.Guarded(UpdateAttendance, `
		UPDATE reservations
		SET state = $3, arrived_at = $4, seated_at = $5, ended_at = $6, swept = false
		WHERE id = $1 AND state = $2`), r.ID, string(was), string(r.State),
		pg.NullTime(a.ArrivedAt), pg.NullTime(a.SeatedAt), pg.NullTime(a.EndedAt))
}

type retakeRow struct {
	Held int  // of a slot
	Sits bool // the diner has another reservation
	Free bool // the named seats that the party had
}

// retakeSeats returns booking.ErrSeatsGiven unless the seats of a reservation that holds none are still there for it.
// What it says holds while the rows of the slots are locked. The party never left the restaurant's book, so that it
// passes nobody on the waitlist: seats that are only promised count as free.
func retakeSeats(ctx context.Context, t *pg.Tx, slots []slotRow, r lockedReservation) error {
	ids := lockedSlots{rows: slots}.ids()
	if !slices.Equal(ids, r.SlotIDs) {
		return errChanged
	}
	var rows []retakeRow
	err := t.List(ctx, &rows, `
		SELECT seats.held, seats.sits, `+seatsAreStillFree+` AS free
		FROM unnest($1::bigint[]) WITH ORDINALITY AS slot (id, place)
		CROSS JOIN LATERAL (
			SELECT COALESCE(sum(party_size), 0) AS held, COALESCE(bool_or(user_id = $2), false) AS sits
			FROM occupations
			WHERE slot_id = slot.id AND state IN `+columns.HoldingStates+`
		) seats
		ORDER BY slot.place`, ids, r.UserID, r.ID)
	if err != nil {
		return err
	}
	for i, row := range rows {
		if row.Sits || !row.Free || row.Held+r.PartySize > slots[i].Capacity {
			return booking.ErrSeatsGiven
		}
	}
	return nil
}

// CompleteStays completes up to limit reservations of parties that are there and whose stay has ended by the database's
// clock, and returns their slots, each once. A party that was seated stays for booking.OverstayGrace, unless somebody
// else has been seated at its table. Several instances may call it at once: each passes over the rows that another
// holds.
func (s *ReservationStore) CompleteStays(ctx context.Context, limit int) ([]booking.SlotKey, error) {
	return s.sweep(ctx, completeStays, limit, booking.OverstayGrace.Microseconds())
}

// ListOverstayed returns the named seats of a restaurant at which parties sit whose stay has ended by the database's
// clock, ascending.
func (s *ReservationStore) ListOverstayed(ctx context.Context, restaurantID int64) ([]int64, error) {
	return pg.List[int64](ctx, s.db, `
		SELECT DISTINCT n.seat_id
		FROM reservations r
		JOIN slots s ON s.id = r.slot_id
		JOIN restaurants p ON p.id = r.restaurant_id
		JOIN reservation_seats n ON n.reservation_id = r.id
		WHERE r.state = 'seated' AND s.restaurant_id = $1 AND `+columns.EndOfStay+` <= statement_timestamp()
		ORDER BY n.seat_id`, restaurantID)
}

// completeStays looks at parties that are there only, of which there are few.
const completeStays = `
	WITH due AS (
		SELECT r.id
		FROM reservations r
		JOIN slots s ON s.id = r.slot_id
		JOIN restaurants p ON p.id = r.restaurant_id
		CROSS JOIN LATERAL (SELECT ` + columns.EndOfStay + ` AS stay_end OFFSET 0) has
		WHERE r.state IN ('arrived', 'seated') AND stay_end <= statement_timestamp()
			AND (r.state = 'arrived' OR stay_end <= statement_timestamp() - $2 * interval '1 microsecond'
				OR EXISTS (
					SELECT
					FROM reservation_seats mine
					JOIN reservation_seats theirs ON theirs.seat_id = mine.seat_id
					JOIN reservations later ON later.id = theirs.reservation_id
					WHERE mine.reservation_id = r.id AND later.slot_id IN (
						SELECT id FROM slots WHERE restaurant_id = s.restaurant_id AND service_date >= s.service_date
					) AND later.state = 'seated' AND later.seated_at > r.seated_at
				))
		ORDER BY r.ordinal
		LIMIT $1
		FOR UPDATE OF r SKIP LOCKED
	), freed AS (
		UPDATE reservations r
		SET state = 'completed', ended_at = clock_timestamp(), swept = true
		FROM due
		WHERE r.id = due.id AND r.state IN ('arrived', 'seated')
		RETURNING r.id, r.slot_id
	)` + slotsOfFreed
