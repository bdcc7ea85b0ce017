package reserve

import (
	"context"

	"lunchgo/app/booking"
	"lunchgo/app/team"
)

// Staff returns somebody as staff of a restaurant. Returns ErrNotFound when they do not work there.
func (s *Service) Staff(ctx context.Context, userID string, restaurantID int64) (team.Staff, error) {
	return team.Find(ctx, s.Members, userID, restaurantID)
}

// StaffOf returns a reservation, and somebody as staff of its restaurant. Returns ErrNotFound when there is none, or
// they do not work there.
func (s *Service) StaffOf(ctx context.Context, userID, reservationID string) (team.Staff, booking.Reservation, error) {
	res, err := s.Reservations.Find(ctx, reservationID)
	if err != nil {
		return team.Staff{}, booking.Reservation{}, err
	}
	by, err := s.Staff(ctx, userID, res.RestaurantID)
	if err != nil {
		return team.Staff{}, booking.Reservation{}, err
	}
	return by, res, nil
}
