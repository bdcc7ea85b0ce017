package rush

import (
	"slices"
	"time"
)

// served is one party that got seats, as it is seen from outside.
type served struct {
	sent   time.Duration // when its press was about to go out for the first time
	placed time.Duration // when the head of the answer had come that gave it a place in the line; 0: never
}

// wireInversions counts the diners who were overtaken, by what was seen on the wire and not by the line's own numbers.
// inOrder got seats, in that order; the server answered refused, who got none, at those times.
//
// A diner was overtaken when somebody who got seats before them, or instead of them, pressed only after the server had
// answered them with their place. Of presses that overlap either may come first.
func wireInversions(inOrder []served, refused []time.Duration) int {
	count := 0
	latest := time.Duration(-1) // press of those who have seats so far
	for _, s := range inOrder {
		if s.placed > 0 && latest > s.placed {
			count++
		}
		latest = max(latest, s.sent)
	}
	for _, placed := range refused {
		if placed > 0 && latest > placed {
			count++
		}
	}
	return count
}

// together is how far apart two presses are at most that count as made at the same moment: people notice no difference
// that is smaller.
const together = 100 * time.Millisecond

// overtaken counts the diners who got seats after somebody who pressed later than they did, by more than together, or
// none though such a one did. It needs no word of the server in between, so designs that answer only at the end
// compare.
func overtaken(decided []Decision, answers []answer) int {
	pressed := slices.Clone(answers)
	for i := range pressed {
		if pressed[i].Placed = 0; pressed[i].Sent > 0 {
			pressed[i].Placed = pressed[i].Sent + together
		}
		if pressed[i].Outcome != reserved {
			pressed[i].Outcome = soldOut
		}
	}
	return wireInversions(onTheWire(decided, pressed))
}

// onTheWire puts a slot's answers into the order of its decisions.
func onTheWire(decided []Decision, answers []answer) (inOrder []served, refused []time.Duration) {
	byReservation := make(map[string]answer, len(answers))
	for _, a := range answers {
		switch a.Outcome {
		case reserved:
			byReservation[a.ReservationID] = a
		case soldOut:
			refused = append(refused, a.Placed)
		}
	}
	for _, d := range decided {
		if a, ok := byReservation[d.ReservationID]; ok {
			inOrder = append(inOrder, served{a.Sent, a.Placed})
		}
	}
	return inOrder, refused
}
