package staff

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/app/web/respond"
	"lunchgo/views"
)

// readEvery is how often an open board is read again. However many look at it, it is read once.
const readEvery = time.Second

type boardKey struct {
	restaurantID int64
	date         booking.Date
}

// picture is a board at one moment.
type picture struct {
	place // of the first who looked at it
	at    time.Time
	slots []views.StaffSlot
}

// newBoards are the boards that somebody looks at.
func newBoards(bookings *reserve.Service, log *slog.Logger) *respond.Feeds[boardKey, picture] {
	return &respond.Feeds[boardKey, picture]{
		Every: readEvery,
		Same:  func(a, b picture) bool { return slices.Equal(a.slots, b.slots) },
		Read: func(ctx context.Context, key boardKey, last picture) (picture, error) {
			slots, err := readSlots(ctx, bookings, last.place, key.date)
			if err != nil && !errors.Is(ctx.Err(), context.Canceled) {
				log.Warn("a board is not read", "restaurant", key.restaurantID, "error", err)
			}
			return picture{last.place, bookings.Now().In(last.Restaurant.Location), slots}, err
		},
	}
}

// readSlots reads a day's slots as staff see them, from the database.
func readSlots(ctx context.Context, bookings *reserve.Service, w place, date booking.Date) ([]views.StaffSlot, error) {
	r := w.Restaurant
	known, err := bookings.Occupancies(ctx, w.By, r, date)
	if err != nil {
		return nil, err
	}
	var keys []booking.SlotKey
	var slots []views.StaffSlot
	for at, o := range known {
		start, err := r.Start(date, at)
		if err != nil {
			continue // a slot of opening hours that have changed since
		}
		keys = append(keys, booking.SlotKey{RestaurantID: r.ID, Date: date, Time: at})
		slots = append(slots, staffSlot(start, bookings.Now(), o, r.PartyMin))
	}
	for i, waiting := range countWaiting(ctx, bookings, keys) {
		slots[i].Waiting = waiting
	}
	slices.SortFunc(slots, func(a, b views.StaffSlot) int { return a.At.Compare(b.At) })
	return slots, nil
}

// countWaiting says how many wait in the line of each slot. When the lines do not answer, nobody is said to wait: the
// evening has to be run all the same.
func countWaiting(ctx context.Context, bookings *reserve.Service, slots []booking.SlotKey) []int {
	waiting, err := bookings.Lines.Lengths(ctx, slots)
	if err != nil {
		bookings.Log.Warn("line lengths are not known", "error", err)
		return make([]int, len(slots))
	}
	return waiting
}

// staffSlot is a slot as staff see it at now; a slot is over once it has begun, and sold out when not even the smallest
// party fits.
func staffSlot(start, now time.Time, o booking.Occupancy, smallest int) views.StaffSlot {
	slot := views.StaffSlot{At: start, State: views.SlotOpen, Capacity: o.Capacity,
		Confirmed: o.Held - o.OnHold, Temporary: o.OnHold, Left: o.Remaining(), Listed: o.Waitlisted}
	switch {
	case !now.Before(start):
		slot.State = views.SlotOver
	case o.Closed:
		slot.State = views.SlotClosed
	case slot.Left < smallest:
		slot.State = views.SlotSoldOut
	}
	return slot
}
