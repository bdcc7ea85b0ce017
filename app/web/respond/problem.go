package respond

import (
	"errors"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/picture"
	"lunchgo/app/setup"
	"lunchgo/app/waiting"
	"lunchgo/app/wallet"
	"lunchgo/locks"
)

// Problem is an outcome with what the request at hand adds to it. Handlers may return one as an error of their own.
type Problem struct {
	Status     int
	Code       string        // of an Outcome
	RetryAfter time.Duration // when another try may do, in whole seconds; 0 where it will not
	MeanRetry  time.Duration // of a random RetryAfter, which ProblemOf chooses for each answer; 0 for none
	Fields     []Field       // what is wrong field by field, for 422

	Remaining int   // seats left, for sold_out
	OnHold    int   // seats that may return, for sold_out
	Refund    int64 // won that comes back by now, for refund_changed
	// won that a change costs by now, for amount_changed; negative for what comes back
	Amount        int64
	Short         []booking.Shortage     // dishes of which less is left than was ordered, for out_of_stock
	Seats         booking.SeatTakenError // for seat_taken
	HeldSeats     []setup.HeldSeat       // for seats_held
	ReservationID string                 // the diner's own, for duplicate and overlapping
	ClaimID       string                 // of the coupon that the person has, for already_claimed
	Limit         int                    // of what the account can have, for too_many_holds
	Reason        booking.TooManyReason  // which limit that is
	ClosedReason  string                 // that staff give, for closed
	RemovedReason string                 // likewise, for removed
	PausedReason  string                 // likewise, for paused
	// when the slot begins to take reservations, for its not_open; zero for a campaign's
	OpensAt time.Time
	Sold    int             // covers that are taken, for below_sold
	Parties []booking.Party // who keep staff from a change, for below_sold and seats_in_use

	Checks []booking.Contradiction // what keeps a restaurant from being published, for not_ready
}

// Field is what is wrong with one field of a request; its sentence is "error.field.<Reason>" in the catalogues.
type Field struct {
	Name   string
	Reason string
	Min    int
	Max    int
}

func (p Problem) Error() string { return "problem: " + p.Code }

// CodeSeatsHeld is the code of the problem that coming reservations hold seats that a document would take away.
const CodeSeatsHeld = "seats_held"

// CodeRefundChanged is the code of the problem that less comes back than the diner saw.
const CodeRefundChanged = "refund_changed"

// CodeBelowSold is the code of the problem that a slot would have fewer covers than are taken.
const CodeBelowSold = "below_sold"

// CodePaused is the code of the problem that a slot is paused for which staff book.
const CodePaused = "paused"

// CodeSeatsInUse is the code of the problem that seats cannot be blocked because somebody has them.
const CodeSeatsInUse = "seats_in_use"

// Problems that handlers return by themselves.
var (
	Unauthenticated = NewProblem("unauthenticated")
	Forbidden       = NewProblem("forbidden")
	CrossSite       = NewProblem("cross_site")
	NotFound        = NewProblem(waiting.CodeNotFound)
	BadRequest      = NewProblem("bad_request")
	MissingKey      = NewProblem("idempotency_key_required")
	InvalidKey      = NewProblem("idempotency_key_invalid")
	TooLarge        = NewProblem("too_large")
	MediaType       = NewProblem("unsupported_media_type")
	Internal        = NewProblem("internal")
	Unavailable     = NewProblem(waiting.CodeUnavailable)
)

// NewProblem is the problem of a code; Internal's for a code that is not in the table.
func NewProblem(code string) Problem {
	o, ok := OutcomeOf(code)
	if !ok {
		o, _ = OutcomeOf("internal")
	}
	return Problem{Status: o.Status, Code: o.Code, MeanRetry: o.MeanRetry}
}

// Invalid is the problem of fields that cannot be accepted.
func Invalid(fields ...Field) Problem {
	p := NewProblem("invalid")
	p.Fields = fields
	return p
}

// ProblemOf says what an error means. An error that the table does not name is Internal: its text is for the log only.
func ProblemOf(err error) Problem { return problemOf(err).withRetry() }

// withRetry chooses how long this client waits, so that those refused together do not come back together.
func (p Problem) withRetry() Problem {
	if p.MeanRetry > 0 {
		p.RetryAfter = RandomPause(p.MeanRetry, time.Second)
	}
	return p
}

func problemOf(err error) Problem {
	var own Problem
	if errors.As(err, &own) {
		return own
	}
	if p, ok := ofDetailed(err); ok {
		return p
	}
	if p, ok := ofLimit(err); ok {
		return p
	}
	var notReady *setup.NotReadyError
	if errors.As(err, &notReady) {
		p := NewProblem("not_ready")
		p.Checks = notReady.Found
		return p
	}
	if code := waiting.CodeOf(err); code != "" {
		return NewProblem(code)
	}
	for _, o := range outcomes {
		for _, known := range o.Errs {
			if errors.Is(err, known) {
				return NewProblem(o.Code)
			}
		}
	}
	for _, known := range invalid {
		if errors.Is(err, known.err) {
			return Invalid(known.field)
		}
	}
	var router *fiber.Error
	if errors.As(err, &router) {
		return ofRouter(router)
	}
	if locks.IsAway(err) {
		return Unavailable
	}
	return Internal
}

// invalid are the errors that mean one field of a request.
var invalid = []struct {
	err   error
	field Field
}{
	{picture.ErrUnknown, Field{Name: "picture", Reason: "no_picture"}},
	{picture.ErrBroken, Field{Name: "picture", Reason: "broken_picture"}},
	{picture.ErrTooBig, Field{Name: "picture", Reason: "too_many_pixels"}},
	{picture.ErrTooSmall, Field{Name: "picture", Reason: "too_few_pixels", Min: picture.MinSide}},
	{booking.ErrInvalidDate, Field{Name: "date", Reason: "invalid_date"}},
	{booking.ErrInvalidTime, Field{Name: "time", Reason: "invalid_time"}},
	{booking.ErrNoSuchTime, Field{Name: "time", Reason: "no_such_time"}},
	{booking.ErrOutsideHours, Field{Name: "time", Reason: "outside_hours"}},
	{wallet.ErrInvalidAmount, Field{Name: "amount", Reason: "out_of_range", Min: wallet.MinCharge,
		Max: wallet.MaxCharge}},
	{wallet.ErrInvalidWithdrawal,
		Field{Name: "amount", Reason: "out_of_range", Min: wallet.MinWithdrawal, Max: wallet.MaxWithdrawal}},
}

// ofDetailed translates the errors that carry more than their name.
func ofDetailed(err error) (p Problem, ok bool) {
	var request *booking.InvalidError
	var signUp *identity.InvalidError
	var letters *identity.LetterLimitError
	var full *booking.SoldOutError
	var short *booking.OutOfStockError
	var gone *booking.SeatTakenError
	var refund *booking.RefundChangedError
	var amount *booking.AmountChangedError
	var held *setup.HeldSeatsError
	switch {
	case errors.As(err, &request):
		p = Invalid()
		for _, f := range request.Fields {
			p.Fields = append(p.Fields, Field{Name: f.Field, Reason: f.Reason, Min: f.Min, Max: f.Max})
		}
	case errors.As(err, &signUp):
		p = Invalid()
		for _, f := range signUp.Fields {
			p.Fields = append(p.Fields, Field{Name: f.Field, Reason: f.Reason})
		}
	case errors.As(err, &letters):
		p = NewProblem("too_many_letters")
		p.RetryAfter = (letters.Wait + time.Second - 1).Truncate(time.Second)
	case errors.As(err, &full):
		p = NewProblem(waiting.CodeSoldOut)
		p.Remaining, p.OnHold = full.Remaining, full.OnHold
	case errors.As(err, &short):
		p = NewProblem(waiting.CodeOutOfStock)
		p.Short = short.Items
	case errors.As(err, &gone):
		p = NewProblem(waiting.CodeSeatTaken)
		p.Seats = *gone
	case errors.As(err, &refund):
		p = NewProblem(CodeRefundChanged)
		p.Refund = refund.Refund
	case errors.As(err, &held):
		p = NewProblem(CodeSeatsHeld)
		p.HeldSeats = held.Held
	case errors.As(err, &amount):
		p = NewProblem(waiting.CodeAmountChanged)
		p.Amount = amount.Amount
	}
	if p.Code == "" {
		p = ofSteering(err)
	}
	return p, p.Code != ""
}

// ofSteering translates what keeps diners, and staff, from what they ask of a slot.
func ofSteering(err error) (p Problem) {
	var closed *booking.ClosedError
	var below *booking.BelowSoldError
	var inUse *booking.SeatsInUseError
	var removed *waiting.RemovedError
	var paused *booking.PausedError
	var notOpen *booking.NotOpenError
	switch {
	case errors.As(err, &paused):
		p = NewProblem(CodePaused)
		p.PausedReason = paused.Reason
	case errors.As(err, &notOpen):
		p = NewProblem(waiting.CodeNotOpen)
		p.OpensAt = notOpen.OpensAt
	case errors.As(err, &removed):
		p = NewProblem(waiting.CodeRemoved)
		p.RemovedReason = removed.Reason
	case errors.As(err, &closed):
		p = NewProblem(waiting.CodeClosed)
		p.ClosedReason = closed.Reason
	case errors.As(err, &below):
		p = NewProblem(CodeBelowSold)
		p.Sold, p.Parties = below.Sold, below.Parties
	case errors.As(err, &inUse):
		p = NewProblem(CodeSeatsInUse)
		p.Parties = inUse.Parties
	}
	return p
}

// ofLimit translates the limits of an account.
func ofLimit(err error) (p Problem, ok bool) {
	var overlapping *booking.OverlappingError
	var recently *booking.HeldRecentlyError
	var many *booking.TooManyHoldsError
	switch {
	case errors.As(err, &overlapping):
		p = NewProblem(waiting.CodeOverlapping)
		p.ReservationID = overlapping.ReservationID
	case errors.As(err, &recently):
		p = NewProblem(waiting.CodeHeldRecently)
		p.RetryAfter = max(time.Second, time.Until(recently.Until).Truncate(time.Second)+time.Second)
	case errors.As(err, &many):
		p = NewProblem(waiting.CodeTooManyHolds)
		p.Limit, p.Reason = many.Limit, many.Reason
	}
	return p, p.Code != ""
}

// ofRouter translates what Fiber itself refuses.
func ofRouter(err *fiber.Error) Problem {
	switch err.Code {
	case fiber.StatusNotFound:
		return NotFound
	case fiber.StatusMethodNotAllowed:
		return NewProblem("method_not_allowed")
	case fiber.StatusRequestEntityTooLarge:
		return TooLarge
	case fiber.StatusRequestHeaderFieldsTooLarge:
		return NewProblem("header_too_large")
	case fiber.StatusServiceUnavailable:
		return Unavailable
	}
	if err.Code >= 400 && err.Code < 500 {
		p := BadRequest
		p.Status = err.Code
		return p
	}
	return Internal
}

// ProblemOfResult says what the final result of a ticket means; false for one whose request came true.
func ProblemOfResult(r waiting.Result) (Problem, bool) {
	err := r.Err()
	if err == nil {
		return Problem{}, false
	}
	p := ProblemOf(err)
	p.ReservationID, p.ClaimID = r.ReservationID, r.ClaimID
	return p, true
}
