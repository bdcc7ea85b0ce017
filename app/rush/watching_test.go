package rush

import (
	"slices"
	"testing"
	"time"
)

func TestWatching_MeasuresFromTheTurn(t *testing.T) {
	t.Parallel()
	pressed := time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)
	decide := func(id string, ms int) Decision {
		return Decision{ReservationID: id, At: pressed.Add(time.Duration(ms) * time.Millisecond)}
	}
	decided := []Decision{decide("a", 1000), decide("b", 1000), decide("c", 2000)}
	at := func(ms int) time.Duration { return time.Duration(ms) * time.Millisecond }
	var w watching
	w.add(decided, []answer{
		{Outcome: reserved, ReservationID: "a", Ticket: "t", Answered: at(1200), Moved: []int32{10}},
		{Outcome: reserved, ReservationID: "c", Ticket: "t", Answered: at(2050), Moved: []int32{10, 900, 1700}},
		{Outcome: soldOut, Ticket: "t", Answered: at(2600), Placed: at(40), Moved: []int32{40, 1100, 2100}},
		{Outcome: soldOut, Ticket: "t", Answered: at(3000), Placed: at(2990), Moved: []int32{2990}},
		{Outcome: reserved, ReservationID: "b", Answered: at(1100)}, // waited for nothing
		{Outcome: soldOut, Answered: at(1)},
		{Outcome: unanswered, Ticket: "t", Moved: []int32{40}},
		{Outcome: reserved, ReservationID: "not in the database", Ticket: "t"},
	}, pressed)
	w.sort()
	if want := []time.Duration{at(10), at(50), at(200), at(600)}; !slices.Equal(w.late, want) {
		t.Errorf("answered %v after the turn, want %v", w.late, want)
	}
	// the first: from its turn to its answer; the second: from the turn of others at 1000 to 1700; the third: from 1000
	// to 1100, and from 2000 to 2100; the last saw no turn
	if want := []time.Duration{0, at(100), at(200), at(700)}; !slices.Equal(w.stale, want) {
		t.Errorf("shown an old position for %v, want %v", w.stale, want)
	}
	var none watching
	none.add(nil, []answer{{Outcome: soldOut, Ticket: "t"}}, pressed)
	if len(none.late) != 0 {
		t.Errorf("without a turn: %v", none.late)
	}
}

func TestNoteMove_KeepsWhenThePositionChanged(t *testing.T) {
	t.Parallel()
	d := diner{pressed: time.Now()}
	for _, data := range []string{`{"position":12,"waitingCount":20}`, `{"position":12,"waitingCount":19}`,
		`{"ticket":"x","position":11}`, `{"waitingCount":3}`, `{"position":1`, `{"position":1}`} {
		d.noteMove([]byte(data), positionKey)
	}
	if len(d.answer.Moved) != 3 || string(d.position) != "1" {
		t.Errorf("moved at %v, last to %s", d.answer.Moved, d.position)
	}
}
