package reserve

import (
	"context"

	"lunchgo/app/booking"
	"lunchgo/app/team"
)

// Stop stops all new reservations of a restaurant, or lets them go on.
type Stop struct {
	RestaurantID int64
	From         booking.Date // today, where it is
	Stopped      bool
	Reason       string // for diners; none when it goes on
	StaffID      string
	Preview      bool // nothing is stored
}

// StopBookings stops all new reservations of a restaurant until it goes on again: those who wait are answered as in a
// closed slot, those who have a reservation keep it. With preview it changes nothing, and returns whom that touches.
// Returns ErrForbidden, ErrNotFound and *InvalidError.
func (s *Service) StopBookings(ctx context.Context, by team.Staff, stop Stop) (Affected, error) {
	if err := by.Check(stop.RestaurantID, team.StopBookings); err != nil {
		return Affected{}, err
	}
	stop.Reason = booking.PlainText(stop.Reason)
	if faults := booking.CheckText("reason", stop.Reason, booking.MaxReasonRunes); len(faults) > 0 {
		return Affected{}, &booking.InvalidError{Fields: faults}
	}
	if !stop.Stopped {
		stop.Reason = ""
	}
	r, err := s.Catalog.FindRestaurant(ctx, stop.RestaurantID)
	if err != nil {
		return Affected{}, err
	}
	stop.StaffID, stop.From = by.UserID(), booking.DateOf(s.Now(), r.Location)
	affected, slots, err := s.Slots.SetStopped(ctx, stop)
	if err != nil {
		return Affected{}, err
	}
	affected.Waiting = s.countWaiting(ctx, slots)
	if !stop.Preview {
		s.forget(stop.RestaurantID)
		s.refresh(slots)
	}
	return affected, nil
}

// forget makes this process read a restaurant again; others do so within moments.
func (s *Service) forget(restaurantID int64) {
	if cached, ok := s.Catalog.(interface{ Forget(restaurantID int64) }); ok {
		cached.Forget(restaurantID)
	}
}
