package reserve

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strings"

	"lunchgo/app/booking"
)

// OfferLinks signs the links of offers: whoever has one may answer the offer, on any device and without signing in. Every
// server process must have the same key.
type OfferLinks struct{ key []byte }

// NewOfferLinks derives the signing key from the installation's secret.
func NewOfferLinks(secret []byte) OfferLinks {
	return OfferLinks{key: offerMAC(secret, "lunchgo offer link v1")}
}

// Sign returns the token of an offer, as text that is safe in a URL. An entry is offered seats once, so it names the offer.
func (o OfferLinks) Sign(entryID string) string {
	enc := base64.RawURLEncoding
	return enc.EncodeToString([]byte(entryID)) + "." + enc.EncodeToString(offerMAC(o.key, entryID)[:16])
}

// Read returns the entry that a token was signed for. Returns ErrNotFound for anything else.
func (o OfferLinks) Read(token string) (string, error) {
	head, tail, _ := strings.Cut(token, ".")
	enc := base64.RawURLEncoding.Strict()
	id, idErr := enc.DecodeString(head)
	sum, sumErr := enc.DecodeString(tail)
	if idErr != nil || sumErr != nil || !hmac.Equal(sum, offerMAC(o.key, string(id))[:16]) {
		return "", booking.ErrNotFound
	}
	return string(id), nil
}

func offerMAC(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}
