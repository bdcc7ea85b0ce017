package waiting

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"lunchgo/app/booking"
	"lunchgo/locks"
)

// tallyEvery is how often the tallies of a process are added to those stored. What a process has not stored when it
// dies is lost: they are figures, and no line depends on them.
const tallyEvery = 5 * time.Second

// tallies counts how requests ended, slot by slot, until they are stored. Counting costs a press no query.
type tallies struct {
	add func(ctx context.Context, counted []booking.Tally) error // nil: nobody wants to know
	log *slog.Logger

	mu    sync.Mutex
	lines map[locks.Name]booking.Tally
}

// count counts how requests of a line ended; none of coupons, of changes of reservations, and of what staff book.
func (s *tallies) count(line locks.Name, results []ticketResult) {
	if s.add == nil || len(results) == 0 {
		return
	}
	line = firstLine(line)
	s.mu.Lock()
	defer s.mu.Unlock()
	t, known := s.lines[line]
	if !known {
		slots, err := SlotsOf(line)
		if err != nil {
			return
		}
		t.Slot = slots[0]
	}
	for _, r := range results {
		if _, byStaff := StaffOf(r.request); !byStaff && !r.request.HoldsSeats && !r.result.Changed {
			countIn(&t, r.result)
		}
	}
	s.lines[line] = t
}

func countIn(t *booking.Tally, r Result) {
	switch {
	case r.State == Reserved:
		t.Served++
	case r.Code == booking.ErrSoldOut.Code:
		t.SoldOut++
	case r.State == Left:
		t.Left++
	case r.Code == ErrWaitTimeout.Code:
		t.TimedOut++
	default:
		t.Refused++
	}
}

// storeLoop stores tallies until closing, and what is left then.
func (s *tallies) storeLoop(closing <-chan struct{}, every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for open := true; open; {
		select {
		case <-tick.C:
		case <-closing:
			open = false
		}
		s.store()
	}
}

// store adds what was counted to what is stored. What fails is counted again.
func (s *tallies) store() {
	s.mu.Lock()
	lines := s.lines
	s.lines = noTallies()
	s.mu.Unlock()
	if len(lines) == 0 {
		return
	}
	counted := make([]booking.Tally, 0, len(lines))
	for _, t := range lines { // in any order
		counted = append(counted, t)
	}
	ctx, cancel := context.WithTimeout(context.Background(), storeTimeout)
	defer cancel()
	if err := s.add(ctx, counted); err != nil {
		s.log.Warn("store line outcomes failed; will retry", "lines", len(counted), "error", err)
		s.putBack(lines)
	}
}

func (s *tallies) putBack(lines map[locks.Name]booking.Tally) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for line, old := range lines {
		s.lines[line] = old.Plus(s.lines[line])
	}
}

// storedAsGiven are the results that were stored as they are: of the others an earlier result counts.
func storedAsGiven(results, stored []ticketResult) []ticketResult {
	var same []ticketResult
	for i := range stored {
		if stored[i].result == results[i].result {
			same = append(same, results[i])
		}
	}
	return same
}

func noTallies() map[locks.Name]booking.Tally { return map[locks.Name]booking.Tally{} }
