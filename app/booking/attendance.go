package booking

import (
	"strings"
	"time"

	"lunchgo/app/refusal"
)

// ErrTooEarly says that staff cannot know yet what they say: whether a party came.
var ErrTooEarly = refusal.New(refusal.Conflict, "too_early", "booking: the party cannot have come yet")

// ErrSeatsGiven says that a mark cannot be undone, because the seats that it freed have gone to somebody else.
var ErrSeatsGiven = refusal.New(refusal.Conflict, "seats_given", "booking: the seats have been given to somebody else")

// MaxCapacity is the most covers a slot may be given.
const MaxCapacity = 1_000

// MaxFireLimit is the most people that a restaurant may say it holds.
const MaxFireLimit = 10_000

// ArrivalWindow is how long before its slot begins a party may arrive.
const ArrivalWindow = 30 * time.Minute

// OverstayGrace is how long after its stay a party that was seated is taken to sit there still, unless staff say that
// it is gone or seat somebody else at its table. Only the slots of its stay hold its seats.
const OverstayGrace = 30 * time.Minute

// Attendance is when staff, or the end of the stay, marked what became of a party; zero times for what is not marked.
type Attendance struct {
	ArrivedAt time.Time
	SeatedAt  time.Time
	EndedAt   time.Time // completed, or marked as a no-show
}

// MarkedAt is when the last mark was made; zero for none.
func (a Attendance) MarkedAt() time.Time {
	last := a.ArrivedAt
	for _, at := range []time.Time{a.SeatedAt, a.EndedAt} {
		if at.After(last) {
			last = at
		}
	}
	return last
}

// CheckMark says whether staff may mark a reservation at now as Arrived or Seated, from ArrivalWindow before its slot
// begins at start, as Completed, when the table is free again, or as NoShow, once the slot has begun. Returns
// ErrWrongState or ErrTooEarly.
func (r Reservation) CheckMark(state State, start, now time.Time) error {
	earliest := time.Time{}
	switch state {
	case Arrived, Seated:
		if r.State != Arrived { // who is there may sit down
			earliest = start.Add(-ArrivalWindow)
		}
	case NoShow:
		earliest = start
	case Completed:
	default:
		return ErrWrongState
	}
	switch {
	case !r.State.CanBecome(state):
		return ErrWrongState
	case now.Before(earliest):
		return ErrTooEarly
	}
	return nil
}

// UndoTo is the reservation as it was in an earlier state, Confirmed standing for PrepaidConfirmed too: it takes back,
// one by one, the marks since then. Returns the errors of Undo, and ErrWrongState when it never was in that state.
func (r Reservation) UndoTo(state State, end, now time.Time) (Reservation, error) {
	back := func(r Reservation) bool {
		return r.State == state || state == Confirmed && r.State == PrepaidConfirmed
	}
	if back(r) {
		return r, ErrWrongState
	}
	for !back(r) {
		var err error
		if r, err = r.Undo(r.State, end, now); err != nil {
			return r, ErrWrongState
		}
	}
	return r, nil
}

// Mark is the reservation once it is marked at now as CheckMark allows.
func (r Reservation) Mark(state State, now time.Time) Reservation {
	r.State = state
	switch state {
	case Arrived:
		r.Attendance.ArrivedAt = now
	case Seated:
		r.Attendance.SeatedAt = now
	default:
		r.Attendance.EndedAt = now
	}
	return r
}

// Undo is the reservation as it was before staff marked it, at now. The state says which mark they mean: a mark that
// somebody else has undone, or followed by another, stays as it is. Where the reservation held no seats, the caller has
// to take them again. Returns ErrWrongState when there is no such mark, or its stay, which ends at end, is over; a
// party that was seated may sit on for OverstayGrace.
func (r Reservation) Undo(marked State, end, now time.Time) (Reservation, error) {
	if r.State != marked {
		return r, ErrWrongState
	}
	paid := Confirmed
	if r.PaymentKind == Prepay {
		paid = PrepaidConfirmed
	}
	a := &r.Attendance
	switch {
	case marked == Arrived:
		r.State, a.ArrivedAt = paid, time.Time{}
	case marked == Seated:
		r.State, a.SeatedAt = arrivedOr(paid, *a), time.Time{}
	case marked == Completed && !a.EndedAt.IsZero() && !a.SeatedAt.IsZero() && now.Before(end.Add(OverstayGrace)):
		r.State, a.EndedAt = Seated, time.Time{}
	case marked == Completed && !a.EndedAt.IsZero() && now.Before(end):
		r.State, a.EndedAt = arrivedOr(paid, *a), time.Time{}
	case marked == NoShow && now.Before(end.Add(NoShowCorrection)):
		r.State, a.EndedAt = paid, time.Time{}
	default:
		return r, ErrWrongState
	}
	return r, nil
}

// NoShowCorrection is how long after the end of its stay a no-show can still be taken back.
const NoShowCorrection = 24 * time.Hour

func arrivedOr(paid State, a Attendance) State {
	if a.ArrivedAt.IsZero() {
		return paid
	}
	return Arrived
}

// CodeLength is how many characters of a reservation's id are said at the door.
const CodeLength = 6

// Code is short enough to be said at the door. It names a reservation among the guests of an evening, and gives no
// right to anything.
func (r Reservation) Code() string { return strings.ToUpper(r.ID[:min(CodeLength, len(r.ID))]) }
