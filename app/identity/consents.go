package identity

import "context"

// Documents are versions of what the site has people agree to, the days from which they are in force such as
// "2026-11-28"; empty for none.
type Documents struct {
	Terms   string // of use
	Privacy string // the privacy policy
}

// Agreement is what somebody agrees to by one press, and by which.
type Agreement struct {
	Documents
	Way ConsentWay
}

// ConsentWay is how somebody agreed.
type ConsentWay string

// The ways to agree.
const (
	BySignUp      ConsentWay = "signup"       // the form that makes an account
	ByCheckout    ConsentWay = "checkout"     // a booking by a stranger, which makes an account
	ByProvider    ConsentWay = "provider"     // the first sign-in by a provider, which makes an account
	ByPaymentLink ConsentWay = "payment_link" // the link of a guest whom staff have asked for a deposit
	ByAccount     ConsentWay = "account"      // the button in the account
	ByBooking     ConsentWay = "booking"      // a booking by somebody who has an account
)

// ConsentStore keeps what people agreed to.
type ConsentStore interface {
	// Agree notes what somebody agrees to; of what they agreed to before, the first time stays.
	Agree(ctx context.Context, userID string, a Agreement) error
	// FindAgreed returns the latest versions that somebody has agreed to.
	FindAgreed(ctx context.Context, userID string) (Documents, error)
}
