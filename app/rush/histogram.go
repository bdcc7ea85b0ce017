package rush

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// histogram is one of Prometheus: how many values were seen up to each bound.
type histogram map[float64]float64

// add reads a line such as `name_bucket{path="push",le="0.001"} 12`, if it is of the histogram of that name. Those that
// differ in other labels are added up.
func (h histogram) add(name, line string) {
	labels, found := strings.CutPrefix(line, name+"_bucket{")
	if !found {
		return
	}
	labels, rest, _ := strings.Cut(labels, "}")
	_, bound, _ := strings.Cut(labels, `le="`)
	bound, _, _ = strings.Cut(bound, `"`)
	number, _, _ := strings.Cut(strings.TrimSpace(rest), " ") // a timestamp may follow
	le, err := strconv.ParseFloat(bound, 64)
	count, countErr := strconv.ParseFloat(number, 64)
	if err == nil && countErr == nil {
		h[le] += count
	}
}

// since is what was seen after earlier.
func (h histogram) since(earlier histogram) histogram {
	later := maps.Clone(h)
	for le, count := range earlier {
		later[le] -= count
	}
	return later
}

// percentile is the value that p percent do not exceed, as if the values were spread evenly between two bounds; false
// if there are none. It is at most the last finite bound.
func (h histogram) percentile(p float64) (float64, bool) {
	bounds := slices.Sorted(maps.Keys(h))
	if len(bounds) < 2 || h[bounds[len(bounds)-1]] == 0 {
		return 0, false
	}
	rank := p / 100 * h[bounds[len(bounds)-1]]
	lower, before := 0.0, 0.0
	for _, bound := range bounds[:len(bounds)-1] { // the last is +Inf
		if count := h[bound]; count >= rank {
			return lower + (bound-lower)*(rank-before)/max(count-before, 1), true
		}
		lower, before = bound, h[bound]
	}
	return lower, true
}
