package waiting

import (
	"encoding/json"
	"errors"
	"fmt"

	"lunchgo/app/refusal"
)

// Refusals of tickets that ended without a turn.
var (
	ErrLeft = refusal.Declare(refusal.Refusal{Kind: refusal.Conflict, Code: "left", Turn: true, Headline: "left",
		Text: "waiting: the diner left the line"})
	ErrWaitTimeout = refusal.Declare(refusal.Refusal{Kind: refusal.Conflict, Code: "wait_timeout", Turn: true,
		Headline: "wait_timeout", Text: "waiting: the ticket waited too long"})
	ErrRemoved = refusal.Declare(refusal.Refusal{Kind: refusal.Conflict, Code: "removed", Turn: true,
		Headline: "removed", New: func() error { return new(RemovedError) },
		Text: "waiting: staff took the ticket out of the line"})
)

// RemovedError reports that staff took a ticket out of its line.
type RemovedError struct {
	Reason string `json:"removedReason,omitempty"` // in their words, for the diner
}

func (e *RemovedError) Error() string { return ErrRemoved.Error() + ": " + e.Reason }
func (e *RemovedError) Unwrap() error { return ErrRemoved }

// counted is a refusal that carries two numbers and nothing else. A result stores them as they are: in a rush most are
// refused so.
type counted interface {
	error
	Counts() (remaining, onHold int)
	SetCounts(remaining, onHold int)
}

// Refused is the result of a request that was refused with err, with the values that err carries. An error that is no
// refusal of a turn is refusal.Unavailable.
func Refused(err error) Result {
	r := refusal.Of(err)
	if r == nil || !r.Turn {
		return refusedAs(refusal.Unavailable)
	}
	result := refusedAs(r)
	if r.New == nil {
		return result
	}
	if numbers, ok := errors.AsType[counted](err); ok {
		result.Remaining, result.OnHold = numbers.Counts()
		return result
	}
	if carrier := r.Carrier(err); carrier != nil {
		text, _ := json.Marshal(carrier) // numbers, times, codes and texts can always be written
		result.Detail = string(text)
	}
	return result
}

func refusedAs(r *refusal.Refusal) Result { return Result{State: Rejected, Code: r.Code} }

// Err is the error that a result stands for, as the use case returned it; nil while the ticket waits and where the
// request came true. Returns ErrUnavailable for a code that a newer process stored.
func (r Result) Err() error {
	if r.Code == "" {
		return nil
	}
	known := refusal.ByCode(r.Code)
	if known == nil {
		return fmt.Errorf("%w: unknown code %q", ErrUnavailable, r.Code)
	}
	if known.New == nil {
		return known
	}
	err := known.New()
	if numbers, ok := err.(counted); ok {
		numbers.SetCounts(r.Remaining, r.OnHold)
		return err
	}
	if r.Detail == "" || json.Unmarshal([]byte(r.Detail), err) != nil {
		return known // without its values it is still refused
	}
	return err
}
