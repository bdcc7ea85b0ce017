package respond

import (
	"lunchgo/app/booking"
	"lunchgo/views"
)

// SeatMap is the map of a restaurant with what its seats are in a slot.
func SeatMap(r booking.Restaurant, taken booking.TakenSeats) views.Room {
	room := views.Room{Floor: r.Floor}
	for _, s := range r.Seats {
		room.Seats = append(room.Seats, views.Seat{Seat: s, State: taken.State(s.ID)})
	}
	return room
}
