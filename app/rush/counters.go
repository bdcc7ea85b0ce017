package rush

import (
	"sync"
	"sync/atomic"
)

// counters counts while the rush goes on. It may be used from many goroutines.
type counters struct {
	waiting                  atomic.Int64 // hold a ticket
	reserved, soldOut, other atomic.Int64
	errors                   atomic.Int64

	mu     sync.Mutex
	quotes []string // the first few different errors
}

// close counts a diner who holds on no longer.
func (t *counters) close(a answer) {
	if a.ticket != "" {
		t.waiting.Add(-1)
	}
	switch a.outcome {
	case reserved:
		t.reserved.Add(1)
	case soldOut:
		t.soldOut.Add(1)
	case other:
		t.other.Add(1)
	}
}

// maxQuotes is how many different errors are kept to be shown.
const maxQuotes = 5

// note counts an error of the exchange with a server.
func (t *counters) note(err error) {
	t.errors.Add(1)
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.quotes) == maxQuotes {
		return
	}
	text := cause(err)
	for _, known := range t.quotes {
		if known == text {
			return
		}
	}
	t.quotes = append(t.quotes, text)
}

// answered is how many have got a yes or a no.
func (t *counters) answered() int64 { return t.reserved.Load() + t.soldOut.Load() }
