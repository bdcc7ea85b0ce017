package waiting

import (
	"slices"
	"strconv"
	"testing"
	"time"
)

// A long line's watchers are woken group by group between two refreshes, each once; those of a short one all together.
func TestWake_InGroups(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		tickets, atOnce int
		pause           time.Duration // before the next step
	}{
		"few":  {fewTickets, wakeGroups, time.Second},
		"many": {fewTickets + 1, 1, time.Second / wakeGroups},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q := &queue{tickets: map[string]*localTicket{}, nextWake: wakeGroups}
			for i := range test.tickets {
				q.tickets[strconv.Itoa(i)] = &localTicket{}
			}
			for group := range q.refreshed {
				q.refreshed[group] = make(chan struct{})
			}
			waiting := slices.Clone(q.refreshed[:])
			if pause := q.beginWaking(time.Second); pause != test.pause {
				t.Errorf("the next step is in %v, want %v", pause, test.pause)
			}
			for woken := test.atOnce; woken < wakeGroups; woken++ {
				if got := closedOf(waiting); got != woken {
					t.Fatalf("%d groups are woken after %d steps", got, woken)
				}
				if left := q.wakeNext(); left != wakeGroups-woken {
					t.Fatalf("%d groups are left, want %d", left, wakeGroups-woken)
				}
			}
			if left := q.wakeNext(); left != 0 || closedOf(waiting) != wakeGroups || closedOf(q.refreshed[:]) != 0 {
				t.Errorf("%d groups are left, %d woken, %d of the next", left, closedOf(waiting), closedOf(q.refreshed[:]))
			}
		})
	}
}

func closedOf(groups []chan struct{}) (n int) {
	for _, group := range groups {
		select {
		case <-group:
			n++
		default:
		}
	}
	return n
}
