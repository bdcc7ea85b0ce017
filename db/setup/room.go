package setup

import (
	"context"
	"fmt"
	"slices"

	"github.com/lib/pq"

	"lunchgo/app/booking"
	"lunchgo/app/setup"
	"lunchgo/db/catalog"
	"lunchgo/db/pg"
)

// FindRoom implements setup.ContentStore.
func (s *ContentStore) FindRoom(ctx context.Context, restaurantID int64) (setup.Room, error) {
	return pg.Within(ctx, s.db, func(ctx context.Context, t *pg.Tx) (setup.Room, error) {
		return readRoom(ctx, t, restaurantID)
	})
}

func readRoom(ctx context.Context, t *pg.Tx, restaurantID int64) (setup.Room, error) {
	var r booking.Restaurant
	err := t.Get(ctx, &r, `SELECT `+catalog.RestaurantSeats+` AS seats, p.floor FROM restaurants p WHERE p.id = $1`,
		restaurantID)
	if err != nil {
		return setup.Room{}, pg.OrNotFound(err, booking.ErrNotFound)
	}
	room := setup.Room{Seats: make([]setup.Seat, 0, len(r.Seats)),
		Floor: setup.Floor{Width: r.Floor.Width, Height: r.Floor.Height,
			Fixtures: append([]booking.Fixture{}, r.Floor.Fixtures...)}}
	for _, seat := range r.Seats {
		partners := []string{}
		for _, id := range seat.Partners {
			if partner, ok := r.Seats.Find(id); ok {
				partners = append(partners, partner.Label)
			}
		}
		room.Seats = append(room.Seats, setup.Seat{ID: seat.ID, Label: seat.Label, Kind: seat.Kind,
			Places: seat.Places, MinParty: seat.MinParty, Area: seat.Area, Partners: partners})
	}
	return room, err
}

// PutRoom implements setup.ContentStore.
func (s *ContentStore) PutRoom(ctx context.Context, w setup.Write, room setup.Room) (setup.Room, error) {
	document := storedDocument[setup.Room]{action: "setup.seats", read: readRoom,
		changed: func(of, other setup.Room) any { return changedSeats(of, other) }}
	return document.put(ctx, s.db, w, func(ctx context.Context, t *pg.Tx, was setup.Room) error {
		if err := checkSeats(ctx, t, w.RestaurantID, was, room); err != nil {
			return err
		}
		return replaceRoom(ctx, t, w.RestaurantID, room)
	})
}

// checkSeats returns *booking.InvalidError for seats that the restaurant does not have, and *setup.HeldSeatsError for
// those that coming reservations would lose.
func checkSeats(ctx context.Context, t *pg.Tx, restaurantID int64, was, room setup.Room) error {
	var invalid booking.InvalidError
	for i, seat := range room.Seats {
		if seat.ID != 0 && seatOf(was, seat.ID) == nil {
			invalid.Fields = append(invalid.Fields,
				booking.FieldError{Field: fmt.Sprintf("seats[%d].id", i), Reason: "unknown"})
		}
	}
	if len(invalid.Fields) > 0 {
		return &invalid
	}
	var changed pq.Int64Array
	for _, seat := range was.Seats {
		if now := seatOf(room, seat.ID); now == nil || now.Places < seat.Places {
			changed = append(changed, seat.ID)
		}
	}
	if len(changed) == 0 {
		return nil
	}
	held, err := listHeldSeats(ctx, t, restaurantID, changed)
	if err != nil {
		return err
	}
	if lost := lostSeats(held, room); len(lost) > 0 {
		return &setup.HeldSeatsError{Held: lost}
	}
	return nil
}

func seatOf(room setup.Room, id int64) *setup.Seat {
	at := slices.IndexFunc(room.Seats, func(s setup.Seat) bool { return s.ID == id })
	if at < 0 {
		return nil
	}
	return &room.Seats[at]
}

type heldSeatRow struct {
	setup.HeldSeat
	Together []int64 // all seats that the reservation holds in the slot
}

// listHeldSeats returns which of some seats are held from today on, in the order of the slots.
func listHeldSeats(ctx context.Context, t *pg.Tx, restaurantID int64, seats pq.Int64Array) ([]heldSeatRow, error) {
	return pg.List[heldSeatRow](ctx, t, `
		SELECT n.seat_id, seat.label, n.reservation_id, r.party_size,
			to_char(s.service_date, 'YYYY-MM-DD') AS date, to_char(s.service_time, 'HH24:MI') AS time,
			ARRAY(SELECT seat_id FROM reservation_seats WHERE reservation_id = n.reservation_id
				AND slot_id = n.slot_id) AS together
		FROM restaurants p
		JOIN slots s ON s.restaurant_id = p.id AND s.service_date >= (clock_timestamp() AT TIME ZONE p.time_zone)::date
		JOIN reservation_seats n ON n.slot_id = s.id AND n.held
		JOIN seats seat ON seat.id = n.seat_id
		JOIN reservations r ON r.id = n.reservation_id
		WHERE p.id = $1 AND n.seat_id = ANY ($2)
		ORDER BY s.service_date, s.service_time, n.seat_id`, restaurantID, seats)
}

// lostSeats are the held seats that a room does not have any more, or that would leave their party without enough
// places.
func lostSeats(held []heldSeatRow, room setup.Room) (lost []setup.HeldSeat) {
	for _, row := range held {
		places := 0
		for _, id := range row.Together {
			if seat := seatOf(room, id); seat != nil {
				places += seat.Places
			}
		}
		if seatOf(room, row.SeatID) == nil || places < row.PartySize {
			lost = append(lost, row.HeldSeat)
		}
	}
	return lost
}

// replaceRoom stores the seats. A seat that was retired comes back under its label; one that stays retired makes room
// for another that takes its label.
func replaceRoom(ctx context.Context, t *pg.Tx, restaurantID int64, room setup.Room) error {
	floor := booking.Floor{Width: room.Floor.Width, Height: room.Floor.Height, Fixtures: room.Floor.Fixtures}
	if err := catalog.PutFloor(ctx, t, restaurantID, floor); err != nil {
		return err
	}
	var known pq.Int64Array
	var renamed, labels, partners pq.StringArray
	for _, seat := range room.Seats {
		if seat.ID != 0 {
			known, renamed = append(known, seat.ID), append(renamed, seat.Label)
		}
		for _, partner := range seat.Partners {
			labels, partners = append(labels, seat.Label), append(partners, partner)
		}
	}
	if _, err := t.Exec(ctx, `
		UPDATE seats
		SET retired = true, label = CASE WHEN id = ANY ($2) OR label = ANY ($3) THEN label || ' #' || id ELSE label END
		WHERE restaurant_id = $1 AND (NOT retired OR label = ANY ($3))`, restaurantID, known, renamed); err != nil {
		return err
	}
	if _, err := t.Exec(ctx, `
		UPDATE seats s
		SET label = new.label
		FROM unnest($2::bigint[], $3::text[]) AS new (id, label)
		WHERE s.restaurant_id = $1 AND s.id = new.id`, restaurantID, known, renamed); err != nil {
		return err
	}
	for i, seat := range room.Seats {
		stored := booking.Seat{Label: seat.Label, Kind: seat.Kind, Places: seat.Places, MinParty: seat.MinParty,
			Area: seat.Area}
		if err := catalog.PutSeat(ctx, t, restaurantID, i+1, stored); err != nil {
			return err
		}
	}
	return catalog.PutPartners(ctx, t, restaurantID, labels, partners)
}

// changedSeats are the labels and sizes of the seats of a room that another does not have just so.
func changedSeats(of, other setup.Room) []map[string]any {
	changed := []map[string]any{}
	for _, seat := range of.Seats {
		now := seatOf(other, seat.ID)
		if now == nil || now.Label != seat.Label || now.Places != seat.Places || now.Area != seat.Area ||
			now.Kind != seat.Kind ||
			now.MinParty != seat.MinParty || !slices.Equal(now.Partners, seat.Partners) {
			changed = append(changed, map[string]any{"id": seat.ID, "label": seat.Label, "places": seat.Places,
				"area": seat.Area})
		}
	}
	return changed
}
