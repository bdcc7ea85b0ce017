package booking

import (
	"errors"
	"fmt"

	"lunchgo/app/refusal"
)

// Errors of bookings.
var (
	ErrNotFound    = refusal.NotFound.Because("booking: not found")
	ErrForbidden   = refusal.Forbidden.Because("booking: the role at the restaurant does not allow it")
	ErrInvalidDate = errors.New("booking: not a date")
	ErrInvalidTime = errors.New("booking: not a time of day")
	ErrNoSuchTime  = errors.New("booking: the clock change skips that time")
	ErrPast        = refusal.Declare(refusal.Refusal{Kind: refusal.Conflict, Code: "past", Turn: true,
		Text: "booking: the slot has begun"})
	ErrTooSoon      = refusal.New(refusal.Conflict, "too_soon", "booking: too close to the slot's start")
	ErrTooFar       = refusal.New(refusal.Conflict, "too_far", "booking: beyond the booking horizon")
	ErrOutsideHours = errors.New("booking: no slot at that time")
	errStayTooLong  = errors.New("booking: the stay extends beyond the slots of the day")
	ErrClosed       = refusal.Declare(refusal.Refusal{Kind: refusal.Conflict, Code: "closed", Turn: true,
		Headline: "closed", Unchanged: "unchanged_seats", Alternatives: true,
		New: func() error { return new(ClosedError) }, Text: "booking: the slot is closed"})
	ErrPaused = refusal.Declare(refusal.Refusal{Kind: refusal.Conflict, Code: "paused",
		New: func() error { return new(PausedError) }, Text: "booking: the slot is paused: its line waits"})
	ErrNotOpenYet = refusal.Declare(refusal.Refusal{Kind: refusal.Conflict, Code: "not_open", Turn: true,
		Headline: "not_open", New: func() error { return new(NotOpenError) },
		Text: "booking: the slot does not take reservations yet"})

	ErrTooManyDrafts = refusal.New(refusal.Conflict, "too_many_drafts",
		"booking: as many drafts of restaurants as one person may have")

	ErrUnpublished = refusal.New(refusal.Conflict, "unpublished",
		"booking: an operator took the restaurant off the public pages")

	ErrDuplicate = refusal.Declare(refusal.Refusal{Kind: refusal.Conflict, Code: "duplicate", Turn: true,
		Headline: "duplicate", Unchanged: "unchanged_twice", New: func() error { return new(DuplicateError) },
		Text: "booking: the diner has a live reservation in that slot"})
	ErrStaleFence = errors.New("booking: a later turn has been served")
	ErrWrongState = refusal.Declare(refusal.Refusal{Kind: refusal.Conflict, Code: "wrong_state", Turn: true,
		Text: "booking: not possible in the reservation's state"})
	ErrHoldExpired = refusal.Declare(refusal.Refusal{Kind: refusal.Conflict, Code: "hold_expired", Turn: true,
		Text: "booking: the hold has expired"})
	ErrReturned = refusal.New(refusal.Conflict, "payment_returned",
		"booking: the hold had expired and its seats are taken: the payment was returned")
	ErrAlreadyExtended = refusal.New(refusal.Conflict, "already_extended", "booking: the hold has been extended before")
	ErrNoExtension     = refusal.New(refusal.Conflict, "no_extension", "booking: the restaurant does not extend holds")
	ErrUnconfirmed     = refusal.Unconfirmed.Because("booking: the diner's e-mail address is not confirmed")
	ErrAlreadyPaid     = refusal.New(refusal.Conflict, "already_paid", "booking: already paid")
	ErrNothingToPrepay = refusal.Declare(refusal.Refusal{Kind: refusal.Conflict, Code: "nothing_to_prepay", Field: "kind",
		Text: "booking: no menu was chosen to prepay"})
	ErrBelowSold = refusal.Declare(refusal.Refusal{Kind: refusal.Conflict, Code: "below_sold",
		New: func() error { return new(BelowSoldError) }, Text: "booking: capacity below the seats that are taken"})
	ErrKeyReused = refusal.KeyReused.Because("booking: idempotency key used for another request")
)

// StaleFenceError is an ErrStaleFence that says which fence the slots have.
type StaleFenceError struct{ Stored int64 }

func (e *StaleFenceError) Error() string {
	return fmt.Sprintf("%v under fence %d", ErrStaleFence, e.Stored)
}
func (e *StaleFenceError) Unwrap() error { return ErrStaleFence }

// SoldOutError reports that one of the slots of a stay has fewer seats left than the party needs.
type SoldOutError struct {
	Remaining int `json:"remaining"` // seats left in the fullest slot
	OnHold    int `json:"onHold"`    // seats in it that wait for payment and may return
}

// ErrSoldOut is what a *SoldOutError unwraps to.
var ErrSoldOut = refusal.Declare(refusal.Refusal{Kind: refusal.Conflict, Code: "sold_out", Turn: true,
	Headline: "sold_out", Unchanged: "unchanged_seats", Alternatives: true,
	New: func() error { return new(SoldOutError) }, Text: "booking: sold out"})

func (e *SoldOutError) Unwrap() error { return ErrSoldOut }

// Phrase implements refusal.Phrased.
func (e *SoldOutError) Phrase() (string, []any) {
	return "", []any{"Remaining", e.Remaining, "OnHold", e.OnHold}
}

// Counts returns both numbers, which tickets store as they are: a rush is full of such refusals.
func (e *SoldOutError) Counts() (remaining, onHold int) { return e.Remaining, e.OnHold }

// SetCounts sets both.
func (e *SoldOutError) SetCounts(remaining, onHold int) { e.Remaining, e.OnHold = remaining, onHold }

// DuplicateError is an ErrDuplicate that says which reservation the diner has.
type DuplicateError struct {
	ReservationID string `json:"reservationId"`
}

func (e *DuplicateError) Error() string { return ErrDuplicate.Error() }
func (e *DuplicateError) Unwrap() error { return ErrDuplicate }

func (e *SoldOutError) Error() string {
	return fmt.Sprintf("booking: sold out, %d seats left", e.Remaining)
}

// RefundChangedError reports that a cancellation refunds less than quoted. Nothing was cancelled.
type RefundChangedError struct {
	Refund int64 `json:"refund"` // won, now
}

// ErrRefundChanged is what a *RefundChangedError unwraps to.
var ErrRefundChanged = refusal.Declare(refusal.Refusal{Kind: refusal.Conflict, Code: "refund_changed",
	New: func() error { return new(RefundChangedError) }, Text: "booking: the refund is less than quoted"})

func (e *RefundChangedError) Unwrap() error { return ErrRefundChanged }

// Phrase implements refusal.Phrased.
func (e *RefundChangedError) Phrase() (string, []any) { return "", []any{"Refund", e.Refund} }

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

// Invalid returns an *InvalidError of faults, or nil where there are none.
func Invalid(faults []FieldError) error {
	if len(faults) == 0 {
		return nil
	}
	return &InvalidError{Fields: faults}
}

// AddFaults returns an error with further invalid fields, which come before an error of another kind; the error itself
// where there are none.
func AddFaults(err error, faults []FieldError) error {
	if len(faults) == 0 {
		return err
	}
	if invalid, ok := errors.AsType[*InvalidError](err); ok {
		faults = append(invalid.Fields, faults...)
	}
	return &InvalidError{Fields: faults}
}

func (e *InvalidError) Unwrap() error { return refusal.Invalid }

func (e *InvalidError) Error() string {
	return fmt.Sprintf("booking: invalid request: %v", e.Fields)
}
