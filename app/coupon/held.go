package coupon

import (
	"time"

	"lunchgo/app/booking"
)

// Held is a coupon that a person has, with the campaign that gave it out.
type Held struct {
	Claim
	Campaign Campaign
	Slot     booking.SlotKey // of the reservation for which it is used
}

// UsableAt says whether the coupon is free, and may be used at a time.
func (h Held) UsableAt(now time.Time) bool {
	return h.ReservationID == "" && now.Before(h.Campaign.ValidUntil)
}
