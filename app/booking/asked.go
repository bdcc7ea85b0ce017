package booking

import "time"

// PayWithin is how long a guest has for the deposit that staff ask for.
type PayWithin string

// The times that staff choose from. None lasts beyond the start of the slot.
const (
	AnHour     PayWithin = "1h"
	ThreeHours PayWithin = "3h"
	UntilNoon  PayWithin = "noon" // of the next day, at the restaurant
)

// LeastTimeToPay is what a guest has at least who is asked for the deposit, however long the line stood.
const LeastTimeToPay = 10 * time.Minute

// PayWithins are all of them.
func PayWithins() []PayWithin { return []PayWithin{AnHour, ThreeHours, UntilNoon} }

// deadline returns until when a guest can pay who is asked at now for a slot that begins at start, in the zone of the
// restaurant; false for an unknown choice.
func (p PayWithin) deadline(start, now time.Time) (time.Time, bool) {
	var until time.Time
	switch p {
	case AnHour:
		until = now.Add(time.Hour)
	case ThreeHours:
		until = now.Add(3 * time.Hour)
	case UntilNoon:
		local := now.In(start.Location())
		until = time.Date(local.Year(), local.Month(), local.Day()+1, 12, 0, 0, 0, start.Location())
	default:
		return until, false
	}
	if start.Before(until) {
		until = start
	}
	return until, true
}

func payWithinFault(reason string) error {
	return &InvalidError{Fields: []FieldError{{Field: "payWithin", Reason: reason}}}
}

// askDeposit makes a request a hold until its guest has paid the deposit. Returns *InvalidError.
func (d GuestDraft) askDeposit(r Restaurant, req *Request, now time.Time) error {
	start, err := r.Start(req.Slot.Date, req.Slot.Time)
	if err != nil {
		return err
	}
	by, known := d.PayWithin.deadline(start, now)
	switch {
	case !known:
		return payWithinFault("unknown")
	case d.Source != Phone || req.DepositAmount == 0:
		return payWithinFault("no_deposit")
	case by.Sub(now) < LeastTimeToPay:
		return payWithinFault("too_soon")
	}
	req.HoldTime, req.Policy.ExtensionMinutes = by.Sub(now), 0
	req.Guest.State, req.Guest.Email, req.Guest.PayWithin, req.Guest.PayBy = Temporary, d.Email, d.PayWithin, by
	return nil
}

// IsAskedToPay returns whether staff booked for somebody who called, and asked for the deposit.
func (r Reservation) IsAskedToPay() bool { return r.BookedBy != "" && r.UserID != "" }

// AwaitsDeposit returns whether a guest whom staff asked for the deposit can still pay it at now.
func (r Reservation) AwaitsDeposit(now time.Time) bool { return r.IsAskedToPay() && r.IsHeld(now) }

// Waive is the reservation confirmed by staff at now, without the deposit that they had asked for. Returns
// ErrWrongState unless it awaits that, and ErrChangedMeanwhile when its guest has changed it: what a change agreed
// stays.
func (r Reservation) Waive(now time.Time) (Reservation, error) {
	switch {
	case !r.AwaitsDeposit(now):
		return r, ErrWrongState
	case r.Changes > 0:
		return r, ErrChangedMeanwhile
	}
	r.State, r.ConfirmedAt = Confirmed, now
	r.DepositAmount, r.Policy.Deposit = 0, DepositTier{Kind: NoDeposit}
	return r, nil
}

// Postpone is the reservation, whose slot begins at start, with more time for the deposit, counted from now. Returns
// ErrWrongState unless it awaits that, and *InvalidError for a time that is unknown or hardly later than before: each
// sends a letter.
func (r Reservation) Postpone(within PayWithin, start, now time.Time) (Reservation, error) {
	until, known := within.deadline(start, now)
	switch {
	case !r.AwaitsDeposit(now):
		return r, ErrWrongState
	case !known:
		return r, payWithinFault("unknown")
	case until.Sub(r.HoldExpiresAt) < LeastTimeToPay:
		return r, payWithinFault("not_later")
	}
	r.HoldExpiresAt = until
	return r, nil
}
