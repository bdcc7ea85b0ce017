package setup

import (
	"slices"
	"strconv"

	"lunchgo/app/booking"
)

// The size of what is added to a room, in centimetres.
const (
	usualWidth  = 800
	usualHeight = 600
	tableWidth  = 120
	tableHeight = 80
	stoolSize   = 60
	gap         = 40
	counterRow  = 5 // seats that a counter is added with
)

// With returns the room with a thing more: "add_table", "add_counter", "add_fixture", or "template" for an empty room.
// False for any other thing.
func (r Room) With(thing string) (Room, bool) {
	r.Floor.Width, r.Floor.Height = max(r.Floor.Width, MinFloor), max(r.Floor.Height, MinFloor)
	if len(r.Seats)+len(r.Floor.Fixtures) == 0 {
		r.Floor.Width, r.Floor.Height = max(r.Floor.Width, usualWidth), max(r.Floor.Height, usualHeight)
	}
	r.Seats, r.Floor.Fixtures = slices.Clip(r.Seats), slices.Clip(r.Floor.Fixtures)
	switch thing {
	case "add_table":
		r.addTable()
	case "add_counter":
		r.addCounter(counterRow)
	case "add_fixture":
		r.Floor.Fixtures = append(r.Floor.Fixtures,
			booking.Fixture{Kind: "kitchen", Area: booking.Area{Width: 2 * tableWidth, Height: tableHeight}})
	case "template": // four tables for four, and a counter of eight
		for range 4 {
			r.addTable()
		}
		r.addCounter(8)
	default:
		return r, false
	}
	return r, true
}

func (r *Room) addTable() {
	area := r.free(tableWidth, tableHeight)
	r.Seats = append(r.Seats, Seat{Label: r.label("T"), Kind: booking.TableSeat, Places: 4, MinParty: 1, Area: area,
		Partners: []string{}})
}

// addCounter adds a row of seats, each a partner of the next.
func (r *Room) addCounter(n int) {
	area := r.free(n*stoolSize+(n-1)*gap/2, stoolSize)
	for i := range n {
		seat := Seat{Label: r.label("C"), Kind: booking.CounterSeat, Places: 1, MinParty: 1, Partners: []string{},
			Area: booking.Area{X: area.X + i*(stoolSize+gap/2), Y: area.Y, Width: stoolSize, Height: stoolSize}}
		if i > 0 {
			last := &r.Seats[len(r.Seats)-1]
			last.Partners, seat.Partners = append(last.Partners, seat.Label), []string{last.Label}
		}
		r.Seats = append(r.Seats, seat)
	}
}

// label is the first of a letter and a number that no seat has.
func (r *Room) label(letter string) string {
	for n := 1; ; n++ {
		label := letter + strconv.Itoa(n)
		if !slices.ContainsFunc(r.Seats, func(s Seat) bool { return s.Label == label }) {
			return label
		}
	}
}

// free is the first place of that size at which nothing stands. A room that has none gets longer.
func (r *Room) free(width, height int) booking.Area {
	r.Floor.Width = max(r.Floor.Width, width+2*gap)
	for y := gap; ; y += gap {
		for x := gap; x+width+gap <= r.Floor.Width; x += gap {
			area := booking.Area{X: x, Y: y, Width: width, Height: height}
			if !r.stands(area) {
				r.Floor.Height = max(r.Floor.Height, y+height+gap)
				return area
			}
		}
	}
}

func (r *Room) stands(area booking.Area) bool {
	around := booking.Area{X: area.X - gap/2, Y: area.Y - gap/2, Width: area.Width + gap, Height: area.Height + gap}
	return slices.ContainsFunc(r.Seats, func(s Seat) bool { return overlap(s.Area, around) }) ||
		slices.ContainsFunc(r.Floor.Fixtures, func(f booking.Fixture) bool { return overlap(f.Area, around) })
}
