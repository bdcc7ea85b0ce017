package main

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

func heading(out io.Writer, p plan) {
	fmt.Fprintf(out,
		"One lock, many waiters: each has it once, for nothing, and hands it on. At most %s a row; %d CPUs.\n",
		p.budget, runtime.NumCPU())
}

// crowd is how many waiters it takes to tell their share of Go's memory from the noise.
const crowd = 100

// longStall is a hand-off, in seconds, that nobody would wait for.
const longStall = 1

var columns = []string{
	"hand-off p50", "p99", "round trips", "a second", "Redis CPU", "calls", "commands", "Redis mem", "Go mem",
	"out of order", "turns",
}

// table prints the rows of one number of nodes and waiters.
func table(out io.Writer, rows []Result) {
	fmt.Fprintf(out, "\n%s waiters at %s\n", grouped(rows[0].Waiters), plural(rows[0].Nodes, "node"))
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "\t%s\t\n", strings.Join(columns, "\t"))
	for _, r := range rows {
		fmt.Fprintf(w, "%-19s\t%s\t\n", strings.TrimSpace(r.Library+" "+r.Version), strings.Join(r.cells(), "\t"))
	}
	w.Flush()
	for _, r := range rows {
		r.remarks(out)
	}
}

func (r Result) cells() []string {
	memory := []string{bytes(r.RedisBytes), bytes(r.HeapBytes)}
	if r.Waiters < crowd {
		memory[1] = "–"
	}
	if r.HandOffs == 0 {
		return append(append([]string{"–", "–", "–", "–", "–", "–", "–"}, memory...), "–", r.turns())
	}
	return append(append([]string{
		duration(r.P50), duration(r.P99), figure(r.RoundTrips), grouped(int(r.PerSecond + 0.5)),
		duration(r.RedisMicros),
		figure(r.Calls), figure(r.Commands),
	}, memory...), percent(r.OutOfOrder), r.turns())
}

// turns describes what was reached.
func (r Result) turns() string {
	if r.finished() {
		return grouped(r.HandOffs)
	}
	return fmt.Sprintf("%s of %s in %.0f s", grouped(r.HandOffs), grouped(r.Turns), r.Seconds)
}

// remarks lists what a reader of the row has to know.
func (r Result) remarks(out io.Writer) {
	if r.InOrder < r.Waiters*r.Rounds {
		fmt.Fprintf(out,
			"  %s: %s of the waiters had asked in turn when the time for that was up; the rest asked at once.\n",
			r.Library, grouped(r.InOrder))
	}
	if r.Stalled > longStall {
		fmt.Fprintf(out, "  %s: nobody had got the lock for %s s when the time was up.\n", r.Library, figure(r.Stalled))
	}
	if r.Errors > 0 {
		fmt.Fprintf(out, "  %s: %s, such as: %s\n", r.Library, plural(r.Errors, "error"), r.Error)
	}
}

func legend(out io.Writer, p plan) {
	fmt.Fprint(out, `
hand-off      from the call of a release until the next holder knows that it has the lock
round trips   the median hand-off in multiples of the median PING to the idle Redis, before and after each row
calls         commands sent to Redis for each hand-off, those of everybody who waits included
commands      commands that Redis carried out for each, those inside scripts included
mem           for each waiter while all wait: Redis' keys; Go's heap and stacks, the goroutine that waits included, if
              there are `+strconv.Itoa(crowd)+` or more
out of order  turns that came while somebody still waited who had asked earlier
turns         rounds are repeated until there are `+grouped(enough)+` hand-offs

Nodes share the process and the processors, but no connection. Each library waits as its documentation recommends:
`)
	for _, lib := range p.libraries {
		fmt.Fprintf(out, "  %-14s%s\n", lib.name, lib.waits)
	}
}

// What the line is meant to reach.
const (
	aimRoundTrips = 3.0  // of a hand-off, at most
	aimGrowth     = 1.2  // Redis' time with many waiters in multiples of that with the fewest, at most
	aimPerSecond  = 6000 // hand-offs, at least
)

// aims holds our own rows against them.
func aims(out io.Writer, results []Result) {
	ours := slices.DeleteFunc(slices.Clone(results),
		func(r Result) bool { return r.Library != line.name || r.HandOffs == 0 })
	fmt.Fprintf(out, "\nThe line's aims: %g round trips at most, "+
		"%g × Redis' CPU with the fewest waiters at most, %s hand-offs a second\n",
		aimRoundTrips, aimGrowth, grouped(aimPerSecond))
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, r := range ours {
		growth := r.RedisMicros / fewest(ours, r.Nodes).RedisMicros
		fmt.Fprintf(w, "%s waiters\t%s\t%s round trips: %s\t%s × CPU: %s\t%s a second: %s\t\n",
			grouped(r.Waiters), plural(r.Nodes, "node"),
			figure(r.RoundTrips), verdict(r.RoundTrips <= aimRoundTrips), figure(growth), verdict(growth <= aimGrowth),
			grouped(int(r.PerSecond+0.5)), verdict(r.PerSecond >= aimPerSecond))
	}
	w.Flush()
}

// fewest finds the row with the fewest waiters at that number of nodes.
func fewest(rows []Result, nodes int) Result {
	var few Result
	for _, r := range rows {
		if r.Nodes == nodes && (few.Waiters == 0 || r.Waiters < few.Waiters) {
			few = r
		}
	}
	return few
}

func verdict(reached bool) string {
	if reached {
		return "reached"
	}
	return "missed"
}

// duration prints µs.
func duration(micros float64) string {
	switch {
	case micros < 1000:
		return fmt.Sprintf("%.0f µs", micros)
	case micros < 1e6:
		return figure(micros/1000) + " ms"
	}
	return figure(micros/1e6) + " s"
}

// figure prints a number with two digits or more.
func figure(x float64) string {
	if x < 9.95 {
		return fmt.Sprintf("%.1f", x)
	}
	return grouped(int(x + 0.5))
}

func percent(share float64) string { return fmt.Sprintf("%.1f %%", share*100) }

// bytes prints memory; what is less than a few bytes is noise.
func bytes(n float64) string {
	switch {
	case n < 16:
		return "0"
	case n < 1000:
		return fmt.Sprintf("%.0f B", n)
	}
	return figure(n/1000) + " kB"
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return grouped(n) + " " + noun + "s"
}

// grouped prints a number with commas.
func grouped(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
