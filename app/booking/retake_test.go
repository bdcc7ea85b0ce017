package booking

import "testing"

// A late payment brings the seats back while the limit of arrivals has room; whom staff booked they may have let in
// beyond it.
func TestRetake_WithinTheLimitOfArrivals(t *testing.T) {
	t.Parallel()
	for source, want := range map[Source]bool{Web: false, Phone: true, WalkIn: true} { // in any order
		state := SlotState{Times: []TimeOfDay{"19:00"},
			Slots: []Occupancy{{Capacity: 10, Held: 4, Arriving: 4, ArrivalLimit: 5}}}
		if _, free := state.Retake(Reservation{PartySize: 2, Source: source}); free != want {
			t.Errorf("%s: %v", source, free)
		}
		if _, free := state.Retake(Reservation{PartySize: 7, Source: source}); free {
			t.Errorf("%s: without seats", source)
		}
	}
}
