package reserve

import (
	"context"
	"maps"
	"slices"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/team"
)

// SlotChange is what staff change of a slot; nil leaves a part as it is.
type SlotChange struct {
	Capacity     *int  // covers
	Closed       *bool // it takes no reservations, and nobody waits for it
	Paused       *bool // it takes none for a while: its line waits
	Reason       *string
	Notice       *string    // for all who wait; empty: none any more
	OpensAt      *time.Time // when it begins to take reservations
	ClearOpening bool       // it takes them now
	Draw         *bool      // who waits when it opens is served in drawn order
}

// actions are what the parts of a change need.
func (c SlotChange) actions() []team.Action {
	var need []team.Action
	if c.Capacity != nil {
		need = append(need, team.ChangeCapacity)
	}
	if c.Closed != nil || c.Paused != nil {
		need = append(need, team.OpenCloseSlot)
	}
	if c.Notice != nil {
		need = append(need, team.SteerLine)
	}
	if c.OpensAt != nil || c.ClearOpening || c.Draw != nil {
		need = append(need, team.PlanOpening)
	}
	if len(need) == 0 {
		need = append(need, team.OpenCloseSlot) // the reason alone, or nothing
	}
	return need
}

// check returns *booking.InvalidError with every invalid part. first is when the first of the slots of r begins.
func (c SlotChange) check(r booking.Restaurant, first, now time.Time) error {
	var faults []booking.FieldError
	if most := r.MostCovers(); c.Capacity != nil && (*c.Capacity < 0 || *c.Capacity > most) {
		faults = append(faults, booking.FieldError{Field: "capacity", Reason: "out_of_range", Max: most})
	}
	if c.Reason != nil {
		faults = append(faults, booking.CheckText("reason", *c.Reason, booking.MaxReasonRunes)...)
	}
	if c.Notice != nil {
		faults = append(faults, booking.CheckText("message", *c.Notice, booking.MaxNoticeRunes)...)
	}
	switch {
	case c.OpensAt == nil:
	case !c.OpensAt.After(now):
		faults = append(faults, booking.FieldError{Field: "opensAt", Reason: "past"})
	case !c.OpensAt.Before(first):
		faults = append(faults, booking.FieldError{Field: "opensAt", Reason: "after_start"})
	}
	return booking.Invalid(faults)
}

// plain returns the change with its texts on one line.
func (c SlotChange) plain() SlotChange {
	for _, text := range []**string{&c.Reason, &c.Notice} {
		if *text != nil {
			line := booking.PlainText(**text)
			*text = &line
		}
	}
	return c
}

// Apply returns a slot as the change makes it. The reason stays until the slot is neither closed nor paused; one that
// is given with another part alone says why that is changed, and is for the audit log only.
func (c SlotChange) Apply(o booking.Occupancy) booking.Occupancy {
	set(&o.Capacity, c.Capacity)
	set(&o.Closed, c.Closed)
	set(&o.Paused, c.Paused)
	set(&o.Notice, c.Notice)
	set(&o.Draw, c.Draw)
	set(&o.OpensAt, c.OpensAt)
	if c.ClearOpening {
		o.OpensAt, o.Draw = time.Time{}, false
	}
	if c.Closed != nil || c.Paused != nil || c.Capacity == nil && c.Notice == nil {
		set(&o.Reason, c.Reason)
	}
	if !o.Closed && !o.Paused {
		o.Reason = ""
	}
	return o
}

func set[T any](to, value *T) {
	if value != nil {
		*to = *value
	}
}

// Part is one thing that a change did to a slot, for the audit log.
type Part struct {
	Action  string
	Was, Is any
}

// PartsOf returns what differs between a slot and what it was before.
func PartsOf(was, is booking.Occupancy) []Part {
	var parts []Part
	add := func(differs bool, part Part) {
		if differs {
			parts = append(parts, part)
		}
	}
	action := func(on bool, yes, no string) string {
		if on {
			return yes
		}
		return no
	}
	add(was.Capacity != is.Capacity, Part{"slot.capacity", was.Capacity, is.Capacity})
	add(was.Closed != is.Closed, Part{action(is.Closed, "slot.close", "slot.open"), was.Closed, is.Closed})
	add(was.Paused != is.Paused, Part{action(is.Paused, "slot.pause", "slot.resume"), was.Paused, is.Paused})
	add(was.Notice != is.Notice, Part{"slot.notice", was.Notice, is.Notice})
	planned := !was.OpensAt.Equal(is.OpensAt) || was.Draw != is.Draw
	add(planned, Part{"slot.opening", openingOf(was), openingOf(is)})
	add(len(parts) == 0 && was.Reason != is.Reason, Part{"slot.reason", was.Reason, is.Reason})
	return parts
}

// openingOf is the planned opening of a slot as the audit log has it; nil for none.
func openingOf(o booking.Occupancy) any {
	if o.OpensAt.IsZero() {
		return nil
	}
	order := "arrival"
	if o.Draw {
		order = "draw"
	}
	return map[string]any{"opensAt": o.OpensAt.UTC(), "order": order}
}

// SlotsChange is a change of slots of one day, for the store.
type SlotsChange struct {
	RestaurantID  int64
	Date          booking.Date
	Times         []booking.TimeOfDay // ascending
	UsualCapacity int                 // of those slots that have no row yet
	Change        SlotChange
	StaffID       string
	Preview       bool // nothing is stored
}

// Affected are those whom a change of slots touches, and the slots as it makes them.
type Affected struct {
	Waiting      int   `json:"waiting"`      // people in line
	Holds        int   `json:"holds"`        // parties that have not paid yet
	Reservations int   `json:"reservations"` // other parties that come, or are there
	Money        int64 `json:"money"`        // won that those have paid

	Slots map[booking.TimeOfDay]booking.Occupancy `json:"-"` // without their named seats and waitlists
	// SeatsLeft are how many seats a party could have then in each slot, of whatever size.
	SeatsLeft map[booking.TimeOfDay]int `json:"-"`
}

// ChangeSlot changes parts of a slot in one transaction; with preview it changes nothing, and returns whom the change
// would touch. Returns ErrForbidden for a part that the role does not allow, *InvalidError, *BelowSoldError,
// ErrNotFound for an unknown restaurant, ErrOutsideHours if it has no such slot, ErrPast if its time has passed.
func (s *Service) ChangeSlot(ctx context.Context, by team.Staff, slot booking.SlotKey, change SlotChange,
	preview bool) (Affected, error) {
	return s.changeSlots(ctx, by, SlotsChange{RestaurantID: slot.RestaurantID, Date: slot.Date,
		Times: []booking.TimeOfDay{slot.Time}, Change: change, Preview: preview})
}

// ChangeDay is ChangeSlot for all slots of a day of their restaurant that have not begun, or for those of some times,
// in one transaction.
func (s *Service) ChangeDay(ctx context.Context, by team.Staff, date booking.Date, change SlotChange,
	preview bool, times ...booking.TimeOfDay) (Affected, error) {
	return s.changeSlots(ctx, by, SlotsChange{RestaurantID: by.RestaurantID(), Date: date, Times: times, Change: change,
		Preview: preview})
}

func (s *Service) changeSlots(ctx context.Context, by team.Staff, change SlotsChange) (Affected, error) {
	change.Change, change.StaffID = change.Change.plain(), by.UserID()
	for _, action := range change.Change.actions() {
		if err := by.Check(change.RestaurantID, action); err != nil {
			return Affected{}, err
		}
	}
	r, err := s.Catalog.FindRestaurant(ctx, change.RestaurantID)
	if err != nil {
		return Affected{}, err
	}
	change.UsualCapacity = r.Capacity
	coming, err := s.coming(ctx, r, change.Date, change.Times)
	if err != nil {
		return Affected{}, err
	}
	change.Times = coming.times
	if err := change.Change.check(r, coming.first, s.Now()); err != nil {
		return Affected{}, err
	}
	keys := keysOf(change.RestaurantID, change.Date, change.Times)
	waiting := s.countWaiting(ctx, keys) // before the change: a slot that it closes answers them at once
	if change.Change.ClearOpening && r.OpensAt(change.Date).After(s.Now()) {
		// without an opening of their own the rule would plan the slots anew
		now := s.Now()
		change.Change.ClearOpening, change.Change.OpensAt, change.Change.Draw = false, &now, new(bool)
	}
	affected, err := s.Slots.ChangeSlots(ctx, change)
	if err != nil {
		return Affected{}, err
	}
	for at, o := range affected.Slots { // in any order
		if o = r.Planned(change.Date, o); !o.OpensAt.After(s.Now()) {
			o.OpensAt = time.Time{}
		}
		affected.Slots[at] = o
	}
	affected.Waiting = waiting
	affected.SeatsLeft = coming.seatsLeft(r, change, s.Now())
	if !change.Preview {
		s.refresh(keys)
	}
	return affected, nil
}

func keysOf(restaurantID int64, date booking.Date, times []booking.TimeOfDay) []booking.SlotKey {
	keys := make([]booking.SlotKey, len(times))
	for i, at := range times {
		keys[i] = booking.SlotKey{RestaurantID: restaurantID, Date: date, Time: at}
	}
	return keys
}

// countWaiting returns how many wait in the lines of some slots; 0 when the lines do not answer, because the evening
// has to be run all the same.
func (s *Service) countWaiting(ctx context.Context, slots []booking.SlotKey) int {
	lengths, err := s.Lines.Lengths(ctx, slots)
	if err != nil {
		s.Log.WarnContext(ctx, "read line lengths failed", "error", err)
	}
	sum := 0
	for _, n := range lengths {
		sum += n
	}
	return sum
}

// Times returns the times of the slots, in order.
func (a Affected) Times() []booking.TimeOfDay { return slices.Sorted(maps.Keys(a.Slots)) }
