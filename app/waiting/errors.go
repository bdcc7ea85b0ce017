package waiting

import (
	"errors"
	"fmt"
)

// What can go wrong in the waiting room.
var (
	ErrInProgress    = errors.New("waiting: another request of the same person is in progress")
	ErrCrowded       = errors.New("waiting: too many come at once")
	ErrTooMany       = errors.New("waiting: the person waits in too many lines")
	ErrLineFull      = errors.New("waiting: the line is at its longest")
	ErrUnknownTicket = errors.New("waiting: no such ticket")
	ErrClosing       = errors.New("waiting: the server is about to end")
	ErrOvertaken     = errors.New("waiting: a later turn was served before")
	ErrUnavailable   = errors.New("waiting: cannot be served just now")
)

// OvertakenError is an ErrOvertaken that says under which fence the store has served.
type OvertakenError struct{ Stored int64 }

func (e *OvertakenError) Error() string {
	return fmt.Sprintf("%v under fence %d", ErrOvertaken, e.Stored)
}
func (e *OvertakenError) Unwrap() error { return ErrOvertaken }
