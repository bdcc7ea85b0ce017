package booking

import (
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"lunchgo/app/refusal"
)

// Bounds of what staff say to diners, in runes.
const (
	MaxReasonRunes = 200 // why a slot or the restaurant takes no reservations, or a seat is blocked
	MaxNoticeRunes = 300 // what is said to all who wait for a slot
)

// PlainText returns a text on one line, without spaces around it.
func PlainText(s string) string { return strings.Join(strings.Fields(s), " ") }

// CheckReason returns a reason that has to be given, as people see it. Returns *InvalidError about the field reason.
func CheckReason(reason string) (string, error) {
	reason = PlainText(reason)
	faults := CheckText("reason", reason, MaxReasonRunes)
	if reason == "" {
		faults = []FieldError{{Field: "reason", Reason: "required"}}
	}
	if len(faults) > 0 {
		return "", &InvalidError{Fields: faults}
	}
	return reason, nil
}

// CheckText returns what is wrong with a text that people see, as PlainText returns it: nothing for an empty one.
func CheckText(field, s string, mostRunes int) []FieldError {
	switch {
	case !IsVisible(s):
		return []FieldError{{Field: field, Reason: "invalid_text"}}
	case utf8.RuneCountInString(s) > mostRunes:
		return []FieldError{{Field: field, Reason: "too_long", Max: mostRunes}}
	}
	return nil
}

// ClosedError is ErrClosed with the reason that staff give.
type ClosedError struct {
	Reason string `json:"closedReason,omitempty"` // for diners; not empty
}

func (e *ClosedError) Error() string { return ErrClosed.Error() + ": " + e.Reason }
func (e *ClosedError) Unwrap() error { return ErrClosed }

// CheckClosed returns why a slot takes no reservations at all: ErrClosed, *ClosedError if there is a reason, or nil.
func (o Occupancy) CheckClosed() error {
	switch {
	case !o.Closed:
		return nil
	case o.Reason != "":
		return &ClosedError{Reason: o.Reason}
	}
	return ErrClosed
}

// PausedError is ErrPaused with the slot, for staff, who are not to wait for nobody knows how long.
type PausedError struct {
	Slot   SlotKey `json:"-"`
	Reason string  `json:"pausedReason,omitempty"` // that staff gave; may be empty
}

func (e *PausedError) Error() string { return ErrPaused.Error() }
func (e *PausedError) Unwrap() error { return ErrPaused }

// NotOpenError is ErrNotOpenYet with the slot, and when it opens.
type NotOpenError struct {
	Slot    SlotKey   `json:"-"`
	OpensAt time.Time `json:"opensAt"` // in UTC
}

func (e *NotOpenError) Error() string { return ErrNotOpenYet.Error() }
func (e *NotOpenError) Unwrap() error { return ErrNotOpenYet }

// CheckStill returns why a slot that is not closed gives no seats at now: *PausedError, *NotOpenError, or nil.
func (o Occupancy) CheckStill(slot SlotKey, now time.Time) error {
	switch {
	case o.Closed:
		return nil
	case o.Paused:
		return &PausedError{Slot: slot, Reason: o.Reason}
	case o.OpensAt.After(now):
		return &NotOpenError{Slot: slot, OpensAt: o.OpensAt.UTC()}
	}
	return nil
}

// Party is a party that keeps staff from changing a slot.
type Party struct {
	ReservationID string    `json:"reservationId"`
	Time          TimeOfDay `json:"time"` // of the slot
	Name          string    `json:"name"`
	PartySize     int       `json:"partySize"`
	State         State     `json:"state"`
	SeatIDs       []int64   `json:"seatIds"` // its seats that are in the way, ascending
}

// MarshalJSON writes no seats as an empty list.
func (p Party) MarshalJSON() ([]byte, error) {
	type plain Party
	p.SeatIDs = append([]int64{}, p.SeatIDs...)
	return json.Marshal(plain(p))
}

// BelowSoldError reports that slots would have fewer covers than are taken. Nothing was changed.
type BelowSoldError struct {
	Sold    int     `json:"sold"`              // covers that are taken in the fullest of the slots
	Parties []Party `json:"parties,omitempty"` // who have them, by slot, the latest first
}

func (e *BelowSoldError) Error() string { return ErrBelowSold.Error() }
func (e *BelowSoldError) Unwrap() error { return ErrBelowSold }

// SeatsInUseError reports that seats cannot be blocked because somebody has them. Nothing was changed.
type SeatsInUseError struct {
	Parties []Party `json:"parties,omitempty"` // who have them, by slot
}

// ErrSeatsInUse is what a *SeatsInUseError unwraps to.
var ErrSeatsInUse = refusal.Declare(refusal.Refusal{Kind: refusal.Conflict, Code: "seats_in_use",
	New: func() error { return new(SeatsInUseError) }, Text: "booking: somebody has the seats"})

func (e *SeatsInUseError) Unwrap() error { return ErrSeatsInUse }

func (e *SeatsInUseError) Error() string { return "booking: somebody has the seats" }
