package booking

import "time"

// PaymentKind says what a diner pays to confirm a reservation.
type PaymentKind string

// Deposit pays the deposit; Prepay pays the whole menu in advance.
const (
	Deposit PaymentKind = "deposit"
	Prepay  PaymentKind = "prepay"
)

// Payment is what a payment of some kind costs and where it leads.
type Payment struct {
	Amount int64
	State  State
	// Retake says that the reservation has given its seats and dishes back: they have to be taken again, or the money is
	// returned.
	Retake bool
}

// PaymentOrder is a diner's order to pay for a reservation.
type PaymentOrder struct {
	ReservationID  string
	UserID         string
	Kind           PaymentKind
	IdempotencyKey string
	Quoted         *int64 // won that the diner was told it costs; nil if nobody told them
}

// LatePayment is how long after the end of its hold a reservation can still be paid for, if its seats are there.
const LatePayment = 10 * time.Minute

// PaymentFor decides whether a payment may be made at now and what it costs. Prepaying costs the whole menu, but never
// less than the deposit; a coupon lowers either, down to 0. A payment that comes a little late counts: as long as nobody has ended the hold its seats are still
// there. Returns ErrHoldExpired, ErrAlreadyPaid, ErrWrongState or ErrNothingToPrepay.
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

// CheckPayment returns *AmountChangedError when a payment costs more than the diner was told, because they changed the
// reservation elsewhere.
func (o PaymentOrder) CheckPayment(p Payment) error {
	if o.Quoted != nil && p.Amount > *o.Quoted {
		return &AmountChangedError{Amount: p.Amount}
	}
	return nil
}

// Held says whether the reservation's hold lasts at now: its diner has time to pay.
func (r Reservation) Held(now time.Time) bool {
	return r.State == Temporary && now.Before(r.HoldExpiresAt)
}

// CheckExtension says whether the hold may be prolonged at now. Returns ErrAlreadyPaid, ErrHoldExpired, ErrWrongState,
// ErrAlreadyExtended, or ErrNoExtension where the restaurant grants none.
func (r Reservation) CheckExtension(now time.Time) error {
	switch {
	case r.State == Confirmed || r.State == PrepaidConfirmed:
		return ErrAlreadyPaid
	case r.State == Expired, r.State == Temporary && !r.Held(now):
		return ErrHoldExpired
	case r.State != Temporary:
		return ErrWrongState
	case r.Extended:
		return ErrAlreadyExtended
	case r.Policy.ExtensionMinutes == 0:
		return ErrNoExtension
	}
	return nil
}

// Extension is by how long the hold can be prolonged.
func (p Policy) Extension() time.Duration { return time.Duration(p.ExtensionMinutes) * time.Minute }
