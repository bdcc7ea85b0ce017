package rush

import (
	"math"
	"strings"
	"testing"
)

func TestHistogram_PercentilesOfWhatWasSeenBetween(t *testing.T) {
	t.Parallel()
	read := func(text string) histogram {
		h := histogram{}
		for line := range strings.Lines(text) {
			h.add("handoff", strings.TrimSpace(line))
		}
		return h
	}
	before := read(`handoff_bucket{path="push",le="0.001"} 7
		handoff_bucket{path="push",le="0.002"} 7
		handoff_bucket{path="push",le="+Inf"} 7`)
	after := read(`# TYPE handoff histogram
		handoff_bucket{path="push",le="0.001"} 47
		handoff_bucket{path="push",le="0.002"} 87 1700000000000
		handoff_bucket{path="push",le="+Inf"} 87
		handoff_bucket{path="reply",le="0.001"} 0
		handoff_bucket{path="reply",le="0.002"} 10
		handoff_bucket{path="reply",le="+Inf"} 20
		handoff_sum{path="reply"} 3
		other_bucket{le="0.001"} 99`)
	seen := after.since(before)
	for p, want := range map[float64]float64{20: .0005, 40: .001, 65: .0015, 90: .002, 99: .002} {
		if got, ok := seen.percentile(p); !ok || math.Abs(got-want) > 1e-9 {
			t.Errorf("p%v is %v, %v; want %v", p, got, ok, want)
		}
	}
	if _, ok := after.since(after).percentile(50); ok {
		t.Error("nothing has a percentile")
	}
	if _, ok := (histogram{}).percentile(50); ok {
		t.Error("no histogram has a percentile")
	}
}
