// Sizing computes what many restaurants need from the reports of rushes (lunchgo rush --json). It fits the prices of a
// turn, a press, a place in a line and a reservation to small rushes, compares what it predicts for large ones with
// what those measured, and adds up a peak. See docs/scale.md.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"text/tabwriter"

	"lunchgo/app/rush"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run is the command with its arguments.
func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("sizing", flag.ContinueOnError)
	fitted := flags.String("fit", "small*.json", "`files` of the rushes that give the prices")
	checked := flags.String("check", "", "`files` of the rushes that the model is held against")
	var peak load
	flags.Float64Var(&peak.Turns, "turns", 0, "`number` of turns of lines in the peak to add up")
	flags.Float64Var(&peak.Presses, "presses", 0, "`number` of presses in that peak")
	flags.Float64Var(&peak.Tickets, "tickets", 0, "`number` of diners in it who stand in a line")
	flags.Float64Var(&peak.Served, "served", 0, "`number` of reservations in it")
	if err := flags.Parse(args); err != nil {
		return err
	}
	small, err := read(*fitted)
	if err == nil && len(small) == 0 {
		err = fmt.Errorf("no reports match %q", *fitted)
	}
	if err != nil {
		return err
	}
	large, err := read(*checked)
	if err != nil {
		return err
	}
	return write(out, small, large, peak)
}

// sample is a report and the file that it is from.
type sample struct {
	name   string
	report rush.Report
}

func read(pattern string) (found []sample, err error) {
	names, err := filepath.Glob(pattern)
	for _, name := range names {
		text, readErr := os.ReadFile(name)
		s := sample{name: filepath.Base(name)}
		if readErr == nil {
			readErr = json.Unmarshal(text, &s.report)
		}
		if readErr != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", name, readErr))
		}
		found = append(found, s)
	}
	return found, err
}

// write shows the prices, the errors of what they predict, and the sum of a peak.
func write(out io.Writer, small, large []sample, peak load) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table,
		"figure\ta turn\ta press\ta place in line\ta reservation\terror, fitted\terror, checked\tthe peak")
	var reports []rush.Report
	for _, s := range small {
		reports = append(reports, s.report)
	}
	for _, f := range figures() {
		p, err := fit(reports, f)
		if err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", f.name, short(p[0]), short(p[1]), short(p[2]),
			short(p[3]), between(f, p, small), between(f, p, large), short(p.of(peak)))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for _, s := range large {
		fmt.Fprintf(table, "%s\tpredicted\tmeasured\terror\n", s.name)
		for _, f := range figures() {
			p, err := fit(reports, f)
			if err != nil {
				return err
			}
			predicted, measured := p.of(loadOf(s.report)), f.total(s.report)
			fmt.Fprintf(table, "  %s\t%s\t%s\t%+.0f %%\n", f.name, short(predicted), short(measured),
				off(predicted, measured))
		}
	}
	return table.Flush()
}

// between says in which range the errors of predictions lie, in percent.
func between(f figure, p price, samples []sample) string {
	var errs []float64
	for _, s := range samples {
		if e := off(p.of(loadOf(s.report)), f.total(s.report)); !math.IsNaN(e) {
			errs = append(errs, e)
		}
	}
	if len(errs) == 0 {
		return "–"
	}
	return fmt.Sprintf("%+.0f to %+.0f %%", slices.Min(errs), slices.Max(errs))
}

// off is by how many percent a prediction is above what was measured.
func off(predicted, measured float64) float64 { return 100 * (predicted - measured) / measured }

// short writes a number with three digits.
func short(n float64) string {
	if math.Abs(n) >= 1000 {
		return fmt.Sprintf("%.0f", n)
	}
	return fmt.Sprintf("%.3g", n)
}
