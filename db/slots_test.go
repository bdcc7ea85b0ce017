package db_test

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/db"
	"lunchgo/db/dbtest"
	"lunchgo/db/testkit"
)

func TestOccupancy_CountsHoldingStates(t *testing.T) {
	t.Parallel()
	h := setup(t)
	slot, early := h.Slot("19:00"), h.Slot("18:00")
	early.Date = early.Date.AddDays(-1)
	h.Reserve(t, h.Request(h.Diners(t, 1, 0)[0], slot))
	h.Confirmed(t, slot)
	id, _ := h.Confirmed(t, slot)
	staff := h.Diners(t, 1, 0)[0]
	if _, err := h.Reservations.CancelByStaff(t.Context(), id, staff, ""); err != nil {
		t.Fatal(err)
	}
	h.Reserve(t, h.Request(staff, early))
	over, _ := h.Confirmed(t, slot)
	h.Mark(t, over, booking.Arrived, booking.Completed)
	there, _ := h.Confirmed(t, slot)
	h.Mark(t, there, booking.Arrived)
	sits, _ := h.Confirmed(t, slot)
	h.Mark(t, sits, booking.Seated)
	got, err := h.Slots.ListOccupancy(t.Context(), h.Restaurant.ID, slot.Date, slot.Date)
	want := map[booking.SlotKey]booking.Occupancy{slot: {Capacity: 1_000, Held: 10, OnHold: 2, Arriving: 10}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v (%v), want %+v", got, err, want)
	}
	if both, err := h.Slots.ListOccupancy(t.Context(), h.Restaurant.ID, early.Date, slot.Date); err != nil ||
		len(both) != 2 {
		t.Errorf("of two days: %+v, %v", both, err)
	}
}

// Covers are those of all slots of the named restaurants, whatever their date, in the states that hold seats.
func TestListCovers_OfSeveralRestaurants(t *testing.T) {
	t.Parallel()
	h := setup(t)
	first := h.Restaurant.ID
	early, late := h.Slot("18:00"), h.Slot("19:00")
	early.Date = early.Date.AddDays(-1)
	h.Reserve(t, h.Request(h.Diners(t, 1, 0)[0], early))
	h.Confirmed(t, late)
	over, _ := h.Confirmed(t, late)
	h.Mark(t, over, booking.Arrived, booking.Completed)
	for _, slug := range []string{"second", "third"} {
		another := testkit.Restaurant()
		another.Slug = slug
		h.Open(t, another)
		h.Reserve(t, h.Request(h.Diners(t, 1, 0)[0], h.Slot("19:00")))
		h.Reserve(t, h.Request(h.Diners(t, 1, 0)[0], h.Slot("19:00")))
	}
	got, err := h.Slots.ListCovers(t.Context(), []int64{first, h.Restaurant.ID})
	slices.SortFunc(got, func(a, b db.Covers) int { return a.Held - b.Held })
	if want := []db.Covers{{1_000, 2}, {1_000, 2}, {1_000, 4}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%+v (%v), want %+v", got, err, want)
	}
	if none, err := h.Slots.ListCovers(t.Context(), nil); err != nil || len(none) != 0 {
		t.Errorf("of no restaurant: %+v, %v", none, err)
	}
}

// Some slots of a date are read as in the whole date, and only they.
func TestListSlots_ReadsWhatTheWholeDateHas(t *testing.T) {
	t.Parallel()
	h := setup(t)
	for _, at := range []booking.TimeOfDay{"18:00", "18:30", "19:00"} {
		h.Confirmed(t, h.Slot(at))
		h.Reserve(t, h.Request(h.Diners(t, 1, 0)[0], h.Slot(at)))
	}
	date := h.Slot("19:00").Date
	got, alone, err := h.Slots.ListSlots(t.Context(), h.Restaurant.ID, date, []booking.TimeOfDay{"18:30", "19:00",
		"20:00"})
	if err != nil || !alone || len(got) != 2 {
		t.Fatalf("%+v, %v, %v", got, alone, err)
	}
	whole, err := h.Slots.ListOccupancy(t.Context(), h.Restaurant.ID, date, date)
	dbtest.Must(t, err)
	for at, o := range got {
		if !reflect.DeepEqual(o, whole[h.Slot(at)]) || o.Held != 4 {
			t.Errorf("%s: %+v, in the whole date %+v", at, o, whole[h.Slot(at)])
		}
	}
}

// What is promised to those who wait depends on other slots too: theirs is not read alone.
func TestListSlots_SomebodyWaits(t *testing.T) {
	t.Parallel()
	w := newWaitlist(t, setup(t), "19:00")
	w.join(t, 2)
	_, alone, err := w.Slots.ListSlots(t.Context(), w.slot.RestaurantID, w.slot.Date, []booking.TimeOfDay{"19:00"})
	if err != nil || alone {
		t.Errorf("%v, %v", alone, err)
	}
}

// A slot gives no seats while it is paused, nor before it opens; what staff have said of it is read with it.
func TestServe_PausedAndNotOpenYet(t *testing.T) {
	t.Parallel()
	h := setup(t)
	slot := h.Slot("19:00")
	diner := h.Diners(t, 1, 0)[0]
	serve := func() error {
		outcomes, _, err := h.Slots.Serve(t.Context(), h.Turn(slot, 10, 0), []booking.Request{h.Request(diner, slot)})
		dbtest.Must(t, err)
		return outcomes[0].Err
	}
	_, _, err := h.Slots.Serve(t.Context(), h.Turn(slot, 10, 0), nil)
	dbtest.Must(t, err)
	for _, c := range []struct {
		set  string
		want error
		said booking.Occupancy
	}{
		{`paused = true, reason = 'full house', notice = 'soon'`, booking.ErrPaused,
			booking.Occupancy{Paused: true, Reason: "full house", Notice: "soon"}},
		{`paused = false, opens_at = now() + interval '1 hour', opening_order = 'draw'`, booking.ErrNotOpenYet,
			booking.Occupancy{Reason: "full house", Notice: "soon", Draw: true}},
		{`opens_at = now()`, nil, booking.Occupancy{Reason: "full house", Notice: "soon", Draw: true}},
	} {
		dbtest.Must(t, h.Exec(t.Context(), `UPDATE slots SET `+c.set))
		if err := serve(); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.set, err, c.want)
		}
		got, err := h.Slots.ListOccupancy(t.Context(), h.Restaurant.ID, slot.Date, slot.Date)
		o := got[slot]
		if err != nil || o.Paused != c.said.Paused || o.Reason != c.said.Reason || o.Notice != c.said.Notice ||
			o.Draw != c.said.Draw ||
			o.OpensAt.IsZero() != o.Paused {
			t.Errorf("%s: %+v (%v), want %+v", c.set, o, err, c.said)
		}
	}
}

func TestChangeSlots_ClosedRefusesReservations(t *testing.T) {
	t.Parallel()
	h := setup(t)
	slot := h.Slot("19:00")
	diners := h.Diners(t, 2, 0)
	turn := h.Turn(slot, 10, 0)
	serve := func() error {
		outcomes, _, err := h.Slots.Serve(t.Context(), turn, []booking.Request{h.Request(diners[0], slot)})
		dbtest.Must(t, err)
		return outcomes[0].Err
	}
	dbtest.Must(t, h.setClosed(t, slot, true, diners[1]))
	if err := serve(); !errors.Is(err, booking.ErrClosed) {
		t.Errorf("closed: %v, want %v", err, booking.ErrClosed)
	}
	dbtest.Must(t, h.setClosed(t, slot, false, diners[1]))
	if err := serve(); err != nil {
		t.Errorf("opened again: %v", err)
	}
	if n := h.Count(t, `SELECT count(*) FROM audit_log WHERE action IN ('slot.close', 'slot.open') AND staff_id = $1`,
		diners[1]); n != 2 {
		t.Errorf("%d acts in the audit log, want 2", n)
	}
}

func TestChangeSlots_CapacityNotBelowSold(t *testing.T) {
	t.Parallel()
	h := setup(t)
	slot := h.Slot("19:00")
	diners := h.Diners(t, 3, 0)
	turn := h.Turn(slot, 4, 9)
	run := []booking.Request{h.Request(diners[0], slot), h.Request(diners[1], slot)}
	if _, _, err := h.Slots.Serve(t.Context(), turn, run); err != nil {
		t.Fatal(err)
	}
	for _, capacity := range []int{3, 0, -1} {
		if err := h.SetCapacity(t, slot, capacity, diners[2]); !errors.Is(err, booking.ErrBelowSold) {
			t.Errorf("capacity %d with 4 sold: %v, want %v", capacity, err, booking.ErrBelowSold)
		}
	}
	dbtest.Must(t, h.SetCapacity(t, slot, 6, diners[2]))
	_, after, err := h.Slots.Serve(t.Context(), turn, []booking.Request{h.Request(diners[2], slot)})
	if want := (booking.Occupancy{Capacity: 6, Held: 6, OnHold: 6, Arriving: 6}); err != nil ||
		!reflect.DeepEqual(after[0], want) {
		t.Errorf("%+v (%v), want %+v", after, err, want)
	}
	if n := h.Count(t, `SELECT count(*) FROM audit_log WHERE detail = '{"was": 4, "is": 6}'`); n != 1 {
		t.Errorf("%d acts in the audit log, want 1", n)
	}
}

func TestSlots_StaffChangesMakeRow(t *testing.T) {
	t.Parallel()
	h := setup(t)
	staff := h.Diners(t, 1, 0)[0]
	slot := h.Slot("19:00")
	dbtest.Must(t, h.SetCapacity(t, slot, 3, staff))
	slots, err := h.Slots.ListOccupancy(t.Context(), h.Restaurant.ID, slot.Date, slot.Date)
	if err != nil || !reflect.DeepEqual(slots[slot], booking.Occupancy{Capacity: 3}) {
		t.Errorf("%+v, %v", slots, err)
	}
	nowhere := booking.SlotKey{RestaurantID: 999, Date: slot.Date, Time: slot.Time}
	if err := h.setClosed(t, nowhere, true, staff); !errors.Is(err, booking.ErrNotFound) {
		t.Errorf("no such restaurant: %v, want %v", err, booking.ErrNotFound)
	}
}
