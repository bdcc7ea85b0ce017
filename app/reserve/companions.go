package reserve

import (
	"context"

	"lunchgo/app/booking"
	"lunchgo/app/token"
)

// CompanionLinks seals the links that a diner hands to those who come along: whoever has one sees when and where, and
// may tell the restaurant an allergy, but cannot read which reservation it is. Every server process must have the same
// key.
type CompanionLinks struct{ sealer token.Sealer }

// NewCompanionLinks derives the keys from the installation's secrets.
func NewCompanionLinks(secrets token.Secrets) CompanionLinks {
	return CompanionLinks{token.NewSealer(secrets, "lunchgo companion link v2")}
}

// Seal returns the token of a reservation's link, the same each time, as text that is safe in a URL.
func (l CompanionLinks) Seal(reservationID string) string { return l.sealer.Seal(reservationID) }

// Read returns the reservation that a token was sealed for. Returns ErrNotFound for anything else.
func (l CompanionLinks) Read(text string) (string, error) {
	id, ok := l.sealer.Open(text)
	if !ok {
		return "", booking.ErrNotFound
	}
	return id, nil
}

// AddCompanion tells the restaurant what one who comes along has said, on one line. Returns *booking.InvalidError, and
// the errors of ReservationStore.AddCompanion.
func (s *Service) AddCompanion(ctx context.Context, reservationID string, c booking.Companion) error {
	c = booking.Companion{Name: booking.PlainText(c.Name), Allergies: booking.PlainText(c.Allergies)}
	if err := c.Check(); err != nil {
		return err
	}
	return s.Reservations.AddCompanion(ctx, reservationID, c)
}
