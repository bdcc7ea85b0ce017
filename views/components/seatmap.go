package components

import (
	"strconv"
	"unicode"

	"lunchgo/app/booking"
	"lunchgo/views"
)

// Map is a room and how to draw it.
type Map struct {
	Lang  string
	Room  views.Room
	Party int    // the map dims seats that are not for it; 0 for none
	Label string // what a screen reader says of the drawing; empty where a list beside it says all
}

// Measures of the drawing, in centimetres.
const (
	chairWidth = 34
	chairDepth = 14
	chairGap   = 5
	reach      = 16 // of the touch target around a seat
	roundness  = 14
)

type rect struct{ x, y, width, height int }

// chairs are on the long sides of a table, one for each place.
func chairs(s views.Seat) []rect {
	var all []rect
	top := (s.Places + 1) / 2
	for i := range s.Places {
		side, at, y := top, i, s.Area.Y-chairGap-chairDepth
		if i >= top {
			side, at, y = s.Places-top, i-top, s.Area.Y+s.Area.Height+chairGap
		}
		all = append(all, rect{s.Area.X + (2*at+1)*s.Area.Width/(2*side) - chairWidth/2, y, chairWidth, chairDepth})
	}
	return all
}

// around is the touch target of a seat.
func around(s views.Seat) rect {
	return rect{s.Area.X - reach, s.Area.Y - reach, s.Area.Width + 2*reach, s.Area.Height + 2*reach}
}

func mapBox(r views.Room) string {
	return "0 0 " + strconv.Itoa(r.Width) + " " + strconv.Itoa(r.Height)
}

// letters is the font size of labels: the same on the screen, whatever the size of the room.
func letters(r views.Room) string { return strconv.Itoa(max(r.Width/27, 24)) }

// labelLetters is the font size of a seat's label: as that of the others, or less where the seat is small.
func labelLetters(r views.Room, s views.Seat) string {
	width := 0.0 // of the label, in sizes of its font
	for _, letter := range s.Label {
		if letter < unicode.MaxLatin1 {
			width += latinWidth
		} else {
			width++
		}
	}
	return strconv.Itoa(min(max(r.Width/27, 24), max(int(labelShare*float64(s.Area.Width)/max(width, 1)), 14)))
}

// noteLetters is the font size of who has a seat, below its label.
const noteLetters = 17

// notes are who has a seat and until when, as far as there is room for them: a letter is as wide as it is high.
func notes(s views.Seat) []string {
	most := s.Area.Width / noteLetters
	if s.Guest == "" || most < leastNote || s.Area.Height < 4*noteLetters {
		return nil
	}
	name := []rune(s.Guest)
	if len(name) > most {
		name = append(name[:most-1:most-1], '…')
	}
	return []string{string(name), s.Note}
}

// middle is that of a seat, from the left.
func middle(s views.Seat) string { return strconv.Itoa(s.Area.X + s.Area.Width/2) }

// noteLine is the middle of a line below the label, which moves up for them.
func noteLine(s views.Seat, line int) string {
	return strconv.Itoa(s.Area.Y + s.Area.Height/2 + 5 + line*(noteLetters+2))
}

// leastNote is how many letters of a name say something.
const leastNote = 4

// How much of its seat a label takes, and how wide a Latin letter is in sizes of its font.
const (
	labelShare = 0.85
	latinWidth = 0.65
)

func seatClass(m Map, s views.Seat) string {
	class := "seat seat-" + string(s.State)
	if s.Sign != "" {
		class += " seat-" + s.Sign
	}
	if s.Chosen {
		class += " seat-chosen"
	}
	if m.Party > 0 && s.State == booking.SeatFree && !s.For(m.Party) {
		class += " seat-off"
	}
	return class
}
