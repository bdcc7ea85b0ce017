package evening

import (
	"slices"

	"lunchgo/app/booking"
)

// Row is a table over the slots of the evening.
type Row struct {
	Seat  booking.Seat // zero: the parties have no table that the plan knows
	Spans []Span       // without a gap
}

// Span is a part of a row.
type Span struct {
	From, Slots int // from a slot of the evening on, for some of them
	Party       *Party
	State       booking.SeatState // where there is no party; taken: it is kept for somebody
}

// cell is a table in a slot.
type cell struct {
	party *Party
	state booking.SeatState
}

// isFree returns whether the table can be given to somebody.
func (c cell) isFree() bool { return c.party == nil && (c.state == booking.SeatFree || c.state == "") }

// Timeline returns who has which table when: a row for each named seat, in the order of the plan, and then as many as
// it takes for the parties without one. A party that is gone shows until it went, where nobody has the table by now,
// and one that overstays shows in the slot that runs.
func (e Evening) Timeline() []Row {
	rows := make([][]cell, len(e.Restaurant.Seats))
	for i, seat := range e.Restaurant.Seats {
		rows[i] = make([]cell, len(e.Slots))
		for j, slot := range e.Slots {
			rows[i][j].state = slot.Seats.State(seat.ID)
		}
	}
	for _, gone := range []bool{false, true} {
		for i := range e.Parties {
			switch p := &e.Parties[i]; {
			case p.State.HoldsSeats() && !gone, p.State == booking.Completed && gone:
				rows = e.place(rows, p)
			case gone && p.State == booking.Seated && p.Left(e.Now) <= 0:
				e.overstay(rows, p)
			}
		}
	}
	timeline := make([]Row, len(rows))
	for i, cells := range rows {
		timeline[i].Spans = spansOf(cells)
		if i < len(e.Restaurant.Seats) {
			timeline[i].Seat = e.Restaurant.Seats[i]
		}
	}
	return timeline
}

// place puts a party into the rows of its tables; one without any into the first free row below them.
func (e Evening) place(rows [][]cell, p *Party) [][]cell {
	slots := e.slotsOf(p)
	named := false
	for i, seat := range e.Restaurant.Seats {
		if slices.Contains(p.SeatIDs(), seat.ID) {
			fill(rows[i], slots, p)
			named = true
		}
	}
	if named {
		return rows
	}
	for _, row := range rows[len(e.Restaurant.Seats):] {
		if !slices.ContainsFunc(slots, func(at int) bool { return row[at].party != nil }) {
			fill(row, slots, p)
			return rows
		}
	}
	row := make([]cell, len(e.Slots))
	fill(row, slots, p)
	return append(rows, row)
}

// overstay puts a party at whose tables nobody else comes in the slot that runs now.
func (e Evening) overstay(rows [][]cell, p *Party) {
	at := slices.IndexFunc(e.Slots, func(s Slot) bool { return e.Restaurant.Runs(s.Key, e.Now) })
	for i, seat := range e.Restaurant.Seats {
		if at >= 0 && slices.Contains(p.SeatIDs(), seat.ID) {
			fill(rows[i], []int{at}, p)
		}
	}
}

// slotsOf returns the slots of the evening that a party is in, or was in until it went.
func (e Evening) slotsOf(p *Party) []int {
	var slots []int
	for _, key := range p.Slots() {
		at := slices.IndexFunc(e.Slots, func(s Slot) bool { return s.Key == key })
		if at >= 0 && (p.State.HoldsSeats() || len(slots) == 0 || e.Slots[at].Start.Before(p.Attendance.EndedAt)) {
			slots = append(slots, at)
		}
	}
	return slots
}

// fill puts a party into the cells of a row that nobody has; one that is gone, where the table is kept for nobody.
func fill(row []cell, slots []int, p *Party) {
	for _, at := range slots {
		if row[at].party == nil && (p.State.HoldsSeats() || row[at].isFree()) {
			row[at].party = p
		}
	}
}

// spansOf joins the neighbours that are alike; what is free stays apart, so that something can be put there.
func spansOf(cells []cell) []Span {
	var spans []Span
	for i, c := range cells {
		if last := len(spans) - 1; i > 0 && !c.isFree() && cells[i-1] == c {
			spans[last].Slots++
			continue
		}
		spans = append(spans, Span{From: i, Slots: 1, Party: c.party, State: c.state})
	}
	return spans
}
