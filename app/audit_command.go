package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"lunchgo/app/audit"
	"lunchgo/app/rush"
	"lunchgo/db/audits"
)

// auditCommand proves from the tables that nothing is oversold and that the books balance. It changes nothing. Returns
// an error when something is wrong.
func auditCommand(ctx context.Context, c Config, args []string, out io.Writer) (err error) {
	asJSON, err := parseAuditFlags(args, out)
	if err != nil {
		return badFlags(err)
	}
	b, err := openDatabase(ctx, c, newLog(c))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	books := audits.NewStore(b.DB)
	if rush.IsTerminal(os.Stderr) {
		reservations, err := books.CountReservations(ctx)
		if err != nil {
			return err
		}
		books.Progress = auditProgress(os.Stderr, reservations, time.Now())
	}
	report, err := books.Audit(ctx)
	if err != nil {
		return err
	}
	if err := writeReport(out, report, asJSON); err != nil {
		return err
	}
	if n := report.Found(); n > 0 {
		return fmt.Errorf("the audit found %d wrong", n)
	}
	return nil
}

// auditProgress returns what writes, on one line, how far an audit of so many reservations is and how fast it goes.
func auditProgress(out io.Writer, reservations int64, began time.Time) func(done, of int) {
	return func(done, of int) {
		rate := float64(reservations) * float64(done) / float64(of) / time.Since(began).Seconds()
		fmt.Fprintf(out, "\r%d of %d checks, %d reservations, %.0f a second", done, of, reservations, rate)
		if done == of {
			fmt.Fprintln(out)
		}
	}
}

func parseAuditFlags(args []string, out io.Writer) (asJSON bool, err error) {
	flags := newFlags(out, "audit [flags]",
		"Proves from the tables that nothing is oversold and that the books balance; exits 1 if not.")
	flags.BoolVar(&asJSON, "json", false, "report as JSON")
	if err := flags.Parse(args); err != nil {
		return false, err
	}
	if flags.NArg() > 0 {
		err = fmt.Errorf("unexpected argument %q", flags.Arg(0))
		fmt.Fprintln(out, err)
	}
	return asJSON, err
}

// writeReport writes a line a check, and under one that found something the first of what it found.
func writeReport(out io.Writer, r audit.Report, asJSON bool) error {
	if asJSON {
		encoder := json.NewEncoder(out)
		encoder.SetIndent("", "  ")
		return encoder.Encode(struct {
			audit.Report
			Found int `json:"found"`
		}{r, r.Found()})
	}
	for _, result := range r.Checks {
		if result.Found == 0 {
			fmt.Fprintf(out, "ok     %-28s %s\n", result.Check, result.Proves)
			continue
		}
		fmt.Fprintf(out, "WRONG  %-28s %d found. %s\n", result.Check, result.Found, result.Proves)
		for _, finding := range result.Examples {
			fmt.Fprintf(out, "         %s: %s\n", finding.Subject, finding.Problem)
		}
	}
	_, err := fmt.Fprintf(out, "%d checks in %s, %d found wrong\n", len(r.Checks),
		time.Duration(r.Seconds*float64(time.Second)).Round(time.Millisecond), r.Found())
	return err
}
