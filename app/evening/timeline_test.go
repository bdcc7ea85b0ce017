package evening

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"lunchgo/app/booking"
)

// drawn are the rows of a timeline in letters: a dot is a free slot.
func drawn(e Evening) string {
	var rows []string
	for _, row := range e.Timeline() {
		text := row.Seat.Label + ":"
		for _, s := range row.Spans {
			switch {
			case s.Party != nil:
				text += fmt.Sprintf(" %s*%d", s.Party.ID, s.Slots)
			case s.State == booking.SeatFree || s.State == "":
				text += strings.Repeat(" .", s.Slots)
			default:
				text += fmt.Sprintf(" %s*%d", s.State, s.Slots)
			}
		}
		rows = append(rows, text)
	}
	return strings.Join(rows, "\n")
}

// Every table has a row, which says who has it in which slot; parties without a table share as few rows as they can.
func TestTimeline_HasEveryTableAndParty(t *testing.T) {
	t.Parallel()
	stays := seated("stays", 18, booking.Seated, 1)
	stays.Stay = []booking.TimeOfDay{"19:00"}
	both := seated("both", 20, booking.Confirmed, 1)
	both.Seats = append(both.Seats, booking.ReservedSeat{ID: 2})
	gone := seated("gone", 18, booking.Completed, 2)
	gone.Stay = []booking.TimeOfDay{"19:00"}
	gone.Attendance.EndedAt = seven.Add(-20 * time.Minute)
	left := seated("left", 21, booking.Completed, 1) // from a table that is blocked by now
	unseated, later := party("unseated", 18, booking.Confirmed), party("later", 20, booking.Confirmed)
	e := tableFor(seven, stays, both, gone, left, unseated, later, party("beside", 18, booking.Confirmed),
		seated("cancelled", 21, booking.Cancelled, 1))
	e.Slots[3].Seats = e.Slots[3].Seats.Union(booking.TakenSeats{{ID: 1, Blocked: true}})
	want := "A: stays*2 both*1 blocked*1\nB: gone*1 . both*1 .\n: unseated*1 . later*1 .\n: beside*1 . . ."
	if got := drawn(e); got != want {
		t.Errorf("\n%s\nwant\n%s", got, want)
	}
}

// Who overstays is shown in the slot that runs, where nobody else comes.
func TestTimeline_ShowsWhoOverstays(t *testing.T) {
	t.Parallel()
	e := tableFor(seven.Add(10*time.Minute), seated("over", 18, booking.Seated, 1), seated("too", 18, booking.Seated, 2),
		seated("next", 19, booking.Confirmed, 2))
	for i := range e.Slots {
		if e.Slots[i].Key.Time == "19:00" { // as staff read it
			e.Slots[i].Seats = e.Slots[i].Seats.Union(booking.TakenSeats{{ID: 1}})
		}
	}
	if got, want := drawn(e), "A: over*2 . .\nB: too*1 next*1 . ."; got != want {
		t.Errorf("\n%s\nwant\n%s", got, want)
	}
	tables := e.Tables()
	if tables[1].Now == nil || len(tables[1].Next) == 0 || len(e.WalkIns(e.Restaurant.Seats[0])) > 0 ||
		tables[0].Now.Left(e.Now) != -10*time.Minute {
		t.Errorf("%+v", tables)
	}
}
