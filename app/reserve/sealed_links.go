package reserve

import (
	"lunchgo/app/booking"
	"lunchgo/app/token"
)

// SealedLinks seals links to a reservation for whoever has them, who cannot read which it is. Every server process must
// have the same keys.
type SealedLinks struct{ sealer token.Sealer }

// NewCompanionLinks derives the keys of the links that a diner hands to those who come along: whoever has one sees when
// and where, and may tell the restaurant an allergy.
func NewCompanionLinks(secrets token.Secrets) SealedLinks {
	return SealedLinks{token.NewSealer(secrets, "lunchgo companion link v2")}
}

// NewComingLinks derives those of the links in reminders, by which a diner says that the party comes.
func NewComingLinks(secrets token.Secrets) SealedLinks {
	return SealedLinks{token.NewSealer(secrets, "lunchgo coming link v1")}
}

// Seal returns the token of a reservation's link, the same each time, as text that is safe in a URL.
func (l SealedLinks) Seal(reservationID string) string { return l.sealer.Seal(reservationID) }

// Read returns the reservation that a token was sealed for. Returns ErrNotFound for anything else.
func (l SealedLinks) Read(text string) (string, error) {
	id, ok := l.sealer.Open(text)
	if !ok {
		return "", booking.ErrNotFound
	}
	return id, nil
}
