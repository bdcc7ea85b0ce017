package api

import (
	"bytes"
	"encoding/json"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
)

// slotChange is what staff change of a slot, or of all slots of a day. What is missing stays.
type slotChange struct {
	// Covers; never below those that are taken.
	Capacity *int `json:"capacity" required:"false"`
	// It takes no reservations, and who waits is answered at once. Reservations stay.
	Closed *bool `json:"closed" required:"false"`
	// It takes none for a while; who waits keeps waiting.
	Paused *bool `json:"paused" required:"false"`
	// Why. Diners see that of a closed or paused slot; the audit log has it.
	Reason *string `json:"reason" required:"false"`
	// What all who wait for the slot see; empty: nothing any more.
	Message *string `json:"message" required:"false"`
	// When it begins to take reservations: to come, and before it begins. null: it takes them now.
	OpensAt moment `json:"opensAt" required:"false"`
	// How those are served who wait when it opens.
	Order *string `json:"order" required:"false"`
}

// moment is an instant that may be given as null.
type moment struct {
	Given bool
	At    *time.Time
}

// UnmarshalJSON implements json.Unmarshaler.
func (m *moment) UnmarshalJSON(b []byte) error {
	m.Given = true
	if bytes.Equal(b, []byte("null")) {
		return nil
	}
	return json.Unmarshal(b, &m.At)
}

// change returns the change that a request asks for. Returns respond.Invalid for an order that there is not.
func (r slotChange) change() (reserve.SlotChange, error) {
	change := reserve.SlotChange{Capacity: r.Capacity, Closed: r.Closed, Paused: r.Paused, Reason: r.Reason,
		Notice: r.Message, OpensAt: r.OpensAt.At, ClearOpening: r.OpensAt.Given && r.OpensAt.At == nil}
	if r.Order != nil {
		draw := *r.Order == orderDraw
		if !draw && *r.Order != orderArrival {
			return change, invalid("order", "unknown")
		}
		change.Draw = &draw
	}
	return change, nil
}

// The orders in which those are served who wait when a slot opens.
const (
	orderArrival = "arrival"
	orderDraw    = "draw"
)

// staffSlot is a slot as its staff see it.
type staffSlot struct {
	Date      booking.Date      `json:"date"`
	Time      booking.TimeOfDay `json:"time"`
	Capacity  int               `json:"capacity"`  // covers
	Confirmed int               `json:"confirmed"` // covers of parties that come, or are there
	Temporary int               `json:"temporary"` // covers that wait for payment
	Remaining int               `json:"remaining"` // covers that nobody holds
	// Seats that a party could still have, of whatever size, by the tables that are free for its stay.
	SeatsLeft int        `json:"seatsLeft"`
	Closed    bool       `json:"closed"`
	Paused    bool       `json:"paused"`
	Reason    string     `json:"reason"`
	Message   string     `json:"message"`
	OpensAt   *time.Time `json:"opensAt"`
	Order     string     `json:"order"`
}

func newStaffSlot(date booking.Date, at booking.TimeOfDay, affected reserve.Affected) staffSlot {
	o := affected.Slots[at]
	s := staffSlot{Date: date, Time: at, Capacity: o.Capacity, Confirmed: o.Held - o.OnHold, Temporary: o.OnHold,
		Remaining: o.Free(), SeatsLeft: affected.SeatsLeft[at], Closed: o.Closed, Paused: o.Paused, Reason: o.Reason,
		Message: o.Notice, OpensAt: timeOrNull(o.OpensAt.UTC()), Order: orderArrival}
	if o.Draw {
		s.Order = orderDraw
	}
	return s
}

type slotChanged struct {
	Affected reserve.Affected `json:"affected"`
	Slot     staffSlot        `json:"slot"`
}

func (a *API) changeSlot(c *fiber.Ctx, at workslot, in slotChange) (of slotChanged, err error) {
	change, err := in.change()
	if err != nil {
		return of, err
	}
	affected, err := a.Bookings.ChangeSlot(c.UserContext(), at.By, at.slot, change, c.QueryBool("preview"))
	return slotChanged{affected, newStaffSlot(at.slot.Date, at.slot.Time, affected)}, err
}

type dayChanged struct {
	Affected reserve.Affected `json:"affected"` // each party once
	Slots    []staffSlot      `json:"slots"`
}

func (a *API) changeDay(c *fiber.Ctx, day workday, in slotChange) (of dayChanged, err error) {
	change, err := in.change()
	if err != nil {
		return of, err
	}
	affected, err := a.Bookings.ChangeDay(c.UserContext(), day.By, day.date, change, c.QueryBool("preview"))
	return dayChanged{affected, list(affected.Times(), func(at booking.TimeOfDay) staffSlot {
		return newStaffSlot(day.date, at, affected)
	})}, err
}
