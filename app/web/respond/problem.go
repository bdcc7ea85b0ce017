package respond

import (
	"context"
	"errors"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/coupon"
	"lunchgo/app/identity"
	"lunchgo/app/waiting"
	"lunchgo/app/wallet"
	"lunchgo/locks"
)

// Problem is an error as it is told. Its sentence stands in the catalogue under "error.<Code>".
type Problem struct {
	Status     int
	Code       string
	RetryAfter time.Duration          // when another try may do, in whole seconds; 0 where it will not
	MeanRetry  time.Duration          // of a random RetryAfter, which ProblemOf chooses for each answer; 0 for none
	Fields     []Field                // what is wrong field by field, for 422
	Remaining  int                    // seats left, for sold_out
	OnHold     int                    // seats that may return, for sold_out
	Refund     int64                  // won that comes back by now, for refund_changed
	Amount     int64                  // won that a change costs by now, for amount_changed; negative for what comes back
	Short      []booking.Shortage     // dishes of which less is left than was ordered, for out_of_stock
	Seats      booking.SeatTakenError // for seat_taken
}

// Field is one fault of one field of a request; its sentence stands under "error.field.<Reason>".
type Field struct {
	Name   string
	Reason string
	Min    int
	Max    int
}

// Error makes a Fault an error, so that a handler may return one of its own.
func (f Problem) Error() string { return "fault: " + f.Code }

// Faults that come from the request itself, not from the domain.
var (
	Unauthenticated = Problem{Status: 401, Code: "unauthenticated"}
	Forbidden       = Problem{Status: 403, Code: "forbidden"}
	CrossSite       = Problem{Status: 403, Code: "cross_site"}
	NotFound        = Problem{Status: 404, Code: "not_found"}
	BadRequest      = Problem{Status: 400, Code: "bad_request"}
	MissingKey      = Problem{Status: 400, Code: "idempotency_key_required"}
	MediaType       = Problem{Status: 415, Code: "unsupported_media_type"}
	Internal        = Problem{Status: 500, Code: "internal"}
	Unavailable     = Problem{Status: 503, Code: "unavailable", MeanRetry: UsualPause}
)

var problems = []struct {
	err   error
	fault Problem
}{
	{booking.ErrNotFound, NotFound},
	{booking.ErrForbidden, Forbidden},
	{booking.ErrInvalidDate, Problem{Status: 422, Code: "invalid", Fields: []Field{{Name: "date", Reason: "invalid_date"}}}},
	{booking.ErrInvalidTime, Problem{Status: 422, Code: "invalid", Fields: []Field{{Name: "time", Reason: "invalid_time"}}}},
	{booking.ErrNoSuchTime, Problem{Status: 422, Code: "invalid", Fields: []Field{{Name: "time", Reason: "no_such_time"}}}},
	{booking.ErrOutsideHours, Problem{Status: 422, Code: "invalid", Fields: []Field{{Name: "time", Reason: "outside_hours"}}}},
	{booking.ErrPast, Problem{Status: 409, Code: "past"}},
	{booking.ErrTooSoon, Problem{Status: 409, Code: "too_soon"}},
	{booking.ErrTooFar, Problem{Status: 409, Code: "too_far"}},
	{booking.ErrClosed, Problem{Status: 409, Code: waiting.CodeClosed}},
	{booking.ErrDuplicate, Problem{Status: 409, Code: waiting.CodeDuplicate}},
	{booking.ErrHoldExpired, Problem{Status: 409, Code: "hold_expired"}},
	{booking.ErrReturned, Problem{Status: 409, Code: "payment_returned"}},
	{booking.ErrAlreadyExtended, Problem{Status: 409, Code: "already_extended"}},
	{booking.ErrNoExtension, Problem{Status: 409, Code: "no_extension"}},
	{booking.ErrAlreadyPaid, Problem{Status: 409, Code: "already_paid"}},
	{booking.ErrNothingToPrepay, Problem{Status: 409, Code: "nothing_to_prepay"}},
	{booking.ErrBelowSold, Problem{Status: 409, Code: "below_sold"}},
	{booking.ErrTooEarly, Problem{Status: 409, Code: "too_early"}},
	{booking.ErrSeatsGiven, Problem{Status: 409, Code: "seats_given"}},
	{booking.ErrWrongState, Problem{Status: 409, Code: "wrong_state"}},
	{booking.ErrNothingToChange, Problem{Status: 409, Code: waiting.CodeNothingToChange}},
	{booking.ErrTooLateToChange, Problem{Status: 409, Code: waiting.CodeTooLateToChange}},
	{booking.ErrChangedMeanwhile, Problem{Status: 409, Code: waiting.CodeChangedMeanwhile}},
	{booking.ErrKeyReused, Problem{Status: 422, Code: waiting.CodeKeyReused}},
	{booking.ErrCouponUnknown, Problem{Status: 409, Code: waiting.CodeCouponUnknown}},
	{booking.ErrCouponUsed, Problem{Status: 409, Code: waiting.CodeCouponUsed}},
	{booking.ErrCouponExpired, Problem{Status: 409, Code: waiting.CodeCouponExpired}},
	{booking.ErrCouponElsewhere, Problem{Status: 409, Code: waiting.CodeCouponElsewhere}},
	{booking.ErrCouponUseless, Problem{Status: 409, Code: waiting.CodeCouponUseless}},
	{booking.ErrSeatsAvailable, Problem{Status: 409, Code: "seats_available"}},
	{booking.ErrListed, Problem{Status: 409, Code: "already_listed"}},
	{booking.ErrOfferOver, Problem{Status: 409, Code: "offer_over"}},
	{booking.ErrUnavailable, Unavailable},

	{wallet.ErrInvalidAmount, Problem{Status: 422, Code: "invalid",
		Fields: []Field{{Name: "amount", Reason: "out_of_range", Min: wallet.MinCharge, Max: wallet.MaxCharge}}}},
	{wallet.ErrInvalidWithdrawal, Problem{Status: 422, Code: "invalid",
		Fields: []Field{{Name: "amount", Reason: "out_of_range", Min: wallet.MinWithdrawal, Max: wallet.MaxWithdrawal}}}},
	{wallet.ErrBalanceTooLow, Problem{Status: 402, Code: "balance_too_low"}},
	{wallet.ErrBalanceLimit, Problem{Status: 409, Code: "balance_limit"}},
	{wallet.ErrKeyReused, Problem{Status: 422, Code: waiting.CodeKeyReused}},

	{coupon.ErrNotFound, NotFound},

	{identity.ErrEmailTaken, Problem{Status: 409, Code: "email_taken"}},
	{identity.ErrWrongPassword, Problem{Status: 401, Code: "wrong_password"}},
	{identity.ErrInvalidSession, Unauthenticated},
	{identity.ErrNotFound, Unauthenticated},
	{identity.ErrBusy, Problem{Status: 503, Code: "busy", MeanRetry: UsualPause}},

	{waiting.ErrInProgress, Problem{Status: 409, Code: "in_progress", MeanRetry: UsualPause}},
	{waiting.ErrCrowded, Problem{Status: 503, Code: "overloaded", MeanRetry: UsualPause}},
	{waiting.ErrTooMany, Problem{Status: 429, Code: "too_many_lines", MeanRetry: 30 * time.Second}},
	{waiting.ErrLineFull, Problem{Status: 503, Code: "line_full", MeanRetry: 30 * time.Second}},
	{waiting.ErrUnknownTicket, NotFound},
	{waiting.ErrClosing, Unavailable},
	{waiting.ErrUnavailable, Unavailable},
	{locks.ErrServing, Problem{Status: 409, Code: "being_served", MeanRetry: UsualPause}},

	{context.DeadlineExceeded, Unavailable},
	{context.Canceled, Unavailable},
}

// ProblemOf says what an error means. An error that no rule names is Internal: its text is for the log only.
func ProblemOf(err error) Problem { return problemOf(err).withRetry() }

// withRetry chooses how long this client waits, so that those refused together do not come back together.
func (f Problem) withRetry() Problem {
	if f.MeanRetry > 0 {
		f.RetryAfter = RandomPause(f.MeanRetry, time.Second)
	}
	return f
}

func problemOf(err error) Problem {
	var own Problem
	if errors.As(err, &own) {
		return own
	}
	if f, ok := ofInvalid(err); ok {
		return f
	}
	for _, rule := range problems {
		if errors.Is(err, rule.err) {
			return rule.fault
		}
	}
	var router *fiber.Error
	if errors.As(err, &router) {
		return ofRouter(router)
	}
	if waiting.Away(err) {
		return Unavailable
	}
	return Internal
}

// ofInvalid translates the errors that carry more than their name.
func ofInvalid(err error) (Problem, bool) {
	f := Problem{Status: 422, Code: "invalid"}
	var request *booking.InvalidError
	var signUp *identity.InvalidError
	var full *booking.SoldOutError
	var changed *booking.RefundChangedError
	var amount *booking.AmountChangedError
	switch {
	case errors.As(err, &request):
		for _, x := range request.Fields {
			f.Fields = append(f.Fields, Field{Name: x.Field, Reason: x.Reason, Min: x.Min, Max: x.Max})
		}
	case errors.As(err, &signUp):
		for _, x := range signUp.Fields {
			f.Fields = append(f.Fields, Field{Name: x.Field, Reason: x.Reason})
		}
	case errors.As(err, &full):
		f = Problem{Status: 409, Code: waiting.CodeSoldOut, Remaining: full.Remaining, OnHold: full.OnHold}
	case errors.As(err, &changed):
		f = Problem{Status: 409, Code: "refund_changed", Refund: changed.Refund}
	case errors.As(err, &amount):
		f = Problem{Status: 409, Code: waiting.CodeAmountChanged, Amount: amount.Amount}
	default:
		return Problem{}, false
	}
	return f, true
}

// ofRouter translates what Fiber itself refuses.
func ofRouter(err *fiber.Error) Problem {
	switch err.Code {
	case fiber.StatusNotFound:
		return NotFound
	case fiber.StatusMethodNotAllowed:
		return Problem{Status: err.Code, Code: "method_not_allowed"}
	case fiber.StatusRequestEntityTooLarge:
		return Problem{Status: err.Code, Code: "too_large"}
	case fiber.StatusRequestHeaderFieldsTooLarge:
		return Problem{Status: err.Code, Code: "header_too_large"}
	case fiber.StatusServiceUnavailable:
		return Unavailable
	}
	if err.Code >= 400 && err.Code < 500 {
		return Problem{Status: err.Code, Code: "bad_request"}
	}
	return Internal
}

// ProblemOfResult says what a final result of the waiting room means to whoever pressed; false for one that is no fault.
func ProblemOfResult(r waiting.Result) (Problem, bool) {
	switch {
	case r.State == waiting.Reserved || r.State == waiting.Waiting:
		return Problem{}, false
	case r.Code == waiting.CodeKeyReused:
		return ProblemOf(booking.ErrKeyReused), true
	case r.Code == waiting.CodeUnavailable:
		return Unavailable.withRetry(), true
	case r.Code == waiting.CodeBalanceTooLow:
		return ProblemOf(wallet.ErrBalanceTooLow), true
	case r.Code == waiting.CodeNotFound:
		return NotFound, true
	}
	return Problem{Status: 409, Code: r.Code, Remaining: r.Remaining, OnHold: r.OnHold, Amount: r.Amount, Short: waiting.Shortages(r),
		Seats: waiting.Seats(r)}, true
}
