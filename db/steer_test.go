package db_test

import (
	"context"
	"errors"
	"reflect"
	"sync"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/db"
	"lunchgo/db/dbtest"
	"lunchgo/db/pg"
	"lunchgo/db/testkit"
)

func (h *harness) setClosed(t testing.TB, slot booking.SlotKey, closed bool, staff string) error {
	t.Helper()
	_, err := h.Steer(t, slot, reserve.SlotChange{Closed: &closed}, staff)
	return err
}

func ptr[T any](v T) *T { return &v }

// acts are the rows of the audit log of a member of staff, as "action was is reason", oldest first.
func (h *harness) acts(t testing.TB, staff string) []string {
	t.Helper()
	var acts []string
	err := h.List(t.Context(), &acts, `
		SELECT concat_ws(' ', action, detail->>'was', detail->>'is', detail->>'reason')
		FROM audit_log
		WHERE staff_id = $1
		ORDER BY id`, staff)
	dbtest.Must(t, err)
	return acts
}

// All parts of a change come with one transaction, each with a row in the audit log; what is as it was has none.
func TestChangeSlots_PartsAndAudit(t *testing.T) {
	t.Parallel()
	h := setup(t)
	slot, staff := h.Slot("19:00"), h.Diners(t, 1, 0)[0]
	opens := time.Now().Add(time.Hour).UTC().Truncate(time.Second)
	all := reserve.SlotChange{Capacity: ptr(12), Closed: ptr(false), Paused: ptr(true), Reason: ptr("주방이 밀렸습니다"),
		Notice: ptr("10분 뒤"), OpensAt: &opens, Draw: ptr(true)}
	preview := testkit.Steering(slot, all, staff)
	preview.Preview = true
	for range 2 {
		affected, err := h.Slots.ChangeSlots(t.Context(), preview)
		if err != nil || affected.Slots["19:00"].Capacity != 12 {
			t.Fatalf("%+v, %v", affected, err)
		}
		if h.Count(t, `SELECT count(*) FROM slots`) != 0 || len(h.acts(t, staff)) != 0 {
			t.Error("the preview changed something")
		}
	}
	if _, err := h.Steer(t, slot, all, staff); err != nil {
		t.Fatal(err)
	}
	want := booking.Occupancy{Capacity: 12, Paused: true, Reason: "주방이 밀렸습니다", Notice: "10분 뒤", OpensAt: opens,
		Draw: true}
	got, err := h.Slots.ListOccupancy(t.Context(), slot.RestaurantID, slot.Date, slot.Date)
	o := got[slot]
	o.OpensAt = o.OpensAt.UTC()
	if err != nil || !reflect.DeepEqual(o, want) {
		t.Errorf("%+v (%v), want %+v", o, err, want)
	}
	if _, err := h.Steer(t, slot, all, staff); err != nil { // a repeat changes nothing
		t.Error(err)
	}
	if _, err := h.Steer(t, slot, reserve.SlotChange{Paused: ptr(false), ClearOpening: true}, staff); err != nil {
		t.Error(err)
	}
	if acts := h.acts(t, staff); len(acts) != 6 || acts[0] != "slot.capacity 10 12 주방이 밀렸습니다" ||
		acts[1] != "slot.pause false true 주방이 밀렸습니다" || acts[4] != "slot.resume true false" {
		t.Errorf("acts: %q", acts)
	}
	got, err = h.Slots.ListOccupancy(t.Context(), slot.RestaurantID, slot.Date, slot.Date)
	if want := (booking.Occupancy{Capacity: 12, Notice: "10분 뒤"}); err != nil || !reflect.DeepEqual(got[slot], want) {
		t.Errorf("resumed: %+v (%v), want %+v", got[slot], err, want)
	}
}

// What a change touches is counted; a stay over several slots of a day once.
func TestChangeSlots_Affected(t *testing.T) {
	t.Parallel()
	h := setup(t)
	slot, staff := h.Slot("19:00"), h.Diners(t, 1, 0)[0]
	h.Reserve(t, h.Request(h.Diners(t, 1, 0)[0], slot))
	_, _ = h.Confirmed(t, slot)
	day := testkit.Steering(slot, reserve.SlotChange{Closed: ptr(true), Reason: ptr("정전")}, staff)
	day.Times, day.Preview = []booking.TimeOfDay{"18:00", "19:00", "20:00"}, true
	affected, err := h.Slots.ChangeSlots(t.Context(), day)
	if err != nil || affected.Holds != 1 || affected.Reservations != 1 || affected.Money <= 0 ||
		len(affected.Slots) != 3 {
		t.Errorf("%+v, %v", affected, err)
	}
	day.Preview = false
	if _, err := h.Slots.ChangeSlots(t.Context(), day); err != nil {
		t.Fatal(err)
	}
	if n := h.Count(t, `SELECT count(*) FROM slots WHERE closed AND reason = '정전'`); n != 3 ||
		len(h.acts(t, staff)) != 3 {
		t.Errorf("%d slots are closed, with %d acts", n, len(h.acts(t, staff)))
	}
	var closed *booking.ClosedError
	outcomes, _, err := h.Slots.Serve(t.Context(), h.Turn(slot, 10, 0), []booking.Request{h.Request(staff, slot)})
	if err != nil || !errors.As(outcomes[0].Err, &closed) || closed.Reason != "정전" ||
		!errors.Is(closed, booking.ErrClosed) {
		t.Errorf("a request there: %+v, %v", outcomes, err)
	}
}

// Whoever is in the way of a capacity is named, the latest first, and nothing changes, in no slot of the day.
func TestChangeSlots_BelowSoldNamesParties(t *testing.T) {
	t.Parallel()
	h := setup(t)
	slot, staff := h.Slot("19:00"), h.Diners(t, 1, 0)[0]
	first, _ := h.Confirmed(t, slot)
	last := h.Reserve(t, h.Request(h.Diners(t, 1, 0)[0], slot))
	day := testkit.Steering(slot, reserve.SlotChange{Capacity: ptr(3)}, staff)
	day.Times = []booking.TimeOfDay{"18:00", "19:00"}
	_, err := h.Slots.ChangeSlots(t.Context(), day)
	var below *booking.BelowSoldError
	if !errors.As(err, &below) || below.Sold != 4 || len(below.Parties) != 2 ||
		below.Parties[0].ReservationID != last ||
		below.Parties[1].ReservationID != first || below.Parties[1].Name == "" || below.Parties[1].Time != "19:00" {
		t.Errorf("%+v, %v", below, err)
	}
	if h.Count(t, `SELECT count(*) FROM slots WHERE capacity = 3`) != 0 || len(h.acts(t, staff)) != 0 {
		t.Error("a slot was changed")
	}
}

// Who stays into a slot is in its way once, and named by the time for which they come.
func TestChangeSlots_BelowSoldNamesWhenPartiesCome(t *testing.T) {
	t.Parallel()
	h := setup(t)
	staff := h.Diners(t, 1, 0)[0]
	id := h.Reserve(t, h.staying(h.Diners(t, 1, 0)[0], "18:00", 4, 3))
	change := testkit.Steering(h.Slot("19:00"), reserve.SlotChange{Capacity: ptr(1)}, staff)
	change.Times = []booking.TimeOfDay{"19:00", "20:00"}
	_, err := h.Slots.ChangeSlots(t.Context(), change)
	var below *booking.BelowSoldError
	if !errors.As(err, &below) || len(below.Parties) != 1 || below.Parties[0].ReservationID != id ||
		below.Parties[0].Time != "18:00" {
		t.Errorf("%+v, %v", below, err)
	}
}

// A rush of bookings meets staff who take capacity away, and each other: the slot is never sold beyond its capacity.
func TestChangeSlots_CapacityAgainstARush(t *testing.T) {
	t.Parallel()
	h := setup(t)
	slot, staff := h.Slot("19:00"), h.Diners(t, 1, 0)[0]
	var group sync.WaitGroup
	for _, diner := range h.Diners(t, 40, 0) {
		group.Go(func() {
			if _, _, err := h.Slots.Serve(t.Context(), h.Turn(slot, 60, 0),
				[]booking.Request{h.Request(diner, slot)}); err != nil {
				t.Error(err)
			}
		})
	}
	for range 4 {
		group.Go(func() {
			for pairs := range 10 {
				if err := h.SetCapacity(t, slot, 2+4*pairs, staff); err != nil &&
					!errors.Is(err, booking.ErrBelowSold) {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if o := h.occupancyOf(t, slot); o.Held > o.Capacity || o.Held == 0 {
		t.Errorf("%d of %d covers are sold", o.Held, o.Capacity)
	}
}

func (h *harness) occupancyOf(t testing.TB, slot booking.SlotKey) booking.Occupancy {
	t.Helper()
	slots, err := h.Slots.ListOccupancy(t.Context(), slot.RestaurantID, slot.Date, slot.Date)
	dbtest.Must(t, err)
	return slots[slot]
}

// unlockedSteering reads the slots that staff change without locking them. The rows must be there.
const unlockedSteering = `
	SELECT ` + db.SlotColumns + `, to_char(service_time, 'HH24:MI') AS service_time
	FROM slots
	WHERE restaurant_id = $1 AND service_date = $2::date AND service_time = ANY ($3::time[]) AND $4::integer IS NOT NULL`

// during runs a rival between the moment at which staff have read a slot and the statement that stores their change,
// and waits for it.
func (h *harness) during(t *testing.T, g pg.Guard, rival func(*db.SlotStore)) (wait func()) {
	other := db.NewSlotStore(h.Instance(t))
	over := make(chan struct{})
	var once sync.Once
	h.Weaken(g, func(query string) string {
		once.Do(func() {
			go func() {
				defer close(over)
				rival(other)
			}()
			dbtest.AwaitLockOr(t, h.SQL(), dbtest.Closed(over))
		})
		return query
	})
	return func() { <-over }
}

// A booking and another change wait for a change of capacity that has read the slot: none is sold too much, and none is
// lost. Without the lock both come between.
func TestChangeSlots_LocksTheSlot(t *testing.T) {
	t.Parallel()
	for _, locked := range []bool{true, false} {
		t.Run(map[bool]string{true: "locked", false: "control"}[locked], func(t *testing.T) {
			t.Parallel()
			h := setup(t)
			people := h.Diners(t, 2, 0)
			sold, lost := h.Slot("18:00"), h.Slot("19:00")
			h.makeSlot(t, sold, 10)
			h.makeSlot(t, lost, 10)
			if !locked {
				h.Weaken(db.LockSteered, dbtest.Instead(unlockedSteering))
			}
			wait := h.during(t, db.UpdateSteered, func(other *db.SlotStore) {
				_, _, err := other.Serve(context.WithoutCancel(t.Context()), h.Turn(sold, 10, 0),
					[]booking.Request{h.Request(people[1], sold)})
				if err != nil {
					t.Error(err)
				}
			})
			if err := h.SetCapacity(t, sold, 0, people[0]); err != nil {
				t.Error(err)
			}
			wait()
			if o := h.occupancyOf(t, sold); (o.Held > o.Capacity) == locked {
				t.Errorf("%d of %d covers are sold", o.Held, o.Capacity)
			}
			wait = h.during(t, db.UpdateSteered, func(other *db.SlotStore) {
				change := testkit.Steering(lost, reserve.SlotChange{Capacity: ptr(4)}, people[1])
				if _, err := other.ChangeSlots(context.WithoutCancel(t.Context()), change); err != nil {
					t.Error(err)
				}
			})
			if _, err := h.Steer(t, lost, reserve.SlotChange{Paused: ptr(true)}, people[0]); err != nil {
				t.Error(err)
			}
			wait()
			if o := h.occupancyOf(t, lost); !o.Paused || (o.Capacity == 4) != locked {
				t.Errorf("two changes left %+v", o)
			}
		})
	}
}
