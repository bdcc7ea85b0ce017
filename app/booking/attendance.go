package booking

import (
	"errors"
	"strings"
	"time"
)

// ErrTooEarly says that staff cannot know yet what they say: whether a party came.
var ErrTooEarly = errors.New("booking: the party cannot have come yet")

// MaxCapacity is the most covers a slot may be given.
const MaxCapacity = 1_000

// CheckFinish says whether a reservation whose slot begins at start may be marked at now as Completed, on its day, or as
// NoShow, once its slot has begun. Earlier than that its seats would go back on sale while the party still comes. Returns
// ErrWrongState or ErrTooEarly.
func (r Reservation) CheckFinish(state State, start, now time.Time) error {
	switch {
	case !r.State.CanBecome(state):
		return ErrWrongState
	case state == NoShow && now.Before(start), now.In(start.Location()).Format(time.DateOnly) < start.Format(time.DateOnly):
		return ErrTooEarly
	}
	return nil
}

// codeLength is how many characters of a reservation's id are said at the door.
const codeLength = 6

// Code is short enough to be said at the door. It names a reservation among the guests of an evening, and gives no right
// to anything.
func (r Reservation) Code() string { return strings.ToUpper(r.ID[:min(codeLength, len(r.ID))]) }
