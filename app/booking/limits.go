package booking

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"lunchgo/app/refusal"
)

// Limits are what one account may have at a time, so that nobody keeps seats from others that cost nothing to keep. Two
// rules have no number: no two reservations of an account overlap in time, at whichever restaurants, and a slot in
// which a hold of the account has expired takes its next hold only after the length of a hold.
//
// The booking transaction decides them under the lock of the account, so they hold for any number of requests at once.
// They bind what diners do, not what staff do.
type Limits struct {
	Holds            int // temporary reservations that the diner has made; offers of the waitlist do not count
	UnconfirmedHolds int // the same while the diner's e-mail address is not confirmed
	// UnconfirmedShare is the percentage of a slot's covers that holds of such accounts have together, at most.
	UnconfirmedShare int
	Unpaid           int // reservations to come that cost nothing
	Entries          int // places on waitlists on which the diner waits, for seats or for an answer
}

// DefaultLimits are those of an installation that sets none.
func DefaultLimits() Limits {
	return Limits{Holds: 3, UnconfirmedHolds: 1, UnconfirmedShare: 50, Unpaid: 10, Entries: 5}
}

// Diner is what the limits look at: what the account of a diner has, read under the lock of its row.
type Diner struct {
	Confirmed bool        // the e-mail address
	Visits    []HeldVisit // reservations that hold seats
	// HoldEnded is when the last hold that the diner had in one of the requested slots expired; zero without one. A
	// longer time ago than a hold lasts it may be zero as well.
	HoldEnded time.Time
}

// HeldVisit is when a party has its seats, and what the limits count of its reservation.
type HeldVisit struct {
	ReservationID string
	State         State
	Start, End    time.Time
	Offered       bool // by the waitlist
	Unpaid        bool // see Reservation.Unpaid
}

// Unpaid returns whether a reservation costs nothing: nothing was paid, and nothing is to pay for its confirmation.
func (r Reservation) Unpaid() bool {
	return r.PaidAmount == 0 && (r.State != Temporary && r.State != Expired || r.DepositToPay() == 0)
}

// TooManyReason says which limit a TooManyHoldsError is about.
type TooManyReason string

// The limits that a TooManyHoldsError is about.
const (
	TooManyHolds       TooManyReason = "holds"
	TooManyUnconfirmed TooManyReason = "unconfirmed"
	TooManyUnpaid      TooManyReason = "unpaid"
	// TooManyInSlot: the slot has as many covers on hold for unconfirmed accounts as Limits.UnconfirmedShare allows.
	TooManyInSlot TooManyReason = "unconfirmed_slot"
)

// TooManyHoldsError reports that the account has as many reservations as a limit allows.
type TooManyHoldsError struct {
	Limit  int           `json:"limit"`
	Reason TooManyReason `json:"reason"`
}

// ErrTooManyHolds is what a *TooManyHoldsError unwraps to.
var ErrTooManyHolds = refusal.Declare(refusal.Refusal{Kind: refusal.Conflict, Code: "too_many_holds", Turn: true,
	Headline: "too_many_holds", Unchanged: "unchanged_limit", New: func() error { return new(TooManyHoldsError) },
	Text: "booking: as many reservations as a limit allows"})

func (e *TooManyHoldsError) Unwrap() error { return ErrTooManyHolds }

// Phrase implements refusal.Phrased.
func (e *TooManyHoldsError) Phrase() (string, []any) {
	return "limit." + string(e.Reason), []any{"Count", e.Limit}
}

func (e *TooManyHoldsError) Error() string {
	return fmt.Sprintf("booking: no more than %d: %s", e.Limit, e.Reason)
}

// OverlappingError reports that the diner has a reservation at that time.
type OverlappingError struct {
	ReservationID string `json:"reservationId"`
}

// ErrOverlapping is what an *OverlappingError unwraps to.
var ErrOverlapping = refusal.Declare(refusal.Refusal{Kind: refusal.Conflict, Code: "overlapping", Turn: true,
	Headline: "overlapping", Unchanged: "unchanged_overlapping", New: func() error { return new(OverlappingError) },
	Text: "booking: it overlaps another reservation"})

func (e *OverlappingError) Unwrap() error { return ErrOverlapping }

// Phrase implements refusal.Phrased.
func (e *OverlappingError) Phrase() (string, []any) { return "limit.overlapping", nil }

func (e *OverlappingError) Error() string {
	return "booking: it overlaps reservation " + e.ReservationID
}

// HeldRecentlyError reports that the diner let a hold in the slot expire.
type HeldRecentlyError struct {
	Until time.Time `json:"until"` // when the diner can have the next one
}

// ErrHeldRecently is what a *HeldRecentlyError unwraps to.
var ErrHeldRecently = refusal.Declare(refusal.Refusal{Kind: refusal.TooMany, Code: "held_recently", Turn: true,
	Headline: "held_recently", Unchanged: "unchanged_recently", New: func() error { return new(HeldRecentlyError) },
	Text: "booking: a hold in the slot expired a moment ago"})

func (e *HeldRecentlyError) Unwrap() error { return ErrHeldRecently }

// Phrase implements refusal.Phrased.
func (e *HeldRecentlyError) Phrase() (string, []any) {
	return "limit.recently", []any{"Time", e.Until}
}

// RetryAfter implements refusal.Timed.
func (e *HeldRecentlyError) RetryAfter(now time.Time) time.Duration {
	return max(time.Second, e.Until.Sub(now).Truncate(time.Second)+time.Second)
}

// Members implements refusal.Guarded: programs see when to ask again.
func (e *HeldRecentlyError) Members() any { return nil }

func (e *HeldRecentlyError) Error() string {
	return fmt.Sprintf("booking: a hold in the slot expired, the next is possible at %v", e.Until)
}

// newHold returns why a diner cannot have a hold for a visit; nil if nothing speaks against it.
func (l Limits) newHold(d Diner, visit HeldVisit, hold time.Duration, now time.Time) error {
	return cmp.Or(d.overlap(visit), d.heldRecently(hold, now), l.tooManyHolds(d), l.tooManyUnpaid(d, visit, now))
}

// CheckHolds returns why a diner cannot have another hold of some length, as far as it takes no place to know: of Visits
// only those on hold count. Returns *HeldRecentlyError, *TooManyHoldsError, or nil.
func (l Limits) CheckHolds(d Diner, hold time.Duration, now time.Time) error {
	return cmp.Or(d.heldRecently(hold, now), l.tooManyHolds(d))
}

// CheckSeats returns why a diner cannot have the seats of a visit that no press asks for, or that replaces one of
// Visits: an offer, a late payment, a change. Returns *OverlappingError, *TooManyHoldsError, or nil.
func (l Limits) CheckSeats(d Diner, visit HeldVisit, now time.Time) error {
	return cmp.Or(d.overlap(visit), l.tooManyUnpaid(d, visit, now))
}

// overlap ignores reservations that the diner has cancelled, although they hold their seats until the refund is paid.
func (d Diner) overlap(visit HeldVisit) error {
	for _, v := range d.Visits {
		if v.State != RefundPending && v.ReservationID != visit.ReservationID && v.Start.Before(visit.End) &&
			visit.Start.Before(v.End) {
			return &OverlappingError{ReservationID: v.ReservationID}
		}
	}
	return nil
}

// heldRecently ignores a hold that ended while the clock was ahead: no limit outlasts its window.
func (d Diner) heldRecently(hold time.Duration, now time.Time) error {
	if until := d.HoldEnded.Add(hold); !d.HoldEnded.IsZero() && !d.HoldEnded.After(now) && now.Before(until) {
		return &HeldRecentlyError{Until: until}
	}
	return nil
}

func (l Limits) tooManyHolds(d Diner) error {
	holds := 0
	for _, v := range d.Visits {
		if v.State == Temporary && !v.Offered {
			holds++
		}
	}
	switch {
	case !d.Confirmed && holds >= l.UnconfirmedHolds:
		return &TooManyHoldsError{Limit: l.UnconfirmedHolds, Reason: TooManyUnconfirmed}
	case holds >= l.Holds:
		return &TooManyHoldsError{Limit: l.Holds, Reason: TooManyHolds}
	}
	return nil
}

// tooManyUnpaid counts holds whose confirmation costs nothing as well: they become the reservations that it limits.
func (l Limits) tooManyUnpaid(d Diner, visit HeldVisit, now time.Time) error {
	unpaid := 0
	for _, v := range d.Visits {
		if v.Unpaid && v.ReservationID != visit.ReservationID && v.State != RefundPending && now.Before(v.Start) {
			unpaid++
		}
	}
	if visit.Unpaid && unpaid >= l.Unpaid {
		return &TooManyHoldsError{Limit: l.Unpaid, Reason: TooManyUnpaid}
	}
	return nil
}

// Unconfirmed is what the limits look at of accounts whose e-mail address is not confirmed.
type Unconfirmed struct {
	Users map[string]bool // of the run
	Held  []int           // covers of the holds of all such accounts, in each slot of the turn
}

func (u Unconfirmed) clone() Unconfirmed {
	u.Held = slices.Clone(u.Held)
	return u
}

// add notes that an account holds so many covers more, or fewer, in a slot of the turn.
func (u Unconfirmed) add(user string, slot, covers int) {
	if u.Users[user] {
		u.Held[slot] += covers
	}
}

// tooManyInSlots returns why an account cannot have so many covers more on hold in the slots of a turn.
func (s SlotState) tooManyInSlots(user string, more []int) error {
	if !s.Unconfirmed.Users[user] {
		return nil
	}
	for i, held := range s.Unconfirmed.Held {
		if most := s.Slots[i].Capacity * s.Limits.UnconfirmedShare / 100; more[i] > 0 && held+more[i] > most {
			return &TooManyHoldsError{Limit: most, Reason: TooManyInSlot}
		}
	}
	return nil
}

// limit returns the limit of the requesting diner that speaks against a new reservation. It comes after all other
// reasons: nobody shall cancel a hold for seats that they would not have got.
func (s SlotState) limit(out Outcome) error {
	req := out.Request
	if req.Guest != nil {
		return nil
	}
	err := s.tooManyInSlots(req.Diner(), slices.Repeat([]int{req.PartySize}, len(s.Slots)))
	if err != nil {
		return err
	}
	diner, known := s.Diners[req.Diner()]
	if !known {
		return nil
	}
	made := Reservation{State: Temporary, DepositAmount: req.DepositAmount, Discount: out.Discount}
	visit := HeldVisit{Start: s.Start, End: s.End, Unpaid: made.Unpaid()}
	return s.Limits.newHold(diner, visit, req.HoldTime, s.Now)
}

// limit returns the limit of the diner that speaks against a change: of its time, and of what it costs. A hold in the
// requested slots lasts for hold.
func (s ChangeState) limit(next Revision, hold time.Duration) error {
	visit := HeldVisit{ReservationID: next.ID, Start: s.NextStart, End: s.NextEnd, Unpaid: next.Unpaid() &&
		!s.Reservation.Unpaid()}
	if slices.Equal(s.Reservation.Slots(), next.Slots()) {
		return s.Limits.tooManyUnpaid(s.Diner, visit, s.Now)
	}
	if next.State != Temporary {
		hold = 0 // it is no hold
	}
	return cmp.Or(s.Diner.overlap(visit), s.Diner.heldRecently(hold, s.Now),
		s.Limits.tooManyUnpaid(s.Diner, visit, s.Now))
}
