package views

import (
	"strconv"
	"time"

	"lunchgo/views/i18n"
)

// Pages that change slots first show whom a change touches: a form's POST without field Confirmed renders staff.Preview
// and changes nothing, and with it the change is made, 303 to the page of the slot or day. What was typed wrongly
// renders the form again with 422; a conflict, such as a capacity below what is sold, renders it with 409.

// StaffSlotControlsURL is all that staff set of a slot. GET: staff.Controls. POST: fields Part and those of it.
func StaffSlotControlsURL(restaurant int64, at time.Time) string {
	return StaffSlotURL(restaurant, at) + "/controls"
}

// StaffDayURL is a day with all its slots. GET: staff.Controls.
func StaffDayURL(restaurant int64, day time.Time) string {
	return staffRestaurantURL(restaurant) + "/days/" + DateValue(day)
}

// StaffDayControlsURL changes all slots of a day. POST: as StaffSlotControlsURL.
func StaffDayControlsURL(restaurant int64, day time.Time) string {
	return StaffDayURL(restaurant, day) + "/controls"
}

// StaffBlockedSeatsURL is which seats of a slot are not given away. GET: staff.BlockedSeats. POST: fields SeatID,
// Reason.
func StaffBlockedSeatsURL(restaurant int64, at time.Time) string {
	return StaffSlotURL(restaurant, at) + "/blocked-seats"
}

// StaffDayBlockedSeatsURL is which seats are given away in no slot of a day, or of the days up to another. GET:
// staff.BlockedSeats. POST: fields SeatID, Reason, Until.
func StaffDayBlockedSeatsURL(restaurant int64, day time.Time) string {
	return StaffDayURL(restaurant, day) + "/blocked-seats"
}

// SlotOrDay is a slot of a restaurant, or a day with all its slots.
type SlotOrDay struct {
	Restaurant int64
	At         time.Time // when the slot begins; midnight of a day
	IsDay      bool
}

// PageURL is the page of what staff set of it.
func (s SlotOrDay) PageURL() string {
	if s.IsDay {
		return StaffDayURL(s.Restaurant, s.At)
	}
	return StaffSlotControlsURL(s.Restaurant, s.At)
}

// ControlsURL changes it.
func (s SlotOrDay) ControlsURL() string {
	if s.IsDay {
		return StaffDayControlsURL(s.Restaurant, s.At)
	}
	return StaffSlotControlsURL(s.Restaurant, s.At)
}

// BlockedSeatsURL is which seats are not given away in it.
func (s SlotOrDay) BlockedSeatsURL() string {
	if s.IsDay {
		return StaffDayBlockedSeatsURL(s.Restaurant, s.At)
	}
	return StaffBlockedSeatsURL(s.Restaurant, s.At)
}

// When says when it is.
func (s SlotOrDay) When(lang string) string {
	if s.IsDay {
		return i18n.LongDate(lang, s.At)
	}
	return i18n.DateTime(lang, s.At)
}

// StaffStopURL stops all new bookings of a restaurant, or lets them go on. GET: staff.Stop. POST: fields Stopped,
// Reason.
func StaffStopURL(restaurant int64) string { return staffRestaurantURL(restaurant) + "/stop" }

// StaffPortionsStepURL changes what is left of a dish by a step, or makes it unlimited. POST: field Step; 303 to the
// menu.
func StaffPortionsStepURL(restaurant int64, day time.Time, dish int64) string {
	return staffRestaurantURL(restaurant) + "/menu/" + DateValue(day) + "/" + strconv.FormatInt(dish, 10) + "/step"
}
