package rehearsal

import (
	"slices"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/waiting"
)

// Report is what the simulated guests lived through. Waits are from a guest's press to their answer.
type Report struct {
	Date booking.Date `json:"date"`
	// Of the slot; empty for rehearsals before there was a choice.
	Time     booking.TimeOfDay `json:"time"`
	Guests   int               `json:"guests"`
	AtOnce   int               `json:"atOnce"` // guests who pressed in one second
	Answered int               `json:"answered"`
	Seated   int               `json:"seated"`
	SoldOut  int               `json:"soldOut"`
	Left     int               `json:"left"`     // lost patience
	Rechosen int               `json:"rechosen"` // pressed again, since a dish had run out
	// without a place and a clear answer, those the time ended for among them
	Failed   int `json:"failed"`
	Seats    int `json:"seats"` // of the slot
	Taken    int `json:"taken"`
	Oversold int `json:"oversold"`
	// reservations that were made before one with an earlier place
	OrderInversions int   `json:"orderInversions"`
	LongestLine     int   `json:"longestLine"`
	FirstMs         int64 `json:"firstMs"`
	MedianMs        int64 `json:"medianMs"`
	P95Ms           int64 `json:"p95Ms"` // 95 of 100 guests waited no longer
	LastMs          int64 `json:"lastMs"`
	TookMs          int64 `json:"tookMs"` // from the first press to the last answer
	// From the first press until a guest read that the slot is sold out; 0: never.
	SoldOutMs int64         `json:"soldOutMs"`
	Dishes    []SoldOutDish `json:"dishes"` // dishes that ran out, the first one first
	// Real guests waited for a table elsewhere, so fewer pressed at once.
	Slowed bool `json:"slowed"`
	// Of the guests who were shown a range of times, the percentage for whom it was right; -1 where nobody was.
	EstimatePercent int   `json:"estimatePercent"`
	Waits           []int `json:"waits"` // answers by tenths of the longest wait
	Line            []int `json:"line"`  // the longest line in each tenth of tookMs
}

// SoldOutDish is a dish that ran out.
type SoldOutDish struct {
	Name    booking.Text `json:"name"`
	AfterMs int64        `json:"afterMs"` // from the first press until a guest read it
}

// tenths is how many parts of the time the charts show.
const tenths = 10

func tenth(at, last time.Duration) int { return min(tenths-1, int(tenths*at/max(1, last))) }

// emptyReport is of a rehearsal of which nothing is known yet.
func emptyReport(plan Plan) Report {
	return Report{Date: plan.Date, Time: plan.Time, Guests: plan.Guests, AtOnce: plan.AtOnce, EstimatePercent: -1,
		Dishes: []SoldOutDish{}, Waits: make([]int, tenths), Line: make([]int, tenths)}
}

// report is what is known so far.
func (c *crowd) report() Report {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := emptyReport(c.plan)
	r.Answered, r.Dishes, r.Slowed = len(c.answers), slices.Clone(c.dishes), c.slowed
	byWait := slices.SortedFunc(slices.Values(c.answers), func(a, b answered) int {
		return int(a.waited() - b.waited())
	})
	if len(byWait) == 0 {
		return r
	}
	var took time.Duration
	judged, right := 0, 0
	longest := byWait[len(byWait)-1].waited()
	for _, a := range byWait {
		took = max(took, a.at)
		r.Waits[tenth(a.waited(), longest)]++
		r.count(a)
		if a.isKnown {
			judged++
			if a.expected.Contains(a.waited()) {
				right++
			}
		}
	}
	if judged > 0 {
		r.EstimatePercent = 100 * right / judged
	}
	at := func(part int) int64 { return byWait[(len(byWait)-1)*part/100].waited().Milliseconds() }
	r.FirstMs, r.MedianMs, r.P95Ms, r.LastMs, r.TookMs = at(0), at(50), at(95), at(100), took.Milliseconds()
	for _, s := range c.lines {
		i := tenth(s.at, took)
		r.Line[i], r.LongestLine = max(r.Line[i], s.count), max(r.LongestLine, s.count)
	}
	return r
}

func (r *Report) count(a answered) {
	if a.rechosen {
		r.Rechosen++
	}
	switch {
	case a.state == waiting.Reserved:
		r.Seated++
	case a.state == waiting.Left:
		r.Left++
	case a.code == booking.ErrSoldOut.Code || a.code == booking.ErrSeatTaken.Code:
		r.SoldOut++
		if ms := max(1, a.at.Milliseconds()); r.SoldOutMs == 0 || ms < r.SoldOutMs {
			r.SoldOutMs = ms
		}
	default:
		r.Failed++
	}
}
