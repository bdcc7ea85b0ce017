package staff

import (
	"context"

	"lunchgo/app/booking"
	"lunchgo/app/web/respond"
	"lunchgo/views"
)

// roomOf is the map of a restaurant with who has which seat in a slot; nil where seats have no names.
func (p *Pages) roomOf(ctx context.Context, v slotView, taken booking.TakenSeats) (*views.Room, error) {
	if len(v.Restaurant.Seats) == 0 {
		return nil, nil
	}
	names, err := p.Bookings.Seated(ctx, v.By, v.key)
	if err != nil {
		return nil, err
	}
	plan := respond.SeatMap(v.Restaurant, taken)
	for i, seat := range plan.Seats {
		if name := names[seat.ID]; name != "" {
			plan.Seats[i].Guests = []views.SeatGuest{{Name: name}}
		}
	}
	return &plan, nil
}
