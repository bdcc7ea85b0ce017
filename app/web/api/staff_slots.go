package api

import (
	"bytes"
	"encoding/json"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/app/web/respond"
	workplaces "lunchgo/app/web/workplace"
)

// slotChangeRequest is what staff change of a slot, or of all slots of a day. What is missing stays.
type slotChangeRequest struct {
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
func (r slotChangeRequest) change() (reserve.SlotChange, error) {
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
		Remaining: o.Free(), SeatsLeft: affected.SeatsLeft[at], Closed: o.Closed, Paused: o.Paused, Reason: o.Reason, Message: o.Notice,
		Order: orderArrival}
	if !o.OpensAt.IsZero() {
		opens := o.OpensAt.UTC()
		s.OpensAt = &opens
	}
	if o.Draw {
		s.Order = orderDraw
	}
	return s
}

// readSlotChange reads who changes what, and whether they only look.
func (a *API) readSlotChange(c *fiber.Ctx) (w workplaces.Workplace, change reserve.SlotChange, preview bool,
	err error) {
	if w, err = a.Places.Published(c); err != nil {
		return w, change, false, err
	}
	var in slotChangeRequest
	if err = decode(c, &in); err != nil {
		return w, change, false, err
	}
	change, err = in.change()
	return w, change, c.QueryBool("preview"), err
}

type slotChanged struct {
	Affected reserve.Affected `json:"affected"`
	Slot     staffSlot        `json:"slot"`
}

// changeSlot answers PATCH /api/staff/restaurants/{restaurant}/slots/{date}/{time}.
func (a *API) changeSlot(c *fiber.Ctx) error {
	w, change, preview, err := a.readSlotChange(c)
	if err != nil {
		return err
	}
	slot, _, err := w.SlotKey(c)
	if err != nil {
		return err
	}
	affected, err := a.Bookings.ChangeSlot(c.UserContext(), w.By, slot, change, preview)
	if err != nil {
		return err
	}
	return c.JSON(slotChanged{affected, newStaffSlot(slot.Date, slot.Time, affected)})
}

type dayChanged struct {
	Affected reserve.Affected `json:"affected"` // each party once
	Slots    []staffSlot      `json:"slots"`
}

// changeDay answers PATCH /api/staff/restaurants/{restaurant}/days/{date}.
func (a *API) changeDay(c *fiber.Ctx) error {
	w, change, preview, err := a.readSlotChange(c)
	if err != nil {
		return err
	}
	date, err := booking.ParseDate(param(c, "date"))
	if err != nil {
		return respond.NotFound
	}
	affected, err := a.Bookings.ChangeDay(c.UserContext(), w.By, date, change, preview)
	if err != nil {
		return err
	}
	slots := make([]staffSlot, 0, len(affected.Slots))
	for _, at := range affected.Times() {
		slots = append(slots, newStaffSlot(date, at, affected))
	}
	return c.JSON(dayChanged{affected, slots})
}

// party is a party that keeps staff from a change.
type party struct {
	ReservationID string            `json:"reservationId"`
	Time          booking.TimeOfDay `json:"time"` // of the slot
	Name          string            `json:"name"`
	PartySize     int               `json:"partySize"`
	State         booking.State     `json:"state"`
	SeatIDs       []int64           `json:"seatIds"` // its seats that are in the way
}

func newParties(parties []booking.Party) []party {
	list := make([]party, 0, len(parties))
	for _, p := range parties {
		list = append(list, party{ReservationID: p.ReservationID, Time: p.Time, Name: p.Name, PartySize: p.PartySize,
			State: p.State, SeatIDs: append([]int64{}, p.SeatIDs...)})
	}
	return list
}
