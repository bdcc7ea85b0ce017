package waiting

import (
	"slices"

	"lunchgo/app/booking"
)

// furtherSeats is how many seats a request takes of a slot, at most, besides those that its diner has. One that
// takes none can come true in a full or closed slot.
func furtherSeats(req booking.Request) int {
	most := 0
	for _, slot := range req.Slots() {
		most = max(most, req.AdditionalSeats(slot))
	}
	return most
}

// isChangeWithin says whether a request is for a slot in which its diner has seats: the cache counts those as taken.
func isChangeWithin(req booking.Request) bool {
	return req.Change != nil && slices.ContainsFunc(req.Slots(), func(slot booking.SlotKey) bool {
		return slices.Contains(req.Change.From, slot)
	})
}
