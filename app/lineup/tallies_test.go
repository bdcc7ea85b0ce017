package lineup

import (
	"slices"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/waiting"
)

// How requests for a slot ended is read from the codes of their results; claims are left out.
func TestTalliesOf_Slots(t *testing.T) {
	t.Parallel()
	slot := booking.SlotKey{RestaurantID: 7, Date: "2030-01-04", Time: "12:00"}
	got := TalliesOf([]waiting.Tally{
		{Line: OfSlot(slot), Reserved: 9, Codes: map[string]int{booking.ErrSoldOut.Code: 1, waiting.ErrLeft.Code: 2,
			waiting.ErrWaitTimeout.Code: 3, booking.ErrDuplicate.Code: 4, booking.ErrClosed.Code: 5}},
		{Line: OfCampaign(5), Reserved: 1},
	})
	if want := (booking.Tally{Slot: slot, Served: 9, SoldOut: 1, Left: 2, TimedOut: 3, Refused: 9}); !slices.Equal(got,
		[]booking.Tally{want}) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
