package reserve

import (
	"lunchgo/app/booking"
	"lunchgo/app/token"
)

// OfferLinks signs the links of offers: whoever has one may answer the offer, on any device and without signing in.
// Every server process must have the same key.
type OfferLinks struct{ signer token.Signer }

// NewOfferLinks derives the signing keys from the installation's secrets.
func NewOfferLinks(secrets token.Secrets) OfferLinks {
	return OfferLinks{token.NewSigner(secrets, "lunchgo offer link v1", token.Short)}
}

// Sign returns the token of an offer, as text that is safe in a URL. An entry is offered seats once, so it names the
// offer.
func (o OfferLinks) Sign(entryID string) string { return o.signer.SignOpaque(entryID) }

// Read returns the entry that a token was signed for. Returns ErrNotFound for anything else.
func (o OfferLinks) Read(text string) (string, error) {
	id, ok := o.signer.VerifyOpaque(text)
	if !ok {
		return "", booking.ErrNotFound
	}
	return id, nil
}
