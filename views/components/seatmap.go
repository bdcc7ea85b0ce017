package components

import (
	"slices"
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
	// Legible has the drawing be so wide, where the style sheet allows it, that who has a seat can be read.
	Legible bool
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

// labelLetters is the font size of a seat's label: as that of the others, or less where the seat is small or has notes.
func labelLetters(m Map, s views.Seat) string {
	most := max(m.Room.Width/27, 24)
	if len(notes(m.Lang, s)) > 0 {
		most = notedLabel
	}
	return strconv.Itoa(min(most, max(int(labelShare*float64(s.Area.Width)/max(widthOf(s.Label), 1)), 14)))
}

// widthOf is how wide a text is about, in sizes of its font.
func widthOf(text string) (width float64) {
	for _, letter := range text {
		switch {
		case letter == ' ', letter == ':':
			width += blankWidth
		case letter < unicode.MaxLatin1:
			width += latinWidth
		default:
			width++
		}
	}
	return width
}

// Font sizes on a seat with notes: of its label, and of who has it, in the room's centimetres; and how large the latter
// is at least on the screen, in pixels.
const (
	notedLabel  = 20
	noteLetters = 17
	noteGap     = 2
	legible     = 11
)

// notes are who has a seat, how many they are and until when, as far as there is room for them: one party in two lines,
// or each of several in one of its own.
func notes(lang string, s views.Seat) []string {
	lines := mostNotes(s)
	switch {
	case lines == 0 || len(s.Guests) == 0:
		return nil
	case len(s.Guests) == 1 && lines > 1:
		g := s.Guests[0]
		return slices.DeleteFunc([]string{shortened(s, g.Name), fitting(s, views.Words(g.PartyText(lang), g.When), g.When)},
			func(line string) bool { return line == "" })
	}
	var all []string
	for i, g := range s.Guests {
		if len(all) == lines-1 && len(s.Guests) > lines {
			return append(all, "+"+strconv.Itoa(len(s.Guests)-i))
		}
		all = append(all, fitting(s, guestLine(lang, g), views.Words(g.When, g.Name, strconv.Itoa(g.Party)),
			views.Words(g.When, g.PartyText(lang)), g.When))
	}
	return all
}

// mostNotes is how many lines a seat has room for below its label. A round one has less than a table.
func mostNotes(s views.Seat) int {
	height := s.Area.Height
	if !s.IsTable() {
		height = height * 4 / 5
	}
	return max(0, (height-notedLabel)/(noteLetters+noteGap))
}

// fitting is the first of some texts that is no wider than a seat; empty if none is.
func fitting(s views.Seat, texts ...string) string {
	for _, text := range texts {
		if noteLetters*widthOf(text) <= float64(s.Area.Width) {
			return text
		}
	}
	return ""
}

// shortened is as much of a name as fits on a seat.
func shortened(s views.Seat, name string) string {
	letters := []rune(name)
	for n := len(letters) - 1; n > 0 && fitting(s, name) == ""; n-- {
		name = string(letters[:n]) + "…"
	}
	return fitting(s, name)
}

// seatTitle says who has a seat, in full.
func seatTitle(lang string, s views.Seat) string {
	title := s.Label
	for _, g := range s.Guests {
		title += " · " + guestLine(lang, g)
	}
	return title
}

func guestLine(lang string, g views.SeatGuest) string {
	return views.Words(g.When, g.Name, g.PartyText(lang))
}

// middle is that of a seat, from the left.
func middle(s views.Seat) string { return strconv.Itoa(s.Area.X + s.Area.Width/2) }

// noteLine is the middle of a line: 0 is the label, which moves up for the others.
func noteLine(lang string, s views.Seat, line int) string {
	const pitch = noteLetters + noteGap
	y := s.Area.Y + s.Area.Height/2 - len(notes(lang, s))*pitch/2
	if line > 0 {
		y += (notedLabel+pitch)/2 + (line-1)*pitch
	}
	return strconv.Itoa(y)
}

// How much of its seat a label takes, and how wide a Latin letter and a blank or colon are in sizes of their font.
const (
	labelShare = 0.85
	latinWidth = 0.6
	blankWidth = 0.28
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
