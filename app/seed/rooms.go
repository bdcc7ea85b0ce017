package seed

import (
	"slices"
	"strconv"

	"lunchgo/app/booking"
)

// room is where a restaurant of the demo seats its guests, in centimetres.
type room struct {
	floor booking.Floor
	seats booking.SeatPlan
}

func newRoom(width, height int) *room {
	return &room{floor: booking.Floor{Width: width, Height: height}}
}

// put puts something into the room that nobody sits at.
func (r *room) put(kind string, x, y, width, height int) *room {
	area := booking.Area{X: x, Y: y, Width: width, Height: height}
	r.floor.Fixtures = append(r.floor.Fixtures, booking.Fixture{Kind: kind, Area: area})
	return r
}

// stools puts a row of seats at a counter, each a partner of the next; they are labelled by a letter and a number, or
// by the number alone.
func (r *room) stools(letter string, n, x, y int) *room {
	const pitch, size = 95, 60
	for i := range n {
		r.seat(booking.Seat{Label: letter + strconv.Itoa(i+1), Kind: booking.CounterSeat, Places: 1,
			Area: booking.Area{X: x + i*pitch, Y: y, Width: size, Height: size}})
		if i > 0 {
			last := len(r.seats)
			r.join(r.seats[last-2].Label, r.seats[last-1].Label)
		}
	}
	return r
}

// tables puts a row of tables of one size, labelled by a letter and a number. Larger tables are kept for parties that
// need them.
func (r *room) tables(letter string, n, places, x, y int) *room {
	const gap = 90
	smallest := map[int]int{2: 1, 4: 2, 6: 4}[places]
	width := 40 + 40*((places+1)/2)
	for i := range n {
		r.seat(booking.Seat{Label: letter + strconv.Itoa(i+1), Kind: booking.TableSeat, Places: places,
			MinParty: smallest, Area: booking.Area{X: x + i*(width+gap), Y: y, Width: width, Height: 80}})
	}
	return r
}

// seat numbers seats in the order in which they come; the store gives them ids of its own.
func (r *room) seat(s booking.Seat) {
	s.ID = int64(len(r.seats) + 1)
	r.seats = append(r.seats, s)
}

// join makes each seat a partner of the next.
func (r *room) join(labels ...string) *room {
	for i := 1; i < len(labels); i++ {
		a, b := r.labelled(labels[i-1]), r.labelled(labels[i])
		a.Partners, b.Partners = append(a.Partners, b.ID), append(b.Partners, a.ID)
	}
	return r
}

func (r *room) labelled(label string) *booking.Seat {
	at := slices.IndexFunc(r.seats, func(s booking.Seat) bool { return s.Label == label })
	return &r.seats[at]
}

// rooms are those of houses.json.
var rooms = map[string]func() *room{"sushi counter": sushiCounter, "trattoria": trattoria, "dim sum hall": dimsumHall}

// sushiCounter is a counter before the chef's board, and nothing else.
func sushiCounter() *room {
	return newRoom(880, 400).
		put("kitchen", 60, 20, 760, 90).
		put("bar", 60, 130, 760, 70).
		put("entrance", 0, 270, 24, 90).
		stools("", 8, 80, 225)
}

// trattoria is a small dining room: twos at the window, fours in the middle, a long table at the back, two stools at
// the bar.
func trattoria() *room {
	return newRoom(920, 700).
		put("window", 60, 0, 800, 20).
		put("kitchen", 640, 560, 260, 120).
		put("bar", 640, 480, 200, 50).
		put("entrance", 0, 520, 24, 100).
		stools("B", 2, 655, 395).
		tables("W", 4, 2, 70, 80).
		tables("M", 2, 4, 90, 280).
		tables("L", 1, 6, 200, 480).
		join("W1", "W2").join("W3", "W4").join("M1", "M2")
}

// dimsumHall is a wide hall: twos at the window, fours that can be put together, a round table for six.
func dimsumHall() *room {
	return newRoom(1_180, 760).
		put("window", 60, 0, 1_060, 20).
		put("kitchen", 880, 560, 280, 180).
		put("entrance", 0, 610, 24, 110).
		tables("W", 4, 2, 90, 80).
		tables("A", 2, 4, 90, 280).
		tables("B", 2, 4, 90, 470).
		tables("C", 1, 6, 560, 370).
		join("W1", "W2").join("W3", "W4").join("A1", "A2", "B2", "B1")
}
