package reserve

import (
	"context"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/token"
)

// PaymentLinks signs the links by which guests pay the deposit that staff ask for: whoever has one may pay for that
// reservation, without an account, while it is held. Every server process must have the same key.
type PaymentLinks struct{ signer token.Signer }

// NewPaymentLinks derives the signing keys from the installation's secrets.
func NewPaymentLinks(secrets token.Secrets) PaymentLinks {
	return PaymentLinks{token.NewSigner(secrets, "lunchgo payment link v1", token.Long)}
}

// Sign returns the token of a reservation's payment, as text that is safe in a URL.
func (l PaymentLinks) Sign(reservationID string) string { return l.signer.Sign(reservationID) }

// Read returns the reservation that a token was signed for. Returns ErrNotFound for anything else.
func (l PaymentLinks) Read(text string) (string, error) {
	id, ok := l.signer.Verify(text)
	if !ok {
		return "", booking.ErrNotFound
	}
	return id, nil
}

// GuestAccounts makes the accounts of guests who are asked for the deposit.
type GuestAccounts interface {
	IntroduceGuest(ctx context.Context, g identity.Guest, key string) (userID string, err error)
}

// FindToPay returns a reservation for which staff have asked its guest for the deposit. Returns ErrNotFound for any
// other.
func (s *Service) FindToPay(ctx context.Context, id string) (booking.Reservation, error) {
	res, err := s.Reservations.Find(ctx, id)
	if err == nil && !res.IsAskedToPay() {
		err = booking.ErrNotFound
	}
	return res, err
}
