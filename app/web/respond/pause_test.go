package respond

import (
	"testing"
	"time"

	"lunchgo/app/refusal"
)

// Every pause lies within its bounds, and a thousand clients spread over all of them: each tenth of the range gets
// its share.
func TestRandomPause_SpreadsOverItsRange(t *testing.T) {
	t.Parallel()
	const clients, parts = 1000, 10
	first, last := 2*time.Second, 4*time.Second
	var shares [parts]int
	for range clients {
		p := RandomPause(refusal.UsualPause, time.Millisecond)
		if p < first || p > last {
			t.Fatalf("%v is not from %v to %v", p, first, last)
		}
		shares[min(int((p-first)*parts/(last-first)), parts-1)]++
	}
	for part, n := range shares { // about 100 each; 50 is five standard deviations away
		if n < clients/parts/2 {
			t.Errorf("part %d of the range has %d of %d clients: %v", part, n, clients, shares)
		}
	}
}

func TestRandomPause_WholeSecondsSpread(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ mean, first, last time.Duration }{
		{refusal.UsualPause, 2 * time.Second, 4 * time.Second},
		{10 * time.Second, 7 * time.Second, 13 * time.Second},
		{30 * time.Second, 20 * time.Second, 40 * time.Second},
	} {
		seen := map[time.Duration]bool{}
		for range 1000 {
			p := RandomPause(test.mean, time.Second)
			if p < test.first || p > test.last || p%time.Second != 0 {
				t.Fatalf("%v for a mean of %v", p, test.mean)
			}
			seen[p] = true
		}
		if want := int((test.last-test.first)/time.Second) + 1; len(seen) != want {
			t.Errorf("a mean of %v gives %d different pauses, want %d", test.mean, len(seen), want)
		}
	}
}
