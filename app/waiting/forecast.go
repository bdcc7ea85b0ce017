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
	past    estimate.Past // of the lines before this one
	pace    estimate.Pace
	outlook estimate.Outlook
	marks   map[string]int // ticket to its position at the last reading
	local   bool           // that reading was of this process' tickets only
}

// newForecast knows of a line what those before it have shown.
func newForecast(past estimate.Past, local bool) forecast {
	f := forecast{past: past, local: local}
	f.outlook = f.pace.Outlook(time.Time{}, estimate.Reading{}, past)
	return f
}

// read takes in a reading of the whole line.
func (f *forecast) read(now time.Time, progress locks.Progress) {
	if progress.Local != f.local {
		*f = newForecast(f.past, progress.Local)
	}
	f.pace.Note(now, f.moved(progress.Positions), progress.Count)
	reading := estimate.Reading{Turn: time.Duration(progress.HoldSize) * progress.HoldPerPerson}
	if progress.HoldPerPerson > 0 {
		reading.PerSecond = 1 / progress.HoldPerPerson.Seconds()
	}
	f.outlook = f.pace.Outlook(now, reading, f.past)
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

// refusedShare is what share of those ahead may be refused for what is not the lack of seats, so that as many more have
// their turn before nothing is left.
const refusedShare = 1. / 8

// closing is after how many tickets of a line nothing is left: at least and at most; math.MaxInt: not by those who
// wait.
type closing struct{ least, most int }

// closingOf goes through a line with the seats that are left. Those ahead of a position cannot have taken them before
// they have asked for them; who asks for more than is left is passed over.
func closingOf(left Remaining, seatsAhead []int) closing {
	c := closing{math.MaxInt, math.MaxInt}
	if left.Seats == 0 || len(seatsAhead) == 0 {
		return c
	}
	free := left.Seats - seatsAhead[0]
	for i, asked := range seatsAhead[1:] {
		if c.least == math.MaxInt && left.Seats-asked < left.Smallest {
			c.least = i + 1
		}
		if party := asked - seatsAhead[i]; party <= free {
			free -= party
		}
		if free < left.Smallest {
			c.most = i + 1 + int(refusedShare*float64(i+1))
			return c
		}
	}
	return c
}

// ahead is by how many people the line has to move until a ticket has its result. Once nothing is left, everybody
// behind gets a result at once. Holds mu.
func (q *queue) ahead(at position) estimate.Ahead {
	if at.seatsKnown && q.remaining.Seats > 0 {
		return estimate.Ahead{Least: min(at.number, q.closing.least), Most: min(at.number, q.closing.most)}
	}
	most := min(at.number, max(q.remaining.Requests, 1))
	if q.remaining.Requests == math.MaxInt || at.number*mostParty <= q.remaining.Requests {
		return estimate.Ahead{Least: most, Most: most}
	}
	return estimate.Ahead{Least: max(most/mostParty, 1), Most: most}
}

// expect completes a status by how long the ticket is expected to wait still. What it says counts as shown to the
// diner. Holds mu.
func (q *queue) expect(s *Status, t *localTicket, at position) {
	ahead := q.ahead(at)
	if s.Range, s.RangeKnown = q.forecast.outlook.Between(ahead); !s.RangeKnown {
		s.Estimate = q.progress.Estimate(max(1, ahead.Most)).Round(time.Second)
		return
	}
	s.Estimate = s.Range.Clamp(q.forecast.outlook.Likely(ahead.Most))
	t.shown.Note(time.Now(), at.number, s.Range)
}

// judge holds what a diner was shown against when they have their result.
func (q *queue) judge(t *localTicket, result Result) {
	if result.State == Left {
		return
	}
	if j, ok := t.shown.Judge(t.enteredAt, time.Now()); ok {
		q.room.accuracy.Add(j)
	}
}

// Accuracy returns how good the ranges were that the last thousand diners of this process were shown who got a result.
func (r *Room) Accuracy() estimate.Figures { return r.accuracy.Read() }

// notePast has the lines to come know how this one moved.
func (q *queue) notePast() {
	q.mu.Lock()
	pace := q.forecast.pace
	q.mu.Unlock()
	if changed, forgotten := q.room.pasts.note(q.name, &pace); len(changed) > 0 {
		q.room.start(func() { q.room.pasts.store(changed, forgotten) })
	}
}
