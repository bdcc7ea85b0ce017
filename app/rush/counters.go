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

// tally is how far the diners are.
type tally struct{ Waiting, Reserved, SoldOut, Errors int64 }

// answered is how many have got a yes or a no.
func (t tally) answered() int64 { return t.Reserved + t.SoldOut }

func (t tally) plus(o tally) tally {
	return tally{t.Waiting + o.Waiting, t.Reserved + o.Reserved, t.SoldOut + o.SoldOut, t.Errors + o.Errors}
}

func (t *counters) tally() tally {
	return tally{t.waiting.Load(), t.reserved.Load(), t.soldOut.Load(), t.errors.Load()}
}

func (r result) tally() tally {
	t := tally{Errors: r.Errors}
	for _, a := range r.Answers {
		switch a.Outcome {
		case reserved:
			t.Reserved++
		case soldOut:
			t.SoldOut++
		}
	}
	return t
}

// close counts a diner who holds on no longer.
func (t *counters) close(a answer) {
	if a.followed() {
		t.waiting.Add(-1)
	}
	switch a.Outcome {
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
	t.quotes = addQuote(t.quotes, cause(err))
}

// addQuote adds a text, unless it is among the others or there are enough.
func addQuote(quotes []string, text string) []string {
	for _, known := range quotes {
		if known == text {
			return quotes
		}
	}
	if len(quotes) == maxQuotes {
		return quotes
	}
	return append(quotes, text)
}
