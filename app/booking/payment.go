package booking

import (
	"reflect"
	"time"
)

// PaymentKind says what a diner pays to confirm a reservation.
type PaymentKind string

// Deposit pays the deposit; Prepay pays the whole menu in advance; ForChange pays what a change costs more.
const (
	Deposit   PaymentKind = "deposit"
	Prepay    PaymentKind = "prepay"
	ForChange PaymentKind = "change"
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

	Change *PaidChange // of a payment ForChange, which costs what is quoted, only
}

// PaidChange is a change that is made once its payment is authorised.
type PaidChange struct {
	Draft  ChangeDraft `json:"draft"`
	Number int         `json:"number"` // earlier changes of the reservation, as its diner saw it
}

// IsSame returns whether two changes want the same, whatever they cost.
func (c PaidChange) IsSame(other PaidChange) bool {
	c.Draft.Quoted, other.Draft.Quoted = 0, 0
	return reflect.DeepEqual(c.Draft, other.Draft)
}

// Of returns a reservation as it is shown once the change is made: its time and its party.
func (c PaidChange) Of(r Reservation) Reservation {
	asked := c.Draft.Draft(r)
	slot := SlotKey{RestaurantID: r.RestaurantID, Date: Date(asked.Date), Time: TimeOfDay(asked.Time)}
	if slot != r.Slot || asked.PartySize != r.PartySize {
		r.Slot, r.Stay, r.PartySize, r.Seats = slot, nil, asked.PartySize, nil
	}
	return r
}

// ChangeWindow is how long a diner has to pay for a change.
const ChangeWindow = 10 * time.Minute

// CheckPaidChange returns nil if a change of the reservation, whose slot begins at start, can be paid for at now, and
// until when. Returns the errors of CheckChange and ErrChangedMeanwhile.
func (r Reservation) CheckPaidChange(change PaidChange, start, now time.Time) (until time.Time, err error) {
	if err := r.CheckChange(start, now); err != nil {
		return time.Time{}, err
	}
	if r.Changes != change.Number {
		return time.Time{}, ErrChangedMeanwhile
	}
	until = now.Add(ChangeWindow)
	if last := start.Add(-time.Duration(r.Policy.ChangeHours) * time.Hour); last.Before(until) {
		until = last
	}
	return until, nil
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

// NeedsNoPayment returns whether the reservation was confirmed at once, because there was nothing to pay for it.
func (r Reservation) NeedsNoPayment() bool {
	return r.State == Confirmed && r.PaymentKind == "" && r.PaidAmount == 0 && r.DepositToPay() == 0
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
