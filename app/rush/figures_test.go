package rush

import (
	"math"
	"slices"
	"testing"
	"time"
)

func TestPercentile_IsTheNearestRank(t *testing.T) {
	t.Parallel()
	hundred := make([]int, 100)
	for i := range hundred {
		hundred[i] = i + 1
	}
	tests := []struct {
		sorted []int
		p      float64
		want   int
	}{
		{nil, 50, 0},
		{[]int{7}, 1, 7},
		{[]int{7}, 99, 7},
		{[]int{1, 2}, 50, 1},
		{[]int{1, 2}, 51, 2},
		{[]int{15, 20, 35, 40, 50}, 30, 20},
		{[]int{15, 20, 35, 40, 50}, 100, 50},
		{hundred, 50, 50},
		{hundred, 95, 95},
		{hundred, 99, 99},
	}
	for _, test := range tests {
		if got := percentile(test.sorted, test.p); got != test.want {
			t.Errorf("percentile %v of %v is %d, want %d", test.p, test.sorted, got, test.want)
		}
	}
}

func decisions(arrivals ...int64) []Decision {
	list := make([]Decision, 0, len(arrivals))
	for _, a := range arrivals {
		list = append(list, Decision{Arrival: a})
	}
	return list
}

func TestInversions_CountNeighboursOutOfOrder(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		decided []Decision
		want    int
	}{
		{"nobody", nil, 0},
		{"one", decisions(5), 0},
		{"in order, with gaps", decisions(1, 2, 5, 900), 0},
		{"two exchanged", decisions(1, 3, 2, 4), 1},
		{"backwards", decisions(4, 3, 2, 1), 3},
		{"the first came last", decisions(9, 1, 2, 3), 1},
		{"the same number twice", decisions(1, 1), 1},
		{"no numbers at all", decisions(0, 0, 0), 2},
	}
	for _, test := range tests {
		if got := inversions(test.decided); got != test.want {
			t.Errorf("%s: %d inversions, want %d", test.name, got, test.want)
		}
	}
}

// The count is of those to whom a refusal was unfair.
func TestPassedOver_CountsUnfairRefusals(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		refused []int64
		decided []Decision
		want    int
	}{
		{"nobody got seats", []int64{1, 2}, nil, 0},
		{"the first ones got them", []int64{4, 5, 6}, decisions(1, 2, 3), 0},
		{"one in the middle was refused", []int64{2, 5}, decisions(1, 3, 4), 1},
		{"the last ones got them", []int64{1, 2, 3}, decisions(8, 9), 3},
	}
	for _, test := range tests {
		if got := passedOver(test.refused, test.decided); got != test.want {
			t.Errorf("%s: %d passed over, want %d", test.name, got, test.want)
		}
	}
}

func TestOversold_AddsUpWhatIsBeyondCapacity(t *testing.T) {
	t.Parallel()
	if got := oversold([]Seats{{Capacity: 20, Held: 20}, {Capacity: 20, Held: 4}}); got != 0 {
		t.Errorf("full and half empty slots are oversold by %d", got)
	}
	if got := oversold([]Seats{{Capacity: 20, Held: 22}, {Capacity: 20, Held: 4}, {Capacity: 10, Held: 13}}); got != 5 {
		t.Errorf("oversold by %d, want 5: free seats elsewhere do not make up for it", got)
	}
}

func TestFirstRanges_JudgeWhatDinersSaw(t *testing.T) {
	t.Parallel()
	const s = time.Second
	shown, in, width := firstRanges([]answer{
		{Outcome: reserved, Estimated: true, Low: 5 * s, High: 15 * s, Waited: 10 * s},
		{Outcome: soldOut, Estimated: true, Low: 0, High: 4 * s, Waited: 8 * s},
		{Outcome: reserved, Estimated: true, High: s, Waited: s / 10},
		{Outcome: reserved, Estimated: true, Waited: 3 * s},
		{Outcome: unanswered, Estimated: true, High: s, Waited: 10 * s},
		{Outcome: reserved},
	})
	if shown != 75 || math.Round(in) != 67 || width != 50 {
		t.Errorf("%v %% saw a range, %v %% were in it, and it was %v %% wide", shown, in, width)
	}
	if shown, in, width = firstRanges(nil); !math.IsNaN(shown) || !math.IsNaN(in) || !math.IsNaN(width) {
		t.Errorf("of nobody: %v, %v, %v", shown, in, width)
	}
}

func TestEstimateErrors_LeaveOutWhoDidNotWait(t *testing.T) {
	t.Parallel()
	off := estimateErrors([]answer{
		{Outcome: reserved, Estimated: true, Estimate: 15 * time.Second, Waited: 10 * time.Second},
		{Outcome: soldOut, Estimated: true, Estimate: 5 * time.Second, Waited: 20 * time.Second},
		{Outcome: reserved, Estimated: true, Estimate: 3 * time.Second, Waited: 100 * time.Millisecond},
		{Outcome: reserved, Waited: 10 * time.Second},
		{Outcome: unanswered, Estimated: true, Estimate: time.Second, Waited: 10 * time.Second},
	})
	if want := []float64{50, 75}; !slices.Equal(off, want) {
		t.Errorf("errors %v, want %v percent", off, want)
	}
}

func TestExtremes_KeepFirstAndMost(t *testing.T) {
	t.Parallel()
	s := extremes{math.NaN(), math.NaN()}
	if !math.IsNaN(s.growth()) {
		t.Errorf("a span that saw nothing has grown by %v", s.growth())
	}
	for _, v := range []float64{10, 30, 20} {
		s.add(v)
	}
	if s.growth() != 20 {
		t.Errorf("grown by %v, want 20", s.growth())
	}
}
