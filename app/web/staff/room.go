package staff

import (
	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/app/web/respond"
	"lunchgo/views"
)

// roomOf is the map of a restaurant with who has which seat in a slot; nil where seats have no names.
func roomOf(r booking.Restaurant, taken booking.TakenSeats, guests []reserve.Guest) *views.Room {
	if len(r.Seats) == 0 {
		return nil
	}
	names := map[int64]string{}
	for _, guest := range guests {
		for _, seat := range guest.Seats {
			if guest.State.HoldsSeats() {
				names[seat.ID] = guest.Name
			}
		}
	}
	plan := respond.SeatMap(r, taken)
	for i, seat := range plan.Seats {
		plan.Seats[i].Guest = names[seat.ID]
	}
	return &plan
}
