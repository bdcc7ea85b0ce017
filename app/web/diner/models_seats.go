package diner

import (
	"context"
	"slices"
	"strconv"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/web/respond"
	"lunchgo/views"
)

// sitting is a party that comes for some slots.
type sitting struct {
	restaurant booking.Restaurant
	slots      []booking.SlotKey
	at         time.Time
	party      int
}

// picker lets a party choose among the seats that are free.
func (v sitting) picker(lang string, taken booking.TakenSeats) views.SeatPicker {
	plan := respond.SeatMap(v.restaurant, taken)
	return views.SeatPicker{
		Lang: lang, Slug: v.restaurant.Slug, At: v.at, Stay: len(v.slots), Party: v.party, Room: plan,
		Suggested: plan.Labels(v.restaurant.Seats.Best(taken, v.party)),
	}
}

// seatPicker is the part of the booking form in which seats are chosen; nil where they have no names. It asks no
// database.
func (s *Pages) seatPicker(ctx context.Context, lang string, p submission, date booking.Date,
	party int) *views.SeatPicker {
	r := p.restaurant
	if len(r.Seats) == 0 {
		return nil
	}
	none := &views.SeatPicker{Lang: lang, Slug: r.Slug, Party: party}
	at, err := booking.ParseTimeOfDay(p.form.Time)
	if err != nil {
		return none
	}
	start, err := r.Start(date, at)
	if err != nil {
		return none
	}
	draft, _ := draftOf(r, p.form)
	draft.PartySize = party
	slots, err := s.Bookings.SlotsOf(ctx, draft, booking.SlotKey{RestaurantID: r.ID, Date: date, Time: at})
	if err != nil {
		return none
	}
	taken, err := s.Bookings.TakenSeats(ctx, r, slots)
	if err != nil {
		return none
	}
	picker := sitting{r, slots, start, party}.picker(lang, taken.With(p.seats.Taken))
	for i := range picker.Room.Seats {
		seat := &picker.Room.Seats[i]
		seat.Chosen = seat.For(party) && slices.Contains(p.form.Seats, strconv.FormatInt(seat.ID, 10))
	}
	return &picker
}

// labelsOf name seats of a restaurant.
func labelsOf(r booking.Restaurant, ids []int64) []string {
	return respond.SeatMap(r, nil).Labels(ids)
}
