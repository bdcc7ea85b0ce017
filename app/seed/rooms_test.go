package seed

import (
	"testing"
	"time"

	"lunchgo/db/dbtest"
)

// A room that names seats has one for every cover, and each of its seats has its place on the map, beside no other.
func TestRooms_AreWhole(t *testing.T) {
	t.Parallel()
	rooms := 0
	all, err := houses(time.UTC)
	dbtest.Must(t, err)
	for _, h := range all {
		r := h.Restaurant
		places, ids := 0, []int64{}
		for i, seat := range r.Seats {
			places, ids = places+seat.Places, append(ids, seat.ID)
			a := seat.Area
			if a.X+a.Width > r.Floor.Width || a.Y+a.Height > r.Floor.Height {
				t.Errorf("%s: seat %s stands outside", r.Slug, seat.Label)
			}
			for _, other := range r.Seats[:i] {
				b := other.Area
				if a.X < b.X+b.Width && b.X < a.X+a.Width && a.Y < b.Y+b.Height && b.Y < a.Y+a.Height {
					t.Errorf("%s: seats %s and %s stand in one place", r.Slug, other.Label, seat.Label)
				}
			}
		}
		if len(ids) == 0 {
			continue
		}
		rooms++
		if places != r.Capacity || r.Seats.Places(ids) != places {
			t.Errorf("%s: %d places for %d covers", r.Slug, places, r.Capacity)
		}
		for party := r.PartyMin; party <= r.PartyMax; party++ {
			if !r.Seats.CanSeat(nil, party) {
				t.Errorf("%s: a party of %d can sit nowhere", r.Slug, party)
			}
		}
	}
	if rooms < 3 {
		t.Errorf("%d rooms", rooms)
	}
}
