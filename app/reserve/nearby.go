package reserve

import (
	"context"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/cache"
)

// How long the slots near a refused one are kept, and of how many.
const (
	nearbyLife = time.Second
	nearbyMost = 1_000
)

// Nearby offers other slots to those who are refused. A crowd that is refused at the same moment costs one search.
type Nearby struct {
	bookings *Service
	found    cache.Cache[refused, []Slot]
}

type refused struct {
	slot  booking.SlotKey
	visit booking.PartyStay
}

// NewNearby returns a search among the slots of bookings.
func NewNearby(bookings *Service) *Nearby {
	return &Nearby{bookings: bookings, found: cache.Cache[refused, []Slot]{Life: nearbyLife, Most: nearbyMost}}
}

// List returns the open slots nearest to one that was refused to a party. The caller must not change them.
func (n *Nearby) List(ctx context.Context, r booking.Restaurant, slot booking.SlotKey,
	visit booking.PartyStay) ([]Slot, error) {
	return n.found.Load(ctx, refused{slot, visit}, func(ctx context.Context) ([]Slot, error) {
		return n.bookings.Alternatives(ctx, r, slot, visit)
	})
}
