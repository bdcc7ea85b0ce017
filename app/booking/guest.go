package booking

import (
	"errors"
	"time"
)

// Source says how a reservation came about.
type Source string

// The sources of reservations.
const (
	Web    Source = "web"
	Phone  Source = "phone"   // staff booked for a caller
	WalkIn Source = "walk_in" // staff booked for somebody at the door
)

// staffHorizonDays is how far ahead staff may book, beyond what diners may.
const staffHorizonDays = 366

// Guest is somebody without an account for whom staff book. The reservation costs nothing and is nobody's hold, unless
// staff ask for the deposit: then it is the hold of a provisional account that was made for it.
type Guest struct {
	Name   string `json:"name"`
	Phone  string `json:"phone"` // empty if it is not known
	Source Source `json:"source"`
	State  State  `json:"state"` // Confirmed, or Arrived or Seated for who is there

	// Of a guest who is asked for the deposit only.
	Email     string    `json:"email,omitempty"`
	PayWithin PayWithin `json:"payWithin,omitempty"`
	PayBy     time.Time `json:"payBy,omitzero"`    // the end of the hold
	Account   string    `json:"account,omitempty"` // whose hold it is
}

// GuestDraft is an unchecked request of staff for a guest. Its coupon is ignored.
type GuestDraft struct {
	Draft
	Name   string
	Phone  string
	Source Source
	Seated bool // the party sits down at once
	// EndTime is when the party leaves, HH:MM, if that is before its stay would end; empty: it stays as long as any.
	EndTime string
	// Override asks for seats over the plan; nil: the plan holds.
	Override *Override
	// PayWithin has the guest pay the deposit by a letter to Email, until which the reservation is a hold; empty: it
	// costs nothing.
	PayWithin PayWithin
	Email     string
	Language  string // of the letter: "ko" or "en"
}

// Check turns a draft into a request that can enter the line. Staff are free where diners are not: in the time before a
// slot and the size of the party, up to the restaurant's capacity, and in the seats, which only have to suffice. A
// walk-in may come to a slot that has begun, and stays from now on. Returns *InvalidError with every invalid field; it
// does not check name and phone.
func (d GuestDraft) Check(r Restaurant, menu []MenuItem, now time.Time) (Request, error) {
	d.CouponID, d.Draft = 0, d.At(r, now)
	req, err := d.Draft.check(r, menu, r.staffRules(now, d.Source == WalkIn))
	faults := checkOverride(d.Override)
	if d.Source != Phone && d.Source != WalkIn {
		faults = append(faults, FieldError{Field: "source", Reason: "unknown"})
	}
	if err = AddFaults(err, faults); err != nil {
		return Request{}, err
	}
	req.Guest = &Guest{Name: d.Name, Phone: d.Phone, Source: d.Source, State: d.comesAs(r, req.Slot, now)}
	req.EndTime, req.Override = TimeOfDay(d.EndTime), d.Override
	if d.PayWithin == "" {
		req.DepositAmount, req.HoldTime, req.Policy.Deposit = 0, 0, DepositTier{Kind: NoDeposit}
	} else if err := d.askDeposit(r, &req, now); err != nil {
		return Request{}, err
	}
	if err := r.endBy(&req, d.EndTime); err != nil {
		return Request{}, err
	}
	return req, nil
}

// At returns the draft for a guest who comes at now: a walk-in to a slot that runs stays from now on, not from when the
// slot began.
func (d GuestDraft) At(r Restaurant, now time.Time) Draft {
	if d.Source == WalkIn {
		d.passed = r.passed(SlotKey{r.ID, Date(d.Date), TimeOfDay(d.Time)}, now)
	}
	return d.Draft
}

// endBy shortens the stay of a request to one that ends at a time, HH:MM: at which it ends anyway, or one of its slots
// does. It leaves the stay as it is if there is none, and the length that is agreed to with the terms, should a change
// give the party the slots for it again.
func (r Restaurant) endBy(req *Request, end string) error {
	lasts := req.Policy.lastsFor(1+len(req.Stay), r.SlotMinutes)
	if end == "" || string(after(req.Slot.Time, lasts)) == end {
		return nil
	}
	for n := range len(req.Stay) + 1 {
		if string(r.endOf(req.Slot.Time, 1+n)) == end {
			if n == len(req.Stay) {
				req.Policy.StayMinutes = 0
			}
			req.Stay = req.Stay[:n]
			return nil
		}
	}
	return &InvalidError{Fields: []FieldError{{Field: "endTime", Reason: "invalid_time"}}}
}

// endOf returns the local time at which some slots end.
func (r Restaurant) endOf(at TimeOfDay, slots int) TimeOfDay { return after(at, slots*r.SlotMinutes) }

// after returns the local time some minutes later.
func after(at TimeOfDay, minutes int) TimeOfDay {
	return timeOfDay((at.Minutes() + minutes) % minutesADay)
}

// comesAs returns the state in which a party is booked: a walk-in is there, unless it books for later.
func (d GuestDraft) comesAs(r Restaurant, slot SlotKey, now time.Time) State {
	start, err := r.Start(slot.Date, slot.Time)
	soon := max(ArrivalWindow, time.Duration(r.LeadMinutes)*time.Minute)
	switch {
	case err != nil || d.Source != WalkIn || now.Before(start.Add(-soon)):
		return Confirmed
	case d.Seated:
		return Seated
	}
	return Arrived
}

// Fingerprint is that of the request which the draft becomes when it is checked; it hides the one of Draft.
func (d GuestDraft) Fingerprint() string {
	d.CouponID = 0
	c := d.Draft.choices()
	c.Guest, c.GuestPhone, c.Source, c.EndTime = d.Name, d.Phone, d.Source, TimeOfDay(d.EndTime)
	if c.PayWithin = d.PayWithin; d.PayWithin != "" {
		c.Email = d.Email
	}
	c.Override = d.Override
	return c.fingerprint()
}

// checkBookableByStaff returns nil if staff may book a slot at now, else ErrPast, ErrTooFar, ErrNoSuchTime or
// ErrOutsideHours. begun says whether the slot may have begun; it is over once the next one begins.
func (r Restaurant) checkBookableByStaff(date Date, at TimeOfDay, now time.Time, begun bool) error {
	start, err := r.Start(date, at)
	last := start
	if begun {
		last = start.Add(time.Duration(r.SlotMinutes) * time.Minute)
	}
	switch {
	case err != nil:
		return err
	case !last.After(now):
		return ErrPast
	case date > DateOf(now, r.Location).AddDays(max(r.HorizonDays, staffHorizonDays)):
		return ErrTooFar
	case !r.opensAt(date, at):
		return ErrOutsideHours
	}
	return nil
}

// IsByStaff returns whether staff made the request for somebody.
func (r Request) IsByStaff() bool { return r.Guest != nil || r.Change != nil && r.Change.ByStaff }

// Diner returns whose account the request concerns; empty for a guest's who pays nothing.
func (r Request) Diner() string {
	switch {
	case r.Guest != nil:
		return r.Guest.Account
	case r.Change != nil && r.Change.ByStaff:
		return r.Change.Diner
	}
	return r.UserID
}

// IsGone returns whether an error says that what was asked for is not there any more: another slot may have it.
func IsGone(err error) bool {
	var full *SoldOutError
	var short *OutOfStockError
	return errors.As(err, &full) || errors.As(err, &short) || errors.Is(err, ErrClosed)
}
