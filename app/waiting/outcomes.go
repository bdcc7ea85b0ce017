package waiting

import (
	"encoding/json"
	"errors"
	"fmt"

	"lunchgo/app/booking"
	"lunchgo/app/coupon"
	"lunchgo/app/wallet"
)

// Codes of results. They are stored with tickets, and the JSON API shows them as they are.
const (
	CodeSoldOut    = "sold_out"
	CodeOutOfStock = "out_of_stock"
	CodeSeatTaken  = "seat_taken"
	CodeDuplicate  = "duplicate"
	CodeClosed     = "closed"

	CodeOverlapping  = "overlapping"
	CodeHeldRecently = "held_recently"
	CodeTooManyHolds = "too_many_holds"

	CodeKeyReused = "idempotency_key_reused"

	CodeCouponUnknown   = "coupon_unknown"
	CodeCouponUsed      = "coupon_used"
	CodeCouponExpired   = "coupon_expired"
	CodeCouponElsewhere = "coupon_elsewhere"
	CodeCouponUseless   = "coupon_useless"

	CodeAmountChanged    = "amount_changed"
	CodeBalanceTooLow    = "balance_too_low"
	CodeChangedMeanwhile = "changed_meanwhile"
	CodeNothingToChange  = "nothing_to_change"
	CodeTooLateToChange  = "too_late_to_change"
	CodeWrongState       = "wrong_state"
	CodeHoldExpired      = "hold_expired"
	CodePast             = "past"
	CodeNotFound         = "not_found"

	CodeAlreadyClaimed = "already_claimed"
	CodeNotOpen        = "not_open"
	CodeOver           = "over"

	CodeLeft        = "left"
	CodeRemoved     = "removed"      // staff took the ticket out of the line
	CodeWaitTimeout = "wait_timeout" // the ticket waited for longer than Config.MaxWait
	CodeUnavailable = "unavailable"  // the request could not be served, again and again
)

// Errors of tickets that ended without a turn.
var (
	ErrLeft        = errors.New("waiting: the diner left the line")
	errRemoved     = errors.New("waiting: staff took the ticket out of the line")
	ErrWaitTimeout = errors.New("waiting: the ticket waited too long")
)

// RemovedError reports that staff took a ticket out of its line.
type RemovedError struct {
	Reason string // in their words, for the diner
}

func (e *RemovedError) Error() string { return errRemoved.Error() + ": " + e.Reason }
func (e *RemovedError) Unwrap() error { return errRemoved }

// refusals is the table of what a turn, or the room, can answer instead of serving a request: the domain's error,
// and the code under which a result stores it. The errors that carry more than their name are the cases of refused
// and Result.Err. app/web/respond has, for each code, how the site shows it.
var refusals = []struct {
	err  error
	code string
}{
	{booking.ErrDuplicate, CodeDuplicate},
	{booking.ErrClosed, CodeClosed},
	{booking.ErrKeyReused, CodeKeyReused},

	{booking.ErrCouponUnknown, CodeCouponUnknown},
	{booking.ErrCouponUsed, CodeCouponUsed},
	{booking.ErrCouponExpired, CodeCouponExpired},
	{booking.ErrCouponElsewhere, CodeCouponElsewhere},
	{booking.ErrCouponUseless, CodeCouponUseless},

	{wallet.ErrBalanceTooLow, CodeBalanceTooLow},
	{booking.ErrChangedMeanwhile, CodeChangedMeanwhile},
	{booking.ErrNothingToChange, CodeNothingToChange},
	{booking.ErrTooLateToChange, CodeTooLateToChange},
	{booking.ErrWrongState, CodeWrongState},
	{booking.ErrHoldExpired, CodeHoldExpired},
	{booking.ErrPast, CodePast},
	{booking.ErrNotFound, CodeNotFound},

	{coupon.ErrAlreadyClaimed, CodeAlreadyClaimed},
	{coupon.ErrSoldOut, CodeSoldOut},
	{coupon.ErrNotOpen, CodeNotOpen},
	{coupon.ErrOver, CodeOver},

	{ErrLeft, CodeLeft},
	{ErrWaitTimeout, CodeWaitTimeout},
	{ErrUnavailable, CodeUnavailable},
}

// Codes lists every code that a result may have.
func Codes() []string {
	codes := []string{CodeOutOfStock, CodeSeatTaken, CodeAmountChanged, CodeRemoved,
		CodeOverlapping, CodeHeldRecently, CodeTooManyHolds} // sold_out is in the table, for coupons
	for _, known := range refusals {
		codes = append(codes, known.code)
	}
	return codes
}

// CodeOf is the code of a refusal; empty for an error that is none.
func CodeOf(err error) string {
	result, _ := refused(err)
	return result.Code
}

// Refused is the result of a request that was refused with err. An error that no rule names is CodeUnavailable.
func Refused(err error) Result {
	if result, ok := refused(err); ok {
		return result
	}
	return Result{State: Rejected, Code: CodeUnavailable}
}

func refused(err error) (Result, bool) {
	var full *booking.SoldOutError
	var short *booking.OutOfStockError
	var gone *booking.SeatTakenError
	var amount *booking.AmountChangedError
	var closed *booking.ClosedError
	var removed *RemovedError
	switch {
	case errors.As(err, &removed):
		return Result{State: Rejected, Code: CodeRemoved, Detail: detail(removed.Reason)}, true
	case errors.As(err, &full):
		return Result{State: Rejected, Code: CodeSoldOut, Remaining: full.Remaining, OnHold: full.OnHold}, true
	case errors.As(err, &short):
		return Result{State: Rejected, Code: CodeOutOfStock, Detail: detail(short.Items)}, true
	case errors.As(err, &gone):
		return Result{State: Rejected, Code: CodeSeatTaken, Detail: detail(gone)}, true
	case errors.As(err, &amount):
		return Result{State: Rejected, Code: CodeAmountChanged, Amount: amount.Amount}, true
	case errors.As(err, &closed):
		return Result{State: Rejected, Code: CodeClosed, Detail: detail(closed.Reason)}, true
	}
	if result, ok := limited(err); ok {
		return result, true
	}
	for _, known := range refusals {
		if errors.Is(err, known.err) {
			return Result{State: Rejected, Code: known.code}, true
		}
	}
	return Result{}, false
}

// limited is the result of a request that a limit of its diner's account refuses.
func limited(err error) (Result, bool) {
	var overlapping *booking.OverlappingError
	var recently *booking.HeldRecentlyError
	var many *booking.TooManyHoldsError
	switch {
	case errors.As(err, &overlapping):
		return Result{State: Rejected, Code: CodeOverlapping, ReservationID: overlapping.ReservationID}, true
	case errors.As(err, &recently):
		return Result{State: Rejected, Code: CodeHeldRecently, Detail: detail(recently.Until)}, true
	case errors.As(err, &many):
		return Result{State: Rejected, Code: CodeTooManyHolds, Detail: detail(many)}, true
	}
	return Result{}, false
}

// detail writes what a result says besides its code: numbers, times, codes and texts, which can always be written.
func detail(of any) string {
	text, _ := json.Marshal(of)
	return string(text)
}

// closedFor is the error of a slot that is closed for a reason; booking.ErrClosed without one.
func closedFor(detail string) error {
	closed := &booking.ClosedError{}
	_ = json.Unmarshal([]byte(detail), &closed.Reason) // without one it is closed all the same
	if closed.Reason == "" {
		return booking.ErrClosed
	}
	return closed
}

// Err is the error that a result stands for, as the use case returned it; nil while the ticket waits and where the
// request came true. Returns ErrUnavailable for a code that a newer process stored.
func (r Result) Err() error {
	switch r.Code {
	case "":
		return nil
	case CodeSoldOut:
		return &booking.SoldOutError{Remaining: r.Remaining, OnHold: r.OnHold}
	case CodeOutOfStock:
		short := &booking.OutOfStockError{}
		_ = json.Unmarshal([]byte(r.Detail), &short.Items) // without them it is still refused
		return short
	case CodeSeatTaken:
		gone := &booking.SeatTakenError{}
		_ = json.Unmarshal([]byte(r.Detail), gone)
		return gone
	case CodeClosed:
		return closedFor(r.Detail)
	case CodeRemoved:
		removed := &RemovedError{}
		_ = json.Unmarshal([]byte(r.Detail), &removed.Reason)
		return removed
	case CodeAmountChanged:
		return &booking.AmountChangedError{Amount: r.Amount}
	case CodeOverlapping:
		return &booking.OverlappingError{ReservationID: r.ReservationID}
	case CodeHeldRecently:
		recently := &booking.HeldRecentlyError{}
		_ = json.Unmarshal([]byte(r.Detail), &recently.Until)
		return recently
	case CodeTooManyHolds:
		many := &booking.TooManyHoldsError{}
		_ = json.Unmarshal([]byte(r.Detail), many)
		return many
	}
	for _, known := range refusals {
		if r.Code == known.code {
			return known.err
		}
	}
	return fmt.Errorf("%w: unknown code %q", ErrUnavailable, r.Code)
}
