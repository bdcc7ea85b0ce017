package evening

import (
	"slices"
	"testing"
	"time"

	"lunchgo/app/booking"
)

// tableFor is the evening at a moment with parties at tables A and B, in slots that the restaurant is open in.
func tableFor(now time.Time, parties ...Party) Evening {
	r := place()
	r.Hours = []booking.Opening{{Weekday: seven.Weekday(), From: "18:00", Last: "21:00"}}
	r.StayTiers = []booking.StayTier{{FromParty: 1, Slots: 2}}
	e := Evening{Restaurant: r, Date: "2026-11-21", Now: now, Parties: locate(r, parties)}
	known := map[booking.TimeOfDay]booking.Occupancy{}
	for _, at := range r.Times(e.Date) {
		known[at] = booking.Occupancy{Capacity: 20}
	}
	for _, p := range e.Parties {
		if !p.State.HoldsSeats() {
			continue
		}
		for _, slot := range p.Slots() {
			o := known[slot.Time]
			o.Held += p.PartySize
			for _, id := range p.SeatIDs() {
				o.Seats = o.Seats.Union(booking.TakenSeats{{ID: id}})
			}
			known[slot.Time] = o
		}
	}
	e.Slots = slotsOf(e, known)
	return e
}

// seated is a party that has a table for an hour.
func seated(id string, hour int, state booking.State, seat int64) Party {
	p := party(id, hour, state)
	p.Seats = []booking.ReservedSeat{{ID: seat}}
	return p
}

// A table can be given to the parties that find it free at their own time: first to those that are there.
func TestMovable_AreThoseThatFindTheTableFree(t *testing.T) {
	t.Parallel()
	e := tableFor(seven, seated("comes", 20, booking.Confirmed, 1), seated("is there", 19, booking.Arrived, 1),
		seated("not here any more", 19, booking.Completed, 1), seated("its own", 21, booking.Confirmed, 2),
		seated("in the way", 21, booking.Confirmed, 1))
	movable := func(e Evening) (parties []Party, ends []booking.TimeOfDay) {
		for _, m := range e.Movable(e.Restaurant.Seats[1]) {
			parties, ends = append(parties, m.Party), append(ends, m.EndTime)
		}
		return parties, ends
	}
	if parties, ends := movable(e); !slices.Equal(ids(parties), []string{"is there", "comes"}) ||
		!slices.Equal(ends, []booking.TimeOfDay{"", ""}) {
		t.Errorf("B can be given to %q until %q", ids(parties), ends)
	}
	long := seated("for a part", 19, booking.Arrived, 1)
	long.Stay = []booking.TimeOfDay{"20:00"}
	if parties, ends := movable(tableFor(seven, long, seated("next", 20, booking.Confirmed, 2))); len(parties) != 1 ||
		ends[0] != "20:00" {
		t.Errorf("B can be given to %q until %q", ids(parties), ends)
	}
	large := seated("large", 19, booking.Arrived, 1)
	large.PartySize = 11
	if got, _ := movable(tableFor(seven, large)); len(got) > 0 {
		t.Errorf("%q have no room at B", ids(got))
	}
}

// Who comes to the door can stay until the table is somebody's, and sits down nowhere where somebody sits.
func TestWalkIns_StayUntilTheTableIsTaken(t *testing.T) {
	t.Parallel()
	table := place().Seats[0]
	for _, c := range []struct {
		says  string
		e     Evening
		party int // that can sit down
		end   booking.TimeOfDay
	}{
		{"a free table", tableFor(seven), 10, ""},
		{"a table of somebody's in an hour", tableFor(seven, seated("next", 20, booking.Confirmed, 1)), 10, "20:00"},
		{"a table of somebody's now", tableFor(seven, seated("late", 19, booking.Confirmed, 1)), 0, ""},
		{"a table at which somebody sits for too long",
			tableFor(seven.Add(time.Hour), seated("over", 19, booking.Seated, 1)), 0, ""},
		{"a house that opens later", tableFor(seven.Add(-2 * time.Hour)), 0, ""},
		{"another day", tableFor(seven.AddDate(0, 0, -1)), 0, ""},
	} {
		found := c.e.WalkIns(table)
		if len(found) != c.party || len(found) > 0 && (found[0].EndTime != c.end || found[0].Party != 1) {
			t.Errorf("%s: %+v", c.says, found)
		}
	}
}

// Who comes to the door at 19:55 stays from then on, however long the slots are, and gets what is offered.
func TestWalkIns_StayFromNow(t *testing.T) {
	t.Parallel()
	now := seven.Add(55 * time.Minute)
	for _, c := range []struct {
		slotMinutes             int
		next, slot, until, ends booking.TimeOfDay // next: from when on the table is somebody's
		slots                   int
	}{
		{60, "", "19:00", "20:55", "", 2},
		{15, "", "19:45", "20:55", "", 5},
		{15, "20:30", "19:45", "20:30", "20:30", 3},
		{60, "20:00", "19:00", "20:00", "20:00", 1},
	} {
		e := Evening{Restaurant: tableFor(now).Restaurant, Date: "2026-11-21", Now: now}
		r := &e.Restaurant
		r.SlotMinutes, r.StayTiers = c.slotMinutes, []booking.StayTier{{FromParty: 1, Minutes: 60}}
		known := map[booking.TimeOfDay]booking.Occupancy{}
		for _, at := range r.Times(e.Date) {
			known[at] = booking.Occupancy{Capacity: 20}
		}
		if c.next != "" {
			known[c.next] = booking.Occupancy{Capacity: 20, Seats: booking.TakenSeats{{ID: 1}}}
		}
		e.Slots = slotsOf(e, known)
		found := e.WalkIns(r.Seats[0])
		if len(found) != 10 || found[0].Slot.Key.Time != c.slot || found[0].Until != c.until || found[0].EndTime != c.ends {
			t.Errorf("%+v: %+v", c, found)
			continue
		}
		draft := booking.GuestDraft{Source: booking.WalkIn, Seated: true, EndTime: string(found[0].EndTime),
			Draft: booking.Draft{Date: string(e.Date), Time: string(c.slot), PartySize: 1}}
		req, err := draft.Check(*r, nil, now)
		res := booking.Reservation{Slot: req.Slot, Stay: req.Stay, SlotMinutes: c.slotMinutes, Policy: req.Policy}
		if err != nil || res.EndTime() != c.until || len(res.Slots()) != c.slots {
			t.Errorf("%+v: until %s in %v, %v", c, res.EndTime(), res.Slots(), err)
		}
	}
}
