package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"lunchgo/db/dbtest/measured"
)

// repeats are how often a command is run: tests and benchmarks, and rushes.
const (
	repeats       = 3
	repeatsOfRush = 5
)

// figures are those of a rush's report that tables show, by their columns.
var figures = map[string]string{
	"reserved": "reserved", "totalSeconds": "s", "reservationsPerSecond": "reservations a second",
	"answerP50Ms": "p50 ms", "answerP99Ms": "p99 ms", "maxDbConnections": "connections",
	"redisCommandsPerDiner": "Redis commands", "serverCpuMsPerDiner": "server ms", "redisCpuMsPerDiner": "Redis ms",
	"postgresCpuMsPerDiner": "PostgreSQL ms", "rssBytesPerWaiter": "bytes a waiter",
	// of a comparison
	"answered": "answered", "gaveUp": "gave up", "overtaken": "overtaken", "within3sPercent": "% within 3 s",
	"within5sPercent": "% within 5 s", "pageP50Ms": "page p50 ms", "pageMaxMs": "page most ms",
}

// rows runs the command of a block, and returns what it measured.
func rows(ctx context.Context, of measured.Block) (rows []measured.Row, err error) {
	run := func() ([]measured.Measurement, error) { return test(ctx, of.Command) }
	times := 1
	if args, isRush := strings.CutPrefix(of.Command, "lunchgo rush "); isRush {
		if _, err := execute(ctx, "go tool task build"); err != nil {
			return nil, err
		}
		run = func() ([]measured.Measurement, error) { return rush(ctx, of.Name, "", args) }
		if times = repeatsOfRush; strings.Contains(args, "--against") {
			times = 1 // it runs six rushes
		}
	}
	for range times {
		all, err := run()
		if err != nil {
			return nil, err
		}
		for _, m := range all {
			rows = add(rows, m)
		}
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("no test of %q measured anything", of.Command)
	}
	return rows, nil
}

// add adds a repeat to the row of its name.
func add(rows []measured.Row, m measured.Measurement) []measured.Row {
	i := slices.IndexFunc(rows, func(row measured.Row) bool { return row.Name == m.Name })
	if i < 0 {
		i = len(rows)
		rows = append(rows, measured.Row{Name: m.Name, Sizes: m.Sizes, Results: map[string][]float64{}})
	}
	for what, result := range m.Results {
		rows[i].Results[what] = append(rows[i].Results[what], round(result))
	}
	return rows
}

// round leaves three digits, unless the number is whole.
func round(n float64) float64 {
	if n == math.Trunc(n) {
		return n
	}
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(n, 'g', 3, 64), 64)
	return rounded
}

var line = regexp.MustCompile(measured.Prefix + `(\{.*\})`)

// test runs tests or benchmarks, and returns what they have logged.
func test(ctx context.Context, command string) (all []measured.Measurement, err error) {
	output, err := execute(ctx, fmt.Sprintf("%s -count %d -timeout 10m", command, repeats))
	if err != nil {
		return nil, err
	}
	for _, found := range line.FindAllStringSubmatch(output, -1) {
		var m measured.Measurement
		if err := json.Unmarshal([]byte(found[1]), &m); err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

// rush runs a rush with settings, and returns what it reports.
func rush(ctx context.Context, name, settings, args string) (all []measured.Measurement, err error) {
	output, err := execute(ctx, settings+" bin/lunchgo rush "+args+" --json")
	if err != nil {
		return nil, err
	}
	var report map[string]any
	if err := json.Unmarshal([]byte(output), &report); err != nil {
		return nil, err
	}
	rows, isComparison := report["rows"].([]any)
	if !isComparison {
		return []measured.Measurement{shown(name, report)}, nil
	}
	for _, row := range rows {
		values, _ := row.(map[string]any)
		all = append(all, shown(fmt.Sprint(name, "/", values["design"]), values))
	}
	return all, nil
}

// shown returns those figures of a report that tables show.
func shown(name string, report map[string]any) measured.Measurement {
	results := map[string]float64{}
	for key, column := range figures {
		if value, isKnown := report[key].(float64); isKnown {
			results[column] = value
		}
	}
	results["sum ms"] = results["server ms"] + results["Redis ms"] + results["PostgreSQL ms"]
	return measured.Measurement{Name: name, Results: results}
}

// execute runs a command as documents have it, and returns what it wrote. It ends with the processes that it started.
func execute(ctx context.Context, command string) (string, error) {
	cmd := exec.CommandContext(ctx, "sh", "-c", command)
	cmd.Env = append(os.Environ(), measured.Measuring+"=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = time.Minute
	var faults strings.Builder
	cmd.Stderr = &faults
	output, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%w\n%s%s", err, output, faults.String())
	}
	return string(output), err
}
