package booking

import "time"

// PaymentKind says what a diner pays to confirm a reservation.
type PaymentKind string

// Deposit pays the deposit; Prepay pays the whole menu in advance.
const (
	Deposit PaymentKind = "deposit"
	Prepay  PaymentKind = "prepay"
)

// Payment is the amount of a payment, in won, and the state that it leads to.
type Payment struct {
	Amount int64
	State  State
	// Retake is set when the expired reservation has given its seats and dishes back: the payment takes them again, or
	// is returned.
	Retake bool
}

// PaymentOrder is a diner's order to pay for a reservation.
type PaymentOrder struct {
	ReservationID  string
	UserID         string
	Kind           PaymentKind
	IdempotencyKey string
	Quoted         *int64 // won as quoted to the diner; nil without a quote

	// Of a payment through a provider only.
	PaymentID string
	Card      int64 // won that the provider has authorised: they enter the wallet, which pays the rest
}

// LatePayment is how long after the end of its hold a reservation can still be paid, if its seats are free.
const LatePayment = 10 * time.Minute

// PaymentFor returns the amount of a payment at now. Prepaying costs the whole menu, and at least the deposit; a coupon
// lowers either, down to 0. A payment up to LatePayment after the hold counts if the seats are still free. Returns
// ErrHoldExpired, ErrAlreadyPaid, ErrWrongState or ErrNothingToPrepay.
func (r Reservation) PaymentFor(kind PaymentKind, now time.Time) (Payment, error) {
	switch r.State {
	case Temporary, Expired:
	case Confirmed, PrepaidConfirmed:
		return Payment{}, ErrAlreadyPaid
	default:
		return Payment{}, ErrWrongState
	}
	if !now.Before(r.HoldExpiresAt.Add(LatePayment)) || r.PaidAmount > 0 {
		return Payment{}, ErrHoldExpired
	}
	payment := Payment{Amount: r.DepositToPay(), State: Confirmed, Retake: r.State == Expired}
	if kind == Prepay {
		if r.MenuAmount == 0 {
			return Payment{}, ErrNothingToPrepay
		}
		payment.Amount, payment.State = r.PrepayToPay(), PrepaidConfirmed
	}
	return payment, nil
}

// CheckPayment returns *AmountChangedError when a payment costs more than quoted, because the diner has changed the
// reservation in another window; of one through a provider, which takes what was quoted, also when it costs less.
func (o PaymentOrder) CheckPayment(p Payment) error {
	if o.Quoted != nil && (p.Amount > *o.Quoted || o.Card > 0 && p.Amount < *o.Quoted) {
		return &AmountChangedError{Amount: p.Amount}
	}
	return nil
}

// IsHeld returns whether the reservation's hold lasts at now.
func (r Reservation) IsHeld(now time.Time) bool {
	return r.State == Temporary && now.Before(r.HoldExpiresAt)
}

// CheckExtension says whether the hold may be prolonged at now by a diner whose e-mail address is confirmed, or not.
// Returns ErrAlreadyPaid, ErrHoldExpired, ErrWrongState, ErrAlreadyExtended, ErrNoExtension where the restaurant grants
// none, or ErrUnconfirmed.
func (r Reservation) CheckExtension(confirmed bool, now time.Time) error {
	switch {
	case r.State.IsConfirmed():
		return ErrAlreadyPaid
	case r.State == Expired, r.State == Temporary && !r.IsHeld(now):
		return ErrHoldExpired
	case r.State != Temporary:
		return ErrWrongState
	case r.Extended:
		return ErrAlreadyExtended
	case r.Policy.ExtensionMinutes == 0:
		return ErrNoExtension
	case !confirmed:
		return ErrUnconfirmed
	}
	return nil
}

// Extension returns by how long a diner can extend the hold.
func (p Policy) Extension() time.Duration { return time.Duration(p.ExtensionMinutes) * time.Minute }
