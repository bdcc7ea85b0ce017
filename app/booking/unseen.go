package booking

import "time"

// HoldUnseen is how long a hold lasts while its diner has not seen it, unless an installation says otherwise.
const HoldUnseen = 3 * time.Minute

// IsUnseen returns whether the reservation is held for a diner who was away when it was made and has not seen it since.
func (r Reservation) IsUnseen() bool { return r.State == Temporary && !r.SeenExpiresAt.IsZero() }

// See returns the reservation as it is once its diner sees the hold: it lasts in full.
func (r Reservation) See() Reservation {
	if r.IsUnseen() {
		r.HoldExpiresAt, r.SeenExpiresAt = r.SeenExpiresAt, time.Time{}
	}
	return r
}
