package rush

import (
	"math"
	"testing"
)

func TestRangesOf_SumsUpInstances(t *testing.T) {
	t.Parallel()
	figures := func(people, inside, width float64) map[string]float64 {
		return map[string]float64{metricEstimatePeople: people, metricEstimateInside: inside,
			metricEstimateWidth: width}
	}
	in, wide := rangesOf([]map[string]float64{figures(1000, 950, 1.5), nil, figures(200, 130, 7)})
	if in != 90 || wide != 150 {
		t.Errorf("%v %% in range, width %v %%", in, wide)
	}
	in, wide = rangesOf([]map[string]float64{figures(0, 0, math.NaN())})
	if !math.IsNaN(in) || !math.IsNaN(wide) {
		t.Errorf("of nobody: %v %% in range, width %v %%", in, wide)
	}
}
