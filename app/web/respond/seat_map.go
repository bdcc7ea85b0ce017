package respond

import (
	"lunchgo/app/booking"
	"lunchgo/views"
)

// SeatMap is the map of a restaurant with what its seats are in a slot.
func SeatMap(r booking.Restaurant, taken booking.TakenSeats) views.Room {
	room := views.Room{Width: r.Floor.Width, Height: r.Floor.Height}
	for _, f := range r.Floor.Fixtures {
		room.Fixtures = append(room.Fixtures,
			views.Fixture{Kind: f.Kind, X: f.X, Y: f.Y, Width: f.Width, Height: f.Height})
	}
	for _, s := range r.Seats {
		room.Seats = append(room.Seats, views.Seat{
			ID: s.ID, Label: s.Label, Table: s.Kind == booking.TableSeat, Places: s.Places, MinParty: s.MinParty,
			X: s.Area.X, Y: s.Area.Y, Width: s.Area.Width, Height: s.Area.Height,
			State: taken.State(s.ID), Partners: s.Partners,
		})
	}
	return room
}
