package booking

import (
	"errors"
	"fmt"
)

// What can go wrong with a booking. The web layer maps each to a status, a stable code and a message.
var (
	ErrNotFound     = errors.New("booking: not found")
	ErrInvalidDate  = errors.New("booking: not a date")
	ErrInvalidTime  = errors.New("booking: not a time of day")
	ErrNoSuchTime   = errors.New("booking: the clock change skips that time")
	ErrPast         = errors.New("booking: the slot has begun")
	ErrTooSoon      = errors.New("booking: too close to the slot's start")
	ErrTooFar       = errors.New("booking: beyond the booking horizon")
	ErrOutsideHours = errors.New("booking: no slot at that time")
	ErrStayTooLong  = errors.New("booking: the stay goes on beyond the slots of the day")
	ErrClosed       = errors.New("booking: the slot is closed")

	ErrUnavailable = errors.New("booking: the store cannot answer just now")

	ErrDuplicate       = errors.New("booking: the diner has a live reservation in that slot")
	ErrStaleFence      = errors.New("booking: a later turn was served already")
	ErrWrongState      = errors.New("booking: not possible in the reservation's state")
	ErrHoldExpired     = errors.New("booking: the hold has expired")
	ErrReturned        = errors.New("booking: the hold had expired and its seats are gone: the money was returned")
	ErrAlreadyExtended = errors.New("booking: the hold was prolonged before")
	ErrNoExtension     = errors.New("booking: the restaurant prolongs no holds")
	ErrAlreadyPaid     = errors.New("booking: paid already")
	ErrNothingToPrepay = errors.New("booking: no menu was chosen to prepay")
	ErrBelowSold       = errors.New("booking: capacity below the seats that are taken")
	ErrKeyReused       = errors.New("booking: idempotency key used for another request")
)

// SoldOutError says that a slot has fewer seats left than the party needs, or one of those for which it would stay.
type SoldOutError struct {
	Remaining int // seats left, in all of them
	OnHold    int // seats that wait for payment and may return, in the fullest
}

func (e *SoldOutError) Error() string {
	return fmt.Sprintf("booking: sold out, %d seats left", e.Remaining)
}

// RefundChangedError says that cancelling gives less back by now than the diner was told. Nothing was cancelled.
type RefundChangedError struct {
	Refund int64 // won, now
}

func (e *RefundChangedError) Error() string {
	return fmt.Sprintf("booking: cancelling gives back %d won by now, less than was told", e.Refund)
}

// InvalidError tells field by field what is wrong with a request. The messages are keys of the catalogue.
type InvalidError struct {
	Fields []FieldError
}

// FieldError is one fault of one field.
type FieldError struct {
	Field  string // as in the JSON request, e.g. "partySize", "items[2].quantity"
	Reason string // stable, e.g. "out_of_range"
	Min    int    // bounds, where the reason has them
	Max    int
}

func (e *InvalidError) Error() string {
	return fmt.Sprintf("booking: invalid request: %v", e.Fields)
}
