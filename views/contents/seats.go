package contents

import (
	"slices"

	"lunchgo/views"
)

// seatCell is a field of the form of a room: its name, without the number of its row, and the catalogue's key of its
// label.
type seatCell struct{ name, label string }

// The fields of the form in its order. The second of a seat and the first of a fixture choose its kind; the
// last four of a seat are folded.
var (
	roomCells = []seatCell{{"width", "contents.room_width"}, {"height", "contents.room_height"}}
	seatCells = []seatCell{{"label", "contents.label"}, {"kind", "contents.kind"}, {"places", "contents.places"},
		{"min", "contents.min_party"}, {"partners", "contents.partners"}, {"x", "contents.from_left"},
		{"y", "contents.from_top"}, {"w", "contents.width"}, {"h", "contents.height"}}
	fixtureCells = []seatCell{{"fkind", "contents.kind"}, {"fx", "contents.from_left"}, {"fy", "contents.from_top"},
		{"fw", "contents.width"}, {"fh", "contents.height"}}
)

// isExactWrong returns whether something is wrong with where a seat stands, or how large it is.
func isExactWrong(s views.ContentsSeats, row int) bool {
	return slices.ContainsFunc(seatCells[5:], func(c seatCell) bool { return s.Errors[at(c.name, row)] != "" })
}

// seatFault is what is wrong with a field of the form of a room, with the words that find it.
type seatFault struct{ name, text string }

// faultsOf lists what is wrong with the fields, in their order: the form is long, so that each leads to its field.
func faultsOf(s views.ContentsSeats) []seatFault {
	var all []seatFault
	add := func(name, where string) {
		if wrong, ok := s.Errors[name]; ok {
			all = append(all, seatFault{name, where + ": " + wrong})
		}
	}
	for _, c := range roomCells {
		add(c.name, s.T(c.label))
	}
	for _, i := range s.Rows {
		for _, c := range seatCells {
			add(at(c.name, i), s.T("contents.seat", "Number", i+1)+" · "+s.T(c.label))
		}
	}
	for _, i := range s.Fixtures {
		for _, c := range fixtureCells {
			add(at(c.name, i), s.T("contents.fixture", "Number", i+1)+" · "+s.T(c.label))
		}
	}
	return all
}
