package booking

import (
	"errors"
	"slices"
	"testing"
	"time"

	"lunchgo/app/refusal"
)

// What staff ask for over the plan is decided alike for a new party and for one that they move: it is seated beside
// those that are there, up to the fire limit, at the table that it chose or that is free when it comes. Whatever else
// speaks against it still does.
func TestDecide_OverThePlan(t *testing.T) {
	t.Parallel()
	plan := SeatPlan{{ID: 1, Places: 4, MinParty: 1}, {ID: 2, Places: 4, MinParty: 1}}
	held := func(covers int, seats ...int64) Occupancy {
		return Occupancy{Capacity: 10, Held: covers, Seats: TakenSeats(nil).with(seats, false)}
	}
	closed, paused := held(10), held(10)
	closed.Closed, paused.Paused = true, true
	type two = [2]Occupancy // the slots of the stay
	for _, c := range []struct {
		name  string
		slots two
		plan  SeatPlan
		ask   []int64 // seats
		stock Stock
		plain error // without an override
		err   error // with one, as are the seats
		seats []int64
	}{
		{"the plan has seats", two{held(8), held(0)}, nil, nil, nil, nil, nil, nil},
		{"all covers are given", two{held(10), held(0)}, nil, nil, nil, ErrSoldOut, nil, nil},
		{"later on", two{held(0), held(10)}, nil, nil, nil, ErrSoldOut, nil, nil},
		{"up to the fire limit", two{held(0), held(12)}, nil, nil, nil, ErrSoldOut, nil, nil},
		{"beyond it", two{held(0), held(13)}, nil, nil, nil, ErrSoldOut, ErrFireLimit, nil},
		{"closed", two{closed, held(0)}, nil, nil, nil, ErrClosed, ErrClosed, nil},
		{"paused", two{paused, held(0)}, nil, nil, nil, ErrPaused, ErrPaused, nil},
		{"a dish is out", two{held(10), held(0)}, nil, nil, Stock{1: 0}, ErrSoldOut, ErrOutOfStock, nil},
		{"the chosen table is taken later", two{held(0), held(4, 1)}, plan, []int64{1}, nil, ErrSeatTaken, nil, []int64{1}},
		{"the chosen table is taken", two{held(4, 1), held(0)}, plan, []int64{1}, nil, ErrSeatTaken, ErrSeatTaken, nil},
		{"each table is taken once", two{held(4, 1), held(4, 2)}, plan, nil, nil, ErrSoldOut, nil, []int64{2}},
		{"no table is free", two{held(8, 1, 2), held(0)}, plan, nil, nil, ErrSoldOut, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			slot := request("ann", 2).Slot
			res := Reservation{ID: "r", RestaurantID: 1, Slot: SlotKey{1, slot.Date, "12:00"}, PartySize: 2,
				State: Confirmed}
			state := SlotState{Slots: c.slots[:], Plan: c.plan, Stock: c.stock, Now: noon, End: noon.Add(time.Hour),
				FireLimit: 14, Times: []TimeOfDay{"19:00", "20:00"},
				Changing: map[string]Changing{"r": {Reservation: res}}}
			asked := Request{UserID: "host", IdempotencyKey: "key", Slot: slot, Stay: []TimeOfDay{"20:00"}, PartySize: 2,
				SeatIDs: c.ask, Items: []Item{{MenuItemID: 1, Quantity: 1}}}
			booked, moved := asked, asked
			booked.Guest = &Guest{State: Confirmed}
			moved.Change = &Change{ReservationID: "r", From: res.Slots(), FromParty: 2, ByStaff: true}
			for _, req := range []Request{booked, moved} {
				if out, _ := Decide(state, []Request{req}); !errors.Is(out[0].Err, c.plain) || out[0].Overridden {
					t.Errorf("without an override: %+v", out[0])
				}
				req.Override = &Override{Reason: "VIP"}
				outcomes, after := Decide(state, []Request{req})
				out := outcomes[0]
				seats := out.SeatIDs
				if out.Changed != nil {
					seats = out.Changed.SeatIDs()
				}
				if over := c.plain != nil && c.err == nil; !errors.Is(out.Err, c.err) || out.Overridden != over ||
					!slices.Equal(seats, c.seats) {
					t.Errorf("with one: %+v, seats %v", out, seats)
				}
				if c.err == nil && after[1].Held != c.slots[1].Held+2 {
					t.Errorf("with one %d are there later", after[1].Held)
				}
			}
		})
	}
}

// A party that is there already counts once: moved over the plan to another table, or with one person more.
func TestDecide_OverThePlanCountsOnce(t *testing.T) {
	t.Parallel()
	res := Reservation{ID: "r", RestaurantID: 1, Slot: request("ann", 2).Slot, PartySize: 2, State: Seated}
	state := SlotState{Slots: []Occupancy{{Capacity: 10, Held: 12}}, Now: noon, End: noon.Add(time.Hour), FireLimit: 13,
		Times: []TimeOfDay{"19:00"}, Changing: map[string]Changing{"r": {Reservation: res}}}
	for party, want := range map[int]error{3: nil, 4: ErrFireLimit} { // in any order
		req := Request{UserID: "host", IdempotencyKey: "key", Slot: res.Slot, PartySize: party,
			Override: &Override{"VIP"}, Change: &Change{ReservationID: "r", From: res.Slots(), FromParty: 2, ByStaff: true}}
		if out, _ := Decide(state, []Request{req}); !errors.Is(out[0].Err, want) {
			t.Errorf("%d people: %v", party, out[0].Err)
		}
	}
}

// Another end of the stay or another reason is another request under the same key: in the line, and after the change.
func TestGuestChange_EndAndReasonAreAskedFor(t *testing.T) {
	t.Parallel()
	asked := Request{Slot: request("ann", 2).Slot, PartySize: 2, EndTime: "20:00", Override: &Override{"VIP"},
		Change: &Change{ReservationID: "r", ByStaff: true}}
	otherEnd, otherWhy, plain := asked, asked, asked
	otherEnd.EndTime, otherWhy.Override, plain.Override = "20:30", &Override{"friends"}, nil
	same := asked
	same.Override = &Override{"VIP"}
	if same.Fingerprint() != asked.Fingerprint() {
		t.Error("the same request is another")
	}
	for _, other := range []Request{otherEnd, otherWhy, plain} {
		if other.Fingerprint() == asked.Fingerprint() {
			t.Errorf("%+v counts as the same", other)
		}
	}
	now := Reservation{ID: "r", Slot: asked.Slot, PartySize: 2, SlotMinutes: 60, Changes: 1}
	past := PastChange{ReservationID: "r", Number: 1, To: Agreed{Slot: asked.Slot, PartySize: 2}}
	for _, c := range []struct {
		end, why string
		over     *Override
		changes  int
		same     bool
	}{
		{"20:00", "VIP", &Override{"VIP"}, 1, true},
		{"", "", nil, 1, true},
		{"20:30", "VIP", &Override{"VIP"}, 1, false},
		{"20:00", "VIP", &Override{"friends"}, 1, false},
		{"20:00", "VIP", nil, 1, false},
		{"20:30", "", nil, 2, true}, // it has been changed since
	} {
		now.Changes = c.changes
		if got := past.MatchesMove(now, c.why, GuestChange{EndTime: c.end, Override: c.over}); got != c.same {
			t.Errorf("%+v: the same: %v", c, got)
		}
	}
}

// An override needs a reason, beside what else is wrong.
func TestGuestChange_OverrideNeedsReason(t *testing.T) {
	t.Parallel()
	r := longLunch(t)
	res := Reservation{ID: "r", RestaurantID: 1, Slot: SlotKey{1, "2026-12-24", "18:00"}, PartySize: 2,
		State: Confirmed}
	_, err := GuestChange{PartySize: new(0), Override: &Override{}}.Check(r, res, nil, noon)
	var invalid *InvalidError
	if !errors.As(err, &invalid) || !errors.Is(err, refusal.Invalid) || len(invalid.Fields) != 2 ||
		invalid.Fields[1] != (FieldError{Field: "override.reason", Reason: "required"}) {
		t.Errorf("got %v", err)
	}
}
