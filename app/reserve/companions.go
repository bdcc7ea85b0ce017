package reserve

import (
	"context"

	"lunchgo/app/booking"
)

// AddCompanion tells the restaurant what one who comes along has said, on one line. Returns *booking.InvalidError, and
// the errors of ReservationStore.AddCompanion.
func (s *Service) AddCompanion(ctx context.Context, reservationID string, c booking.Companion) error {
	c = booking.Companion{Name: booking.PlainText(c.Name), Allergies: booking.PlainText(c.Allergies)}
	if err := c.Check(); err != nil {
		return err
	}
	return s.Reservations.AddCompanion(ctx, reservationID, c)
}
