package rush

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// trace is what happened to one diner, in order. It is shown when the rush has failed them.
type trace []moment

// moment is one thing that happened, and when since the moment of the rush.
type moment struct {
	At   time.Duration
	What string
}

// maxTrace bounds a trace; of a longer one the first half of the bound and the latest moments stay.
const maxTrace = 40

func (t *trace) add(at time.Duration, what string) {
	if len(*t) == maxTrace {
		*t = slices.Delete(*t, maxTrace/2, maxTrace/2+1)
	}
	*t = append(*t, moment{at, what})
}

// String writes the moments after each other: "0.012s pressed; 0.340s stream is open".
func (t trace) String() string {
	parts := make([]string, 0, len(t))
	for _, m := range t {
		parts = append(parts, fmt.Sprintf("%.3fs %s", m.At.Seconds(), m.What))
	}
	return strings.Join(parts, "; ")
}
