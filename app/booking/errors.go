package booking

import (
	"errors"
	"fmt"
)

// Errors of bookings. The web layer maps each to a status, a stable code and a message.
var (
	ErrNotFound     = errors.New("booking: not found")
	ErrForbidden    = errors.New("booking: the role at the restaurant does not allow it")
	ErrInvalidDate  = errors.New("booking: not a date")
	ErrInvalidTime  = errors.New("booking: not a time of day")
	ErrNoSuchTime   = errors.New("booking: the clock change skips that time")
	ErrPast         = errors.New("booking: the slot has begun")
	ErrTooSoon      = errors.New("booking: too close to the slot's start")
	ErrTooFar       = errors.New("booking: beyond the booking horizon")
	ErrOutsideHours = errors.New("booking: no slot at that time")
	errStayTooLong  = errors.New("booking: the stay extends beyond the slots of the day")
	ErrClosed       = errors.New("booking: the slot is closed")
	ErrPaused       = errors.New("booking: the slot is paused: its line waits")
	ErrNotOpenYet   = errors.New("booking: the slot does not take reservations yet")

	ErrTooManyDrafts = errors.New("booking: as many drafts of restaurants as one person may have")

	ErrUnavailable = errors.New("booking: the store does not answer")

	ErrDuplicate       = errors.New("booking: the diner has a live reservation in that slot")
	ErrStaleFence      = errors.New("booking: a later turn has been served")
	ErrWrongState      = errors.New("booking: not possible in the reservation's state")
	ErrHoldExpired     = errors.New("booking: the hold has expired")
	ErrReturned        = errors.New("booking: the hold had expired and its seats are taken: the payment was returned")
	ErrAlreadyExtended = errors.New("booking: the hold has been extended before")
	ErrNoExtension     = errors.New("booking: the restaurant does not extend holds")
	ErrUnconfirmed     = errors.New("booking: the diner's e-mail address is not confirmed")
	ErrAlreadyPaid     = errors.New("booking: already paid")
	ErrNothingToPrepay = errors.New("booking: no menu was chosen to prepay")
	ErrBelowSold       = errors.New("booking: capacity below the seats that are taken")
	ErrKeyReused       = errors.New("booking: idempotency key used for another request")
)

// StaleFenceError is an ErrStaleFence that says which fence the slots have.
type StaleFenceError struct{ Stored int64 }

func (e *StaleFenceError) Error() string {
	return fmt.Sprintf("%v under fence %d", ErrStaleFence, e.Stored)
}
func (e *StaleFenceError) Unwrap() error { return ErrStaleFence }

// SoldOutError reports that one of the slots of a stay has fewer seats left than the party needs.
type SoldOutError struct {
	Remaining int // seats left in the fullest slot
	OnHold    int // seats in it that wait for payment and may return
}

func (e *SoldOutError) Error() string {
	return fmt.Sprintf("booking: sold out, %d seats left", e.Remaining)
}

// RefundChangedError reports that a cancellation refunds less than quoted. Nothing was cancelled.
type RefundChangedError struct {
	Refund int64 // won, now
}

func (e *RefundChangedError) Error() string {
	return fmt.Sprintf("booking: the refund is %d won now, less than quoted", e.Refund)
}

// InvalidError lists the invalid fields of a request.
type InvalidError struct {
	Fields []FieldError
}

// FieldError is one error of one field.
type FieldError struct {
	Field  string // as in the JSON request, e.g. "partySize", "items[2].quantity"
	Reason string // stable and a key of the catalogue, e.g. "out_of_range"
	Min    int    // bounds, where the reason has them
	Max    int
}

func (e *InvalidError) Error() string {
	return fmt.Sprintf("booking: invalid request: %v", e.Fields)
}
