package waiting

import (
	"context"
	"slices"

	"lunchgo/app/booking"
)

// changeResultOf is the answer to somebody who changes a reservation.
func changeResultOf(o booking.Outcome) Result {
	result := resultOf(o)
	result.Changed = o.Err == nil
	return result
}

// parts cuts a run where somebody changes a reservation: each change is a transaction of its own, because it locks
// slots that the others have nothing to do with. The order stays.
func parts(run []booking.Request) [][]booking.Request {
	var parts [][]booking.Request
	for i, req := range run {
		if i == 0 || req.Change != nil || run[i-1].Change != nil {
			parts = append(parts, nil)
		}
		last := len(parts) - 1
		parts[last] = append(parts[last], req)
	}
	return parts
}

// servePart serves some of a run: new reservations together, or one change.
func (s Reservations) servePart(ctx context.Context, turn booking.Turn,
	part []booking.Request) ([]Result, []booking.Occupancy, error) {
	if part[0].Change != nil {
		out, after, err := s.Bookings.ServeChange(ctx, turn, part[0])
		return []Result{changeResultOf(out)}, after, err
	}
	outcomes, after, err := s.Bookings.Serve(ctx, turn, part)
	results := make([]Result, len(outcomes))
	for i, o := range outcomes {
		results[i] = resultOf(o)
	}
	return results, after, err
}

// furtherSeats is how many seats a request takes of a slot, at most, besides those that its diner has. One that
// takes none can come true in a full or closed slot.
func furtherSeats(req booking.Request) int {
	most := 0
	for _, slot := range req.Slots() {
		most = max(most, req.AdditionalSeats(slot))
	}
	return most
}

// keeps says whether a request is for a slot in which its diner has seats: the cache counts those as taken.
func keeps(req booking.Request) bool {
	return req.Change != nil && slices.ContainsFunc(req.Slots(), func(slot booking.SlotKey) bool {
		return slices.Contains(req.Change.From, slot)
	})
}
