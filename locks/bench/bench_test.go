package main

import (
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestTablesOfEveryLibrary(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	if err := run([]string{"-waiters", "10", "-nodes", "1,2", "-budget", "300ms"}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	want := append([]string{"10 waiters at 1 node\n", "10 waiters at 2 nodes\n", "The line's aims"}, columns...)
	for _, lib := range libraries {
		title := lib.name
		if lib.module != "" {
			title += " v"
		}
		if got := strings.Count(out.String(), "\n  "+title); got < 2 {
			t.Errorf("%s has %d rows, want one for each number of nodes", title, got)
		}
		want = append(want, lib.waits)
	}
	for _, text := range want {
		if !strings.Contains(out.String(), text) {
			t.Errorf("the output lacks %q", text)
		}
	}
	if t.Failed() {
		t.Log(out.String())
	}
}

func TestFiguresOfEveryLibrary(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	if err := run([]string{"-json", "-waiters", "10", "-nodes", "2", "-budget", "300ms"}, &out,
		io.Discard); err != nil {
		t.Fatal(err)
	}
	var results []Result
	if err := json.Unmarshal([]byte(out.String()), &results); err != nil {
		t.Fatal(err)
	}
	if len(results) != len(libraries) {
		t.Fatalf("%d results for %d libraries", len(results), len(libraries))
	}
	for _, r := range results {
		measured := []float64{r.Ping, r.P50, r.P99, r.RoundTrips, r.PerSecond, r.RedisMicros, r.Calls, r.Seconds}
		if r.Errors > 0 || r.HandOffs == 0 || slices.Min(measured) <= 0 || r.Commands < r.Calls || r.P99 < r.P50 {
			t.Errorf("%s: implausible %+v", r.Library, r)
		}
	}
	if ours := results[0]; ours.Library != line.name || ours.OutOfOrder != 0 || ours.HandOffs < ours.Waiters {
		t.Errorf("the line did not serve everyone in order: %+v", ours)
	}
}

func TestOutOfOrder(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		ranks   []int
		inOrder int
		want    int
	}{
		{"nobody", nil, 3, 0},
		{"in order", []int{0, 1, 2, 3}, 4, 0},
		{"the last first", []int{3, 0, 1, 2}, 4, 1},
		{"backwards", []int{3, 2, 1, 0}, 4, 3},
		{"the first never", []int{1, 2, 3}, 4, 3},
		{"asked at once", []int{0, 1, 2, 2, 2}, 2, 0},
		{"one who asked at once before one in order", []int{0, 2, 1, 2}, 2, 1},
	} {
		if got := outOfOrder(c.ranks, c.inOrder); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

func TestPercentile(t *testing.T) {
	t.Parallel()
	var hundred []time.Duration
	for i := range 100 {
		hundred = append(hundred, time.Duration(i+1))
	}
	for p, want := range map[int]time.Duration{1: 1, 50: 50, 99: 99, 100: 100} {
		if got := percentile(hundred, p); got != want {
			t.Errorf("p%d of 1 to 100 is %d, want %d", p, got, want)
		}
	}
	if got := percentile(hundred[:1], 99); got != 1 {
		t.Errorf("p99 of one value is %d, want it", got)
	}
}

func TestCellsTellWhatWasReached(t *testing.T) {
	t.Parallel()
	for want, r := range map[string]Result{
		"1,000":                 {Turns: 1000, HandOffs: 1000, Seconds: 1},
		"312 of 10,000 in 10 s": {Turns: 10000, HandOffs: 312, Seconds: 10.02},
		"0 of 10 in 1 s":        {Turns: 10, Seconds: 1},
	} {
		cells := r.cells()
		if len(cells) != len(columns) || cells[len(cells)-1] != want {
			t.Errorf("%q, want %d cells that end in %q", cells, len(columns), want)
		}
	}
}

func TestBadNumbersAreRefused(t *testing.T) {
	t.Parallel()
	for _, list := range []string{"", "10,", "0", "-1", "ten", "10 100"} {
		if err := run([]string{"-waiters", list}, io.Discard, io.Discard); err == nil ||
			!strings.Contains(err.Error(), "-waiters") {
			t.Errorf("-waiters %q: %v, want an error that names the flag", list, err)
		}
	}
}

func TestRemarksTellWhatTheRowDoesNot(t *testing.T) {
	t.Parallel()
	r := Result{Library: "lock", Waiters: 1000, Rounds: 1, InOrder: 1000}
	for want, edit := range map[string]func(*Result){
		"":                           func(*Result) {},
		"900 of the waiters had ask": func(r *Result) { r.InOrder = 900 },
		"for 2.1 s when the time":    func(r *Result) { r.Stalled = 2.1 },
		"2 errors, such as: broken":  func(r *Result) { r.Errors, r.Error = 2, "broken" },
	} {
		var out strings.Builder
		with := r
		edit(&with)
		with.remarks(&out)
		if !strings.Contains(out.String(), want) || (want == "") != (out.Len() == 0) {
			t.Errorf("remarks on %+v: %q, want %q", with, &out, want)
		}
	}
}
