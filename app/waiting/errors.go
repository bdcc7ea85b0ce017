package waiting

import (
	"errors"
	"fmt"
	"time"

	"lunchgo/app/refusal"
)

// What can go wrong in the waiting room.
var (
	ErrInProgress = refusal.Declare(refusal.Refusal{Kind: refusal.Conflict, Code: "in_progress",
		Headline: "in_progress", Retry: refusal.UsualPause,
		Text: "waiting: another request of the same person is in progress"})
	ErrCrowded = refusal.Declare(refusal.Refusal{Kind: refusal.TemporarilyUnfit, Code: "overloaded",
		Retry: refusal.UsualPause,
		Text:  "waiting: too many come at once"})
	ErrTooMany = refusal.Declare(refusal.Refusal{Kind: refusal.TooMany, Code: "too_many_lines", Retry: 30 * time.Second,
		Text: "waiting: the person waits in too many lines"})
	ErrLineFull = refusal.Declare(refusal.Refusal{Kind: refusal.TemporarilyUnfit, Code: "line_full",
		Retry: 30 * time.Second,
		Text:  "waiting: the line is at its longest"})
	ErrServing = refusal.Declare(refusal.Refusal{Kind: refusal.Conflict, Code: "being_served",
		Retry: refusal.UsualPause, Text: "waiting: the ticket is being served"})
	ErrUnknownTicket = refusal.NotFound.Because("waiting: no such ticket")
	ErrClosing       = refusal.Unavailable.Because("waiting: the server is about to end")
	ErrOvertaken     = errors.New("waiting: a later turn was served before")
	ErrUnavailable   = refusal.Unavailable.Because("waiting: cannot be served just now")
)

// OvertakenError is an ErrOvertaken that says under which fence the store has served.
type OvertakenError struct{ Stored int64 }

func (e *OvertakenError) Error() string {
	return fmt.Sprintf("%v under fence %d", ErrOvertaken, e.Stored)
}
func (e *OvertakenError) Unwrap() error { return ErrOvertaken }
