package respond

import (
	"context"
	"errors"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/picture"
	"lunchgo/app/refusal"
	"lunchgo/app/waiting"
	"lunchgo/app/wallet"
	"lunchgo/locks"
)

// Problem is a refusal with what the request at hand adds to it. Handlers may return one as an error of their own.
type Problem struct {
	refusal.Refusal
	Status     int
	RetryAfter time.Duration // when another try may do, in whole seconds; 0 where it will not
	Fields     []Field       // what is wrong field by field, for refusal.Invalid; MostFields of them
	Cause      error         // the error that carries values, or the refusal itself; for refusal.Details
}

// MostFields is how many invalid fields a problem names: a document of some kilobytes can have tens of thousands.
const MostFields = 100

// Field is what is wrong with one field of a request; its sentence is "error.field.<Reason>" in the catalogues.
type Field struct {
	Name   string
	Reason string
	Min    int
	Max    int
}

func (p Problem) Error() string { return "problem: " + p.Code }
func (p Problem) Unwrap() error { return p.Cause }

// NewProblem is the problem of a refusal without values.
func NewProblem(r *refusal.Refusal) Problem {
	return Problem{Refusal: *r, Status: int(r.Kind), Cause: r}
}

// Invalid is the problem of fields that cannot be accepted.
func Invalid(fields ...Field) Problem {
	p := NewProblem(refusal.Invalid)
	p.Fields = fields
	return p
}

// ProblemOf says what an error means. An error that is no refusal is Internal: its text is for the log only.
func ProblemOf(err error) Problem {
	p := problemOf(err).withRetry()
	p.Fields = p.Fields[:min(len(p.Fields), MostFields)]
	return p
}

// withRetry chooses how long this client waits, so that those refused together do not come back together.
func (p Problem) withRetry() Problem {
	if p.Retry > 0 {
		p.RetryAfter = RandomPause(p.Retry, time.Second)
	}
	return p
}

func problemOf(err error) Problem {
	if own, ok := errors.AsType[Problem](err); ok {
		return own
	}
	if r := refusal.Of(err); r != nil {
		p := NewProblem(r)
		if carrier := r.Carrier(err); carrier != nil {
			p.Cause = carrier
		}
		if timed, ok := errors.AsType[refusal.Timed](err); ok {
			p.RetryAfter = timed.RetryAfter(time.Now())
		}
		p.Fields = invalidFields(err)
		return p
	}
	for _, known := range invalid {
		if errors.Is(err, known.err) {
			return Invalid(known.field)
		}
	}
	return ofLibrary(err)
}

// ofLibrary is the problem of an error that is not of the program's own.
func ofLibrary(err error) Problem {
	var router *fiber.Error
	switch {
	case errors.As(err, &router):
		return ofRouter(router)
	case errors.Is(err, locks.ErrServing):
		return NewProblem(waiting.ErrServing)
	case locks.IsAway(err), errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return NewProblem(Unavailable)
	}
	return NewProblem(Internal)
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

// invalidFields are those that an error lists; none for most.
func invalidFields(err error) (fields []Field) {
	for _, f := range refusal.Details[booking.InvalidError](err).Fields {
		fields = append(fields, Field{Name: f.Field, Reason: f.Reason, Min: f.Min, Max: f.Max})
	}
	for _, f := range refusal.Details[identity.InvalidError](err).Fields {
		fields = append(fields, Field{Name: f.Field, Reason: f.Reason})
	}
	return fields
}

// ProblemOfResult says what the final result of a ticket means; false for one whose request came true.
func ProblemOfResult(r waiting.Result) (Problem, bool) {
	err := r.Err()
	if err == nil {
		return Problem{}, false
	}
	return ProblemOf(err), true
}
