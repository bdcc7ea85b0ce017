package rush

import (
	"testing"
	"time"
)

// at is a diner who pressed and was given a place at those milliseconds.
func at(sent, placed time.Duration) served {
	return served{sent * time.Millisecond, placed * time.Millisecond}
}

func TestWireInversions_CountWhoWasOvertaken(t *testing.T) {
	t.Parallel()
	ms := func(all ...time.Duration) []time.Duration {
		for i := range all {
			all[i] *= time.Millisecond
		}
		return all
	}
	tests := []struct {
		name    string
		inOrder []served
		refused []time.Duration
		want    int
	}{
		{"nobody", nil, ms(5), 0},
		{"one after the other", []served{at(1, 2), at(3, 4), at(5, 6)}, ms(9, 10), 0},
		{"the same with a pair exchanged", []served{at(1, 2), at(5, 6), at(3, 4)}, nil, 1},
		{"presses that overlap", []served{at(3, 8), at(2, 7), at(1, 6)}, nil, 0},
		{"the first is served last", []served{at(10, 11), at(12, 13), at(14, 15), at(1, 2)}, nil, 1},
		{"backwards", []served{at(7, 8), at(5, 6), at(3, 4), at(1, 2)}, nil, 3},
		{"answered at the moment of the other press", []served{at(2, 3), at(1, 2)}, nil, 0},
		{"refused before the last who got seats had pressed", []served{at(1, 2), at(8, 9)}, ms(7, 8, 9), 1},
		{"never given a place", []served{at(8, 9), at(1, 0)}, ms(0), 0},
	}
	for _, test := range tests {
		if got := wireInversions(test.inOrder, test.refused); got != test.want {
			t.Errorf("%s: %d inversions, want %d", test.name, got, test.want)
		}
	}
}

func TestOnTheWire_OrdersAnswersAsTheDatabase(t *testing.T) {
	t.Parallel()
	answers := []answer{
		{Outcome: reserved, ReservationID: "a", Sent: 1, Placed: 2},
		{Outcome: soldOut, Sent: 3, Placed: 4},
		{Outcome: unanswered, Sent: 5, Placed: 6},
		{Outcome: reserved, ReservationID: "b", Sent: 7, Placed: 8},
		{Outcome: reserved, ReservationID: "not in the database", Sent: 9, Placed: 10},
	}
	inOrder, refused := onTheWire([]Decision{{ReservationID: "b"}, {ReservationID: "of nobody"}, {ReservationID: "a"}},
		answers)
	if len(inOrder) != 2 || inOrder[0] != (served{7, 8}) || inOrder[1] != (served{1, 2}) {
		t.Errorf("in order %v", inOrder)
	}
	if len(refused) != 1 || refused[0] != 4 {
		t.Errorf("refused %v", refused)
	}
}
