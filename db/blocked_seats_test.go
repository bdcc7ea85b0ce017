package db_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/db"
	"lunchgo/db/dbtest"
	"lunchgo/db/testkit"
)

func blocking(slot booking.SlotKey, staff string, seats ...int64) reserve.SeatBlock {
	return reserve.SeatBlock{RestaurantID: slot.RestaurantID, Slots: []booking.SlotKey{slot}, UsualCapacity: 10,
		Block: seats, Reason: "다리가 부러짐", StaffID: staff}
}

// A blocked seat is given to nobody: not to who chooses it, nor to who takes any, nor back to who lost it. Unblocked,
// it is.
func TestBlockSeats_LikeTakenOnes(t *testing.T) {
	t.Parallel()
	h := setup(t)
	seats, slot := h.openHall(t, 3), h.Slot("19:00")
	people := h.Diners(t, 4, 0)
	dbtest.Must(t, h.Slots.BlockSeats(t.Context(), blocking(slot, people[0], seats[0], seats[1])))
	want := booking.TakenSeats{{ID: seats[0], Blocked: true}, {ID: seats[1], Blocked: true}}
	if taken := h.takenSeats(t, slot); !slices.Equal(taken, want) || taken.State(seats[0]) != booking.SeatBlocked {
		t.Errorf("taken: %+v", taken)
	}
	var gone *booking.SeatTakenError
	if out := h.serveOne(t, h.at(people[1], slot, seats[1])); !errors.As(out.Err, &gone) ||
		!slices.Equal(gone.Instead, seats[2:]) {
		t.Errorf("who chooses it: %+v", out)
	}
	one := testkit.WalkIn(h.Guest(h.Host(t), slot), booking.Seated)
	one.PartySize = 1
	if out := h.serveOne(t, one); !out.Reserves() || !slices.Equal(out.SeatIDs, seats[2:]) {
		t.Errorf("who takes any: %+v", out)
	}
	var inUse *booking.SeatsInUseError
	if err := h.Slots.BlockSeats(t.Context(), blocking(slot, people[0], seats[2])); !errors.As(err, &inUse) ||
		len(inUse.Parties) != 1 || !slices.Equal(inUse.Parties[0].SeatIDs, seats[2:]) ||
		inUse.Parties[0].Name != "워크인" {
		t.Errorf("a seat that somebody has: %v, %+v", err, inUse)
	}
	again := blocking(slot, people[0])
	again.Unblock = seats
	dbtest.Must(t, h.Slots.BlockSeats(t.Context(), again))
	if out := h.serveOne(t, h.at(people[3], slot, seats[1])); !out.Reserves() {
		t.Errorf("unblocked: %+v", out)
	}
	if acts := h.acts(t, people[0]); len(acts) != 2 {
		t.Errorf("acts: %q", acts)
	}
}

// A seat that is chosen while it is being blocked goes to nobody. Without the locks it is blocked, and held.
func TestBlockSeats_AgainstWhoChoosesThem(t *testing.T) {
	t.Parallel()
	for _, locked := range []bool{true, false} {
		t.Run(map[bool]string{true: "locked", false: "control"}[locked], func(t *testing.T) {
			t.Parallel()
			h := setup(t)
			seats, slot := h.openHall(t, 3), h.Slot("19:00")
			people := h.Diners(t, 2, 0)
			h.makeSlot(t, slot, 10)
			if !locked {
				h.Weaken(db.LockToBlockSeats, dbtest.Instead(`
					SELECT s.id
					FROM slots s
					JOIN unnest($2::date[], $3::time[]) AS slot (day, at) ON day = service_date AND at = service_time
					WHERE restaurant_id = $1 AND $4::integer IS NOT NULL`))
			}
			wait := h.during(t, db.InsertBlocked, func(other *db.SlotStore) {
				req := h.at(people[1], slot, seats[1])
				if _, _, err := other.Serve(context.WithoutCancel(t.Context()), h.Turn(slot, 10, 0),
					[]booking.Request{req}); err != nil {
					t.Error(err)
				}
			})
			if err := h.Slots.BlockSeats(t.Context(), blocking(slot, people[0], seats[1])); err != nil {
				t.Error(err)
			}
			wait()
			if both := h.holders(t, slot, seats[1]) == 1; both == locked {
				t.Errorf("the seat is blocked, and held: %v", both)
			}
		})
	}
}

// Seats that are blocked for a day are blocked in slots too that come into being later, until they are unblocked for
// the day.
func TestBlockSeats_OfADayInLaterSlots(t *testing.T) {
	t.Parallel()
	h := setup(t)
	seats, early, late, last := h.openHall(t, 2), h.Slot("18:00"), h.Slot("19:00"), h.Slot("20:00")
	people := h.Diners(t, 3, 0)
	block := blocking(early, people[0], seats[0])
	block.Days = reserve.Days{First: early.Date, Last: early.Date.AddDays(1)}
	dbtest.Must(t, h.Slots.BlockSeats(t.Context(), block))
	var gone *booking.SeatTakenError
	if out := h.serveOne(t, h.at(people[1], late, seats[0])); !errors.As(out.Err, &gone) {
		t.Errorf("a slot that is made later: %+v", out)
	}
	next := late
	next.Date = late.Date.AddDays(1)
	if out := h.serveOne(t, h.at(people[1], next, seats[0])); !errors.As(out.Err, &gone) {
		t.Errorf("one of the next day: %+v", out)
	}
	block.Block, block.Unblock = nil, seats
	dbtest.Must(t, h.Slots.BlockSeats(t.Context(), block))
	if out := h.serveOne(t, h.at(people[2], last, seats[0])); !out.Reserves() {
		t.Errorf("unblocked: %+v", out)
	}
}

// A slot that is made while seats are blocked for its day has them blocked too. Without the lock somebody gets one.
func TestBlockSeats_OfADayAgainstANewSlot(t *testing.T) {
	t.Parallel()
	for _, locked := range []bool{true, false} {
		t.Run(map[bool]string{true: "locked", false: "control"}[locked], func(t *testing.T) {
			t.Parallel()
			h := setup(t)
			seats, known, made := h.openHall(t, 3), h.Slot("19:00"), h.Slot("20:00")
			people := h.Diners(t, 2, 0)
			if !locked {
				h.Weaken(db.LockToBlockDays, dbtest.Instead(`SELECT id FROM restaurants WHERE id = $1`))
			}
			wait := h.during(t, db.InsertBlocked, func(other *db.SlotStore) {
				req := h.at(people[1], made, seats[1])
				if _, _, err := other.Serve(context.WithoutCancel(t.Context()), h.Turn(made, 10, 0),
					[]booking.Request{req}); err != nil {
					t.Error(err)
				}
			})
			block := blocking(known, people[0], seats[1])
			block.Days = reserve.Days{First: known.Date, Last: known.Date}
			if err := h.Slots.BlockSeats(t.Context(), block); err != nil {
				t.Error(err)
			}
			wait()
			if given := h.holders(t, made, seats[1]) == 1; given == locked {
				t.Errorf("the seat is given away: %v", given)
			}
		})
	}
}
