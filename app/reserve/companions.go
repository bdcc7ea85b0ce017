package reserve

import (
	"context"
	"strings"

	"lunchgo/app/booking"
	"lunchgo/app/token"
)

// CompanionLinks signs the links that a diner hands to those who come along: whoever has one sees when and where, and
// may tell the restaurant an allergy. Every server process must have the same key.
type CompanionLinks struct{ signer token.Signer }

// NewCompanionLinks derives the signing keys from the installation's secrets.
func NewCompanionLinks(secrets token.Secrets) CompanionLinks {
	return CompanionLinks{token.NewSigner(secrets, "lunchgo companion link v1", token.Short)}
}

// Sign returns the token of a reservation's link, as text that is safe in a URL.
func (l CompanionLinks) Sign(reservationID string) string { return l.signer.SignOpaque(reservationID) }

// Read returns the reservation that a token was signed for. Returns ErrNotFound for anything else.
func (l CompanionLinks) Read(text string) (string, error) {
	id, ok := l.signer.VerifyOpaque(text)
	if !ok {
		return "", booking.ErrNotFound
	}
	return id, nil
}

// AddCompanion tells the restaurant what one who comes along has said, on one line. Returns *booking.InvalidError, and
// the errors of ReservationStore.AddCompanion.
func (s *Service) AddCompanion(ctx context.Context, reservationID string, c booking.Companion) error {
	c = booking.Companion{Name: oneLine(c.Name), Allergies: oneLine(c.Allergies)}
	if err := c.Check(); err != nil {
		return err
	}
	return s.Reservations.AddCompanion(ctx, reservationID, c)
}

// oneLine is a text with one space between its words.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
