package booking

import (
	"cmp"
	"slices"
	"time"
)

// Staff can move a party to another time, another size or other seats. What was agreed stays: the price, what was paid,
// the dishes and the terms. They are not bound by the diner's deadline, but a slot that is over takes nobody.

// GuestChange is an unchecked change by staff. A nil field stays as it is.
type GuestChange struct {
	Date      *string
	Time      *string
	PartySize *int
	SeatIDs   []int64 // empty: the present seats if they still suffice, else the restaurant's choice
	// EndTime is when the party leaves, HH:MM: when its whole stay ends, or one of its slots; empty: it stays for as long
	// as before, or as its size takes.
	EndTime string
	// Override asks for seats over the plan; nil: the plan holds.
	Override *Override
}

// IsEmpty returns whether the change says nothing.
func (c GuestChange) IsEmpty() bool {
	return c.Date == nil && c.Time == nil && c.PartySize == nil && len(c.SeatIDs) == 0 && c.EndTime == "" &&
		c.Override == nil
}

// Check turns a change of a reservation into a request that can enter the line. Returns *InvalidError with every
// invalid field, ErrNothingToChange, and ErrWrongState for a reservation that staff cannot change that way.
func (c GuestChange) Check(r Restaurant, res Reservation, menu []MenuItem, now time.Time) (Request, error) {
	draft := ChangeDraft{Date: c.Date, Time: c.Time, PartySize: c.PartySize, SeatIDs: c.SeatIDs}.Draft(res)
	draft.Items = nil // they stay, whatever the menu is by now
	req, err := draft.check(r, menu, r.staffRules(now, true))
	if err = AddFaults(err, checkOverride(c.Override)); err != nil {
		return Request{}, err
	}
	req.EndTime, req.Override = TimeOfDay(c.EndTime), c.Override
	req.Items, req.CouponID, req.DepositAmount, req.Policy = res.Items, 0, res.DepositAmount, res.Policy
	if req.Stay, err = c.stay(r, res, req, menu); err != nil {
		return Request{}, err
	}
	if req.PartySize != res.PartySize && !(res.State.IsPresent() && req.Slot == res.Slot) {
		minutes := StayMinutes(r, req.Slot, req.PartySize, orderedOf(res.Items, menu))
		req.Policy = req.Policy.stayTerms(minutes, 1+len(req.Stay))
	}
	if err = r.endBy(&req, c.EndTime); err != nil {
		return Request{}, err
	}
	req.Change = &Change{ReservationID: res.ID, Number: res.Changes, From: res.Slots(), FromParty: res.PartySize,
		ByStaff: true, Diner: res.UserID}
	_, err = res.ReviseByStaff(req)
	return req, err
}

// stay returns the further slots of the changed stay, before EndTime shortens it. A party that stays in its slot with
// its size, or that is there, keeps them; else it stays as long as its size and its dishes take.
func (c GuestChange) stay(r Restaurant, res Reservation, req Request, menu []MenuItem) ([]TimeOfDay, error) {
	if c.EndTime == "" && req.Slot == res.Slot && (res.State.IsPresent() || req.PartySize == res.PartySize) {
		return res.Stay, nil
	}
	ask := Ask{PartyStay: res.PartyStay(r, req.PartySize, menu), Slot: req.Slot}
	slots := ask.slots(r, req.PartySize)
	if c.EndTime != "" && req.PartySize == res.PartySize { // it may have been shortened before
		minutes := StayMinutes(r, req.Slot, req.PartySize, orderedOf(res.Items, menu))
		slots = max(slots, SlotsOfStay(cmp.Or(res.Policy.StayMinutes, minutes), r.SlotMinutes))
	}
	stay, err := r.stay(req.Slot.Date, req.Slot.Time, slots, true)
	if err != nil && req.Slot == res.Slot {
		return res.Stay, nil // its slot is not in the opening hours any more
	}
	if err != nil {
		return nil, &InvalidError{Fields: []FieldError{{Field: "time", Reason: "outside_hours"}}}
	}
	return stay, nil
}

// PartyStay returns the stay of the party with a size: as before, or as long as its size and its dishes take.
func (r Reservation) PartyStay(restaurant Restaurant, party int, menu []MenuItem) PartyStay {
	if party == r.PartySize {
		return PartyStay{Party: party, Stay: 1 + len(r.Stay)}
	}
	return PartyStay{Party: party, Minutes: restaurant.DishMinutes(orderedOf(r.Items, menu))}
}

// ReviseByStaff computes the reservation after a change by staff, but for its seats. Returns ErrWrongState and
// ErrNothingToChange.
func (r Reservation) ReviseByStaff(req Request) (Revision, error) {
	switch r.State {
	case Confirmed, PrepaidConfirmed:
	case Arrived, Seated:
		if req.Slot != r.Slot {
			return Revision{}, ErrWrongState
		}
	default:
		return Revision{}, ErrWrongState
	}
	next := Revision{Reservation: r}
	next.Slot, next.Stay, next.PartySize, next.Changes = req.Slot, req.Stay, req.PartySize, r.Changes+1
	next.Policy.StayMinutes = req.Policy.StayMinutes
	seated := len(req.SeatIDs) == 0 || slices.Equal(req.SeatIDs, r.SeatIDs())
	if seated && r.PartySize == next.PartySize && slices.Equal(r.Slots(), next.Slots()) &&
		r.StayMinutes() == next.StayMinutes() {
		return Revision{}, ErrNothingToChange
	}
	return next, nil
}

// decideByStaff is DecideChange for a change by staff. Limits bind what diners do.
func (s ChangeState) decideByStaff(req Request) (Revision, error) {
	if !s.Now.Before(s.NextEnd) {
		return Revision{}, ErrPast
	}
	next, err := s.Reservation.ReviseByStaff(req)
	if err == nil {
		err = s.seat(&next, req)
	}
	if err != nil {
		return Revision{}, err
	}
	return next, nil
}
