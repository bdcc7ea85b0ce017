// Package measured holds what tests and benchmarks measure against the results that docs/performance.md shows.
// "go tool task measure" measures them anew.
package measured

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// Measuring is the variable of the environment that is set where results are measured anew: then sizes may differ from
// those of the stored ones.
const Measuring = "MEASURE"

// Prefix begins the line of a measurement in the output of a test.
const Prefix = "measured "

// A Measurement is what one run of a test has measured.
type Measurement struct {
	Name    string             `json:"name"` // of its block, or with the case: block/case
	Sizes   map[string]int     `json:"sizes"`
	Results map[string]float64 `json:"results"` // by what they are, with the unit: "p99 ms"
}

// Log logs a measurement as one line of JSON, and fails the test unless the results that are stored under that name
// have the same sizes.
func Log(t testing.TB, name string, sizes map[string]int, results map[string]float64) {
	t.Helper()
	if b, is := t.(*testing.B); is {
		if b.N == 1 {
			return // Go calls a benchmark once before it counts
		}
		for what, result := range results { // in any order
			b.ReportMetric(result, strings.ReplaceAll(what, " ", "-"))
		}
	}
	line, err := json.Marshal(Measurement{name, sizes, results})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s%s", Prefix, line)
	Hold(t, name, sizes)
}

// Hold fails the test unless the results that are stored under that name have these sizes. It is for benchmarks, which
// no test runs.
func Hold(t testing.TB, name string, sizes map[string]int) {
	t.Helper()
	if os.Getenv(Measuring) != "" {
		return
	}
	results, err := Stored()
	if err != nil {
		t.Fatal(err)
	}
	if row := results.find(name); row == nil || !maps.Equal(row.Sizes, sizes) {
		t.Errorf("docs/performance.md shows no results of %s with %v: run go tool task measure -- %s", name, sizes,
			blockOf(name))
	}
}

// Times are results of answers by how long each took, and all of them together; it sorts them.
func Times(took []time.Duration, all time.Duration) map[string]float64 {
	slices.Sort(took)
	n := len(took)
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1e3 }
	return map[string]float64{"s": all.Seconds(), "answers a second": float64(n) / all.Seconds(),
		"p50 ms": ms(took[n/2]), "p99 ms": ms(took[n*99/100])}
}
