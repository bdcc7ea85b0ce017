package door

import (
	"testing"
	"time"

	"lunchgo/app/booking"
)

// house has a table for two and one for four, slots of half an hour from 18:00 to 20:30, and stays of an hour.
func house() booking.Restaurant {
	r := booking.Restaurant{ID: 1,
		Location:  time.UTC,
		StayTiers: []booking.StayTier{{FromParty: 1, Minutes: 60}},
		Seats:     booking.SeatPlan{{ID: 1, Label: "A", Places: 2, MinParty: 1}, {ID: 2, Label: "B", Places: 4, MinParty: 1}},
		Settings:  booking.Settings{Capacity: 6, SlotMinutes: 30, PartyMin: 1, PartyMax: 6}}
	for day := range time.Saturday + 1 {
		r.Hours = append(r.Hours, booking.Opening{Weekday: day, From: "18:00", Last: "20:00"})
	}
	return r
}

// taken is a day with some seats taken in some slots.
func taken(at ...booking.TimeOfDay) map[booking.TimeOfDay]booking.Occupancy {
	day := map[booking.TimeOfDay]booking.Occupancy{}
	for _, slot := range at {
		day[slot] = booking.Occupancy{Capacity: 6, Held: 6, Seats: booking.TakenSeats{{ID: 1}, {ID: 2}}}
	}
	return day
}

// Each party gets what those before it leave: now, in a slot to come, for a shorter stay, or nothing.
func TestLocate_InTheOrderOfTheQueue(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 18, 10, 0, 0, time.UTC)
	at := func(hour, minute int) time.Time { return time.Date(2026, 11, 20, hour, minute, 0, 0, time.UTC) }
	parties := []Party{
		{ID: "gone", Number: 1, PartySize: 2, State: Gone},
		{ID: "four", Number: 2, PartySize: 4, State: Waiting},
		{ID: "two", Number: 3, PartySize: 2, State: Waiting},
		{ID: "next", Number: 4, PartySize: 2, State: Waiting},
		{ID: "called", Number: 5, PartySize: 3, State: Called},
		{ID: "six", Number: 6, PartySize: 6, State: Waiting},
	}
	Locate(house(), "2026-11-20", taken("18:00"), parties, now)
	for i, want := range []Place{{}, {Ahead: 0, At: at(19, 30)}, {Ahead: 1, At: at(18, 30)}, {Ahead: 2, At: at(19, 30)},
		{Ahead: 3, At: at(18, 30)}, {Ahead: 4}} {
		if got := parties[i].Place; got != want {
			t.Errorf("%s: %+v, want %+v", parties[i].ID, got, want)
		}
	}
	Locate(house(), "2026-11-20", taken("18:30"), parties[:4], now)
	for i, want := range []Place{{}, {Ahead: 0, At: at(19, 0), Until: "18:30"}} {
		if got := parties[i].Place; got != want {
			t.Errorf("%s: %+v, want %+v", parties[i].ID, got, want)
		}
	}
	Locate(house(), "2026-11-20", taken(), parties[:4], now)
	if !parties[1].Place.FitsNow || !parties[2].Place.FitsNow || parties[3].Place.FitsNow {
		t.Errorf("places: %+v", parties[:4])
	}
	if over := passedOver(parties[:4], parties[3]); len(over) != 2 || over[0] != "four" || over[1] != "two" {
		t.Errorf("the last one passes over %v", over)
	}
	if over := passedOver(parties[:4], parties[1]); len(over) != 0 {
		t.Errorf("the first one passes over %v", over)
	}
}

// A wait is said in steps of five minutes, rounded up.
func TestPlace_Wait(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 18, 11, 0, 0, time.UTC)
	for _, c := range []struct {
		at    time.Time
		wait  time.Duration
		known bool
	}{{time.Time{}, 0, false}, {now, 0, true}, {now.Add(-time.Minute), 0, true},
		{now.Add(time.Minute), 5 * time.Minute, true}, {now.Add(19 * time.Minute), 20 * time.Minute, true}} {
		if wait, known := (Place{At: c.at}).Wait(now); wait != c.wait || known != c.known {
			t.Errorf("%v: %v, %v", c.at, wait, known)
		}
	}
}
