package booking

import (
	"testing"
	"time"
)

// BenchmarkBest looks for the seats of a party in a room with a counter and tables, and in a hall of 64 seats that join
// nothing.
func BenchmarkBest(b *testing.B) {
	hall := make(SeatPlan, 64)
	for i := range hall {
		hall[i] = Seat{ID: int64(i + 1), Kind: TableSeat, Places: 1}
	}
	for _, c := range []struct {
		name  string
		plan  SeatPlan
		taken TakenSeats
		party int
	}{
		{"hall/empty", hall, nil, 1},
		{"hall/half", hall, takenFirst(hall, 32), 1},
		{"room/2", room(), nil, 2},
		{"room/3", room(), taken(11, 12), 3},
		{"room/8", room(), nil, 8},
		{"room/13", room(), nil, 13},
		{"counter/2", counterOf(18), nil, 2},
		{"counter/7", counterOf(18), nil, 7},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c.plan.Best(c.taken, c.party)
			}
		})
	}
}

// BenchmarkOffer asks what a party of two gets of a slot, without named seats, with them, and with how many fit.
func BenchmarkOffer(b *testing.B) {
	r := Restaurant{ID: 1,
		Location: time.UTC,
		Hours:    []Opening{{Weekday: morning.Weekday(), From: "18:00", Last: "21:00"}},
		Settings: Settings{Capacity: 22, SlotMinutes: 30, PartyMin: 1, PartyMax: 8, HorizonDays: 30}}
	day := map[TimeOfDay]Occupancy{"19:00": {Capacity: 22, Held: 4, Seats: taken(11, 12)}}
	ask := Ask{Slot: SlotKey{1, "2040-05-07", "19:00"}, PartyStay: PartyStay{Party: 2}}
	for _, c := range []struct {
		name string
		plan SeatPlan
		fits bool
	}{{"covers", nil, false}, {"covers/fits", nil, true}, {"room", room(), false}, {"room/fits", room(), true}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			r.Seats = c.plan
			for b.Loop() {
				if offer := r.Offer(ask, day, morning); c.fits {
					offer.Fits()
				}
			}
		})
	}
}

func takenFirst(plan SeatPlan, n int) TakenSeats {
	var ids []int64
	for _, seat := range plan[:n] {
		ids = append(ids, seat.ID)
	}
	return taken(ids...)
}

// counterOf is a counter of n seats in a row.
func counterOf(n int) SeatPlan {
	plan := make(SeatPlan, n)
	for i := range plan {
		plan[i] = Seat{ID: int64(i + 1), Kind: CounterSeat, Places: 1}
		if i > 0 {
			plan[i].Partners = append(plan[i].Partners, int64(i))
			plan[i-1].Partners = append(plan[i-1].Partners, int64(i+1))
		}
	}
	return plan
}
