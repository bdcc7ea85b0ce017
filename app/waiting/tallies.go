package waiting

import (
	"context"
	"log/slog"
	"maps"
	"sync"
	"time"

	"lunchgo/locks"
)

// tallyEvery is how often the tallies of a process are added to those stored. What a process has not stored when it
// dies is lost: they are figures, and no line depends on them.
const tallyEvery = 5 * time.Second

// Tally is how many requests of a line ended how.
type Tally struct {
	Line     locks.Name // of a joint one the first
	Reserved int
	Codes    map[string]int // of the others, by the code of their result
}

// tallies counts how requests ended, line by line, until they are stored. Counting costs a press no query.
type tallies struct {
	add func(ctx context.Context, counted []Tally) error // nil: nobody wants to know
	log *slog.Logger

	mu    sync.Mutex
	lines map[locks.Name]Tally
}

// count counts how requests of a line ended; none that hold seats already, and none of staff.
func (s *tallies) count(line locks.Name, results []ticketResult) {
	if s.add == nil || len(results) == 0 {
		return
	}
	line = line.First()
	s.mu.Lock()
	defer s.mu.Unlock()
	t, known := s.lines[line]
	if !known {
		t = Tally{Line: line, Codes: map[string]int{}}
	}
	for _, r := range results {
		if _, byStaff := StaffOf(r.request); !byStaff && !r.request.HoldsSeats && !r.result.Changed {
			t.count(r.result)
		}
	}
	s.lines[line] = t
}

func (t *Tally) count(r Result) {
	if r.State == Reserved {
		t.Reserved++
		return
	}
	t.Codes[r.Code]++
}

// plus is the sum of both, for the same line.
func (t Tally) plus(u Tally) Tally {
	codes := maps.Clone(t.Codes)
	for code, n := range u.Codes {
		codes[code] += n
	}
	return Tally{Line: t.Line, Reserved: t.Reserved + u.Reserved, Codes: codes}
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
	counted := make([]Tally, 0, len(lines))
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

func (s *tallies) putBack(lines map[locks.Name]Tally) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for line, old := range lines {
		s.lines[line] = old.plus(s.lines[line])
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

func noTallies() map[locks.Name]Tally { return map[locks.Name]Tally{} }
