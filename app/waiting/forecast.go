package waiting

import (
	"math"
	"time"

	"lunchgo/app/estimate"
	"lunchgo/locks"
)

// mostMarks is how many tickets of a line show how far it has moved.
const mostMarks = 8

// forecast measures how a line moves, and says how long its tickets still wait. The mu of its queue guards it.
type forecast struct {
	pace    estimate.Pace
	outlook estimate.Outlook
	marks   map[string]int // ticket to its position at the last reading
	local   bool           // that reading was of this process' tickets only
}

// read takes in a reading of the whole line.
func (f *forecast) read(now time.Time, progress locks.Progress) {
	if progress.Local != f.local {
		*f = forecast{local: progress.Local}
	}
	f.pace.Note(now, f.moved(progress.Positions))
	turns := 0.0
	if progress.HoldPerPerson > 0 {
		turns = 1 / progress.HoldPerPerson.Seconds()
	}
	f.outlook = f.pace.Outlook(now, turns)
	f.mark(progress.Positions, progress.Count)
}

// moved returns by how many places the line has moved since the last reading: as far as its last mark has. Where no
// mark is left, all of them are served.
func (f *forecast) moved(positions map[string]int) int {
	moved, all, left := 0, 0, false
	for ticket, before := range f.marks {
		all = max(all, before)
		if now, waits := positions[ticket]; waits {
			moved, left = max(moved, before-now), true
		}
	}
	if !left {
		return all
	}
	return moved
}

// mark picks some tickets, those at the end of the line among them: others that leave from the middle must not count as
// if all ahead of them had been served.
func (f *forecast) mark(positions map[string]int, count int) {
	f.marks = make(map[string]int, mostMarks)
	for ticket, at := range positions {
		if at >= count-1 || len(f.marks) < mostMarks-2 {
			f.marks[ticket] = at
		}
		if len(f.marks) >= mostMarks {
			return
		}
	}
}

// mostParty is how many seats a party takes at most where nobody knows better.
const mostParty = 8

// ahead is by how many people the line has to move until a ticket has its result. Once nothing is left, everybody
// behind gets a result at once; how soon that is depends on how much those ahead ask for. Holds mu.
func (q *queue) ahead(at position, own int) estimate.Ahead {
	most := min(at.number, max(q.remaining, 1))
	if q.remaining == math.MaxInt || at.seatsKnown && at.seatsAhead+own <= q.remaining ||
		at.number*mostParty <= q.remaining {
		return estimate.Ahead{Least: most, Most: most}
	}
	return estimate.Ahead{Least: max(most/mostParty, 1), Most: most}
}

// expect completes a status by how long the ticket is expected to wait still. What it says counts as shown to the
// diner. Holds mu.
func (q *queue) expect(s *Status, t *localTicket, at position) {
	ahead := q.ahead(at, t.request.Seats)
	s.Estimate = q.progress.Estimate(max(1, ahead.Most)).Round(time.Second)
	if s.Range, s.RangeKnown = q.forecast.outlook.Between(ahead); s.RangeKnown {
		s.Estimate = s.Range.Clamp(s.Estimate)
		t.shown.Note(time.Now(), at.number, s.Range)
	}
}

// judge holds what a diner was shown against when they have their result.
func (q *queue) judge(t *localTicket, result Result) {
	if result.State == Left {
		return
	}
	if j, ok := t.shown.Judge(time.Now()); ok {
		q.room.accuracy.Add(j)
	}
}

// Accuracy returns how good the ranges were that the last thousand diners of this process were shown who got a result.
func (r *Room) Accuracy() estimate.Figures { return r.accuracy.Read() }
