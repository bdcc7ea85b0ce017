package db_test

import (
	"context"
	"errors"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/db"
	"lunchgo/db/dbtest"
	"lunchgo/db/rowlock"
)

func stopping(slot booking.SlotKey, stopped bool, staff string) reserve.Stop {
	return reserve.Stop{RestaurantID: slot.RestaurantID, From: slot.Date, Stopped: stopped, Reason: "누수",
		StaffID: staff}
}

// A restaurant that is stopped takes no reservation in any slot, also in one that has no row yet; what was made stays.
// It goes on as it was.
func TestSetStopped_RefusesInAllSlots(t *testing.T) {
	t.Parallel()
	h := setup(t)
	slot, empty := h.Slot("19:00"), h.Slot("20:00")
	staff := h.Diners(t, 1, 0)[0]
	id, _ := h.Confirmed(t, slot)
	preview := stopping(slot, true, staff)
	preview.Preview = true
	affected, slots, err := h.Slots.SetStopped(t.Context(), preview)
	if err != nil || affected.Reservations != 1 || affected.Money <= 0 || len(slots) != 1 ||
		h.occupancyOf(t, slot).Closed {
		t.Errorf("looked at: %+v, %v, %v", affected, slots, err)
	}
	for range 2 {
		if _, _, err := h.Slots.SetStopped(t.Context(), stopping(slot, true, staff)); err != nil {
			t.Fatal(err)
		}
	}
	var closed *booking.ClosedError
	for _, at := range []booking.SlotKey{slot, empty} {
		if out := h.serveOne(t, h.Request(staff, at)); !errors.As(out.Err, &closed) || closed.Reason != "누수" {
			t.Errorf("%s: %+v", at.Time, out)
		}
	}
	if o := h.occupancyOf(t, slot); !o.Stopped || !o.Closed || o.Held != 2 {
		t.Errorf("stopped: %+v", o)
	}
	if r, err := h.Catalog.FindRestaurant(t.Context(), slot.RestaurantID); err != nil ||
		!r.EmptySlot(slot.Date).Stopped {
		t.Errorf("the restaurant: %+v, %v", r.Stopped, err)
	}
	if r, err := h.Reservations.Find(t.Context(), id); err != nil || r.State != booking.Confirmed {
		t.Errorf("what was made: %+v, %v", r.State, err)
	}
	on := stopping(slot, false, staff)
	on.Reason = ""
	if _, _, err := h.Slots.SetStopped(t.Context(), on); err != nil {
		t.Fatal(err)
	}
	if out := h.serveOne(t, h.Request(staff, slot)); !out.Reserves() {
		t.Errorf("it goes on: %+v", out)
	}
	if acts := h.acts(t, staff); len(acts) != 2 || acts[0] != "restaurant.stop false true 누수" {
		t.Errorf("acts: %q", acts)
	}
}

// A booking that is decided while a restaurant stops comes before or is refused: once it has stopped none is made.
// Without the locks of its slots one is.
func TestSetStopped_AgainstABooking(t *testing.T) {
	t.Parallel()
	for _, locked := range []bool{true, false} {
		t.Run(map[bool]string{true: "locked", false: "control"}[locked], func(t *testing.T) {
			t.Parallel()
			h := setup(t)
			slot := h.Slot("19:00")
			people := h.Diners(t, 2, 0)
			h.makeSlot(t, slot, 10)
			if !locked {
				h.Weaken(rowlock.LockComingSlots, dbtest.Replacing("FOR NO KEY UPDATE", ""))
			}
			wait := h.during(t, db.UpdateStop, func(other *db.SlotStore) {
				_, _, err := other.Serve(context.WithoutCancel(t.Context()), h.Turn(slot, 10, 0),
					[]booking.Request{h.Request(people[1], slot)})
				if err != nil {
					t.Error(err)
				}
			})
			if _, _, err := h.Slots.SetStopped(t.Context(), stopping(slot, true, people[0])); err != nil {
				t.Error(err)
			}
			wait()
			if made := h.occupancyOf(t, slot).Held > 0; made == locked {
				t.Errorf("a booking was made meanwhile: %v", made)
			}
		})
	}
}
