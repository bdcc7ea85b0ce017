package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"lunchgo/app/rush"
)

// errBroken says that a fault has cost somebody what it must not.
var errBroken = errors.New("a promise was broken: see what is marked WRONG")

// breakOptions say what breaks, and in how large a rush.
type breakOptions struct {
	faults []breakage // at least one
	diners int
	over   time.Duration // in which they press
	page   string        // file that gets the page
	json   bool
}

// Bounds of the options. Half of the diners stand in line when a fault is made, and it has to find some of them there.
const (
	leastBroken = 50
	mostBroken  = 10_000
)

// breakCommand breaks an installation of its own in the middle of a rush, once for each fault, and writes what that has
// shown to out, its progress to the standard error.
func breakCommand(ctx context.Context, _ Config, args []string, out io.Writer) (err error) {
	raiseOpenFiles()
	o, err := parseBreakFlags(args, out)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return nil
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		return errUsage
	}
	shown, err := breakAll(ctx, o)
	if err != nil {
		return err
	}
	if err := rush.Write(out, shown, o.json); err != nil {
		return err
	}
	page, err := writePage(o.page, shown)
	if err != nil {
		return err
	}
	fmt.Fprintf(o.progress(), "the same as a page: file://%s\n", page)
	if !shown.Good() {
		return errBroken
	}
	return nil
}

// breakAll starts an installation, breaks it by each fault, and removes it.
func breakAll(ctx context.Context, o breakOptions) (shown rush.Trials, err error) {
	say := o.progress()
	fmt.Fprintln(say, "starting a PostgreSQL, a Redis and two instances of their own")
	b, err := openBreakable(ctx, say)
	defer func() { err = errors.Join(err, b.Close(ctx.Err() != nil || err == nil && shown.Good())) }()
	if err != nil {
		return rush.Trials{}, err
	}
	for _, f := range o.faults {
		fmt.Fprintln(say, "\n"+f.name+": "+f.what)
		trial, err := b.breakBy(ctx, f, o)
		if err != nil {
			return rush.Trials{}, fmt.Errorf("%s: %w", f.name, err)
		}
		shown.Trials = append(shown.Trials, trial)
	}
	return shown, nil
}

// writePage writes the page and returns the whole path of its file.
func writePage(path string, shown rush.Trials) (whole string, err error) {
	file, err := os.Create(path)
	if err != nil {
		return "", err
	}
	if err := errors.Join(shown.WritePage(file, time.Now()), file.Close()); err != nil {
		return "", err
	}
	return filepath.Abs(path)
}

// parseBreakFlags reads the arguments after "break": flags and faults in any order.
func parseBreakFlags(args []string, out io.Writer) (breakOptions, error) {
	var o breakOptions
	flags := flag.NewFlagSet("break", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // the caller tells the error, once
	flags.IntVar(&o.diners, "diners", 2000, "`number` of diners")
	flags.DurationVar(&o.over, "over", 10*time.Second, "`time` over which they press")
	flags.StringVar(&o.page, "page", "lunchgo-break.html", "`file` that gets the page")
	flags.BoolVar(&o.json, "json", false, "report as JSON")
	for len(args) > 0 {
		err := flags.Parse(args)
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprint(out, breakIntro, breakageTable(), "\n")
			flags.SetOutput(out)
			flags.PrintDefaults()
			fmt.Fprint(out, breakOutro)
		}
		if err != nil {
			return breakOptions{}, err
		}
		if args = flags.Args(); len(args) == 0 {
			break
		}
		f, ok := breakageOf(args[0])
		if !ok {
			return breakOptions{}, fmt.Errorf("a fault is %s, not %q", strings.Join(breakageNames(), ", "), args[0])
		}
		o.faults, args = append(o.faults, f), args[1:]
	}
	if len(o.faults) == 0 {
		o.faults = breakages
	}
	return o, o.check()
}

// progress is where progress goes.
func (o breakOptions) progress() io.Writer { return progressOf(rush.Options{JSON: o.json}) }

// check returns an error that names every fault of the options.
func (o breakOptions) check() error {
	var faults []error
	if o.diners < leastBroken || o.diners > mostBroken {
		faults = append(faults, fmt.Errorf("--diners is %d to %d, not %d", leastBroken, mostBroken, o.diners))
	}
	if o.over <= 0 || o.over > breakTimeout/2 {
		faults = append(faults, fmt.Errorf("--over is above zero and at most %s, not %s", breakTimeout/2, o.over))
	}
	return errors.Join(faults...)
}

func breakageNames() (names []string) {
	for _, f := range breakages {
		names = append(names, f.name)
	}
	return names
}

func breakageOf(name string) (breakage, bool) {
	i := slices.Index(breakageNames(), name)
	if i < 0 {
		return breakage{}, false
	}
	return breakages[i], true
}

// breakageTable is the list of faults for the help.
func breakageTable() string {
	var text strings.Builder
	for _, f := range breakages {
		fmt.Fprintf(&text, "  %-10s %s\n", f.name, f.what)
	}
	return text.String()
}

const breakIntro = `Usage: lunchgo break [flags] [fault ...]

Starts two instances behind a load balancer, on a PostgreSQL and a Redis of their own in a scratch folder, lets diners rush
to them over real HTTP, and breaks something in the middle: half of the diners stand in the line of one slot when it begins
to move, and a tenth have a table. The others press while it is broken and afterwards. All of it is gone at the end. It
reads no settings and touches no other installation.

The faults; without one it makes all, one after the other:
`

const breakOutro = `
It writes a table, and the same as a page of HTML. The keys of the report (--json) are {"trials": […]}, with:
  fault what             what was broken
  diners                 who pressed
  noticed broken later   who noticed: a request or a stream of theirs broke, or they were asked to come back later (503 or
                         429 with Retry-After) and did
  downSeconds            from the fault until what broke was back
  firstAnswerSeconds     from the fault to the first answer after it; null: there was none
  gapSeconds             the longest time without an answer that ended after the fault
  inLine                 who had a place in the line when it broke, and no answer
  overtaken              who of them got seats after somebody who had come later, or none though such a one did: by the numbers
                         in the line, or because that one pressed only when they had been answered with their place
  overtakenLater         the same of those who came after the fault
  cutOff                 whether the fault hides the common line from one instance: it keeps the places of those who come to it
                         by itself, and says so, and others may pass them; overtakenLater breaks no promise then
  answered reserved soldOut gaveUp
                         who got a yes or a no; who got neither
  lost unclaimed         who got a yes that is not in the database; reservations there that nobody heard of
  oversold               seats given away beyond capacity, the most that was seen at any time
  checks findings        what lunchgo audit finds afterwards
  faultSeconds totalSeconds timeline
                         when it broke and when the last answer came, from the first press; answers in each quarter of a second
  errors                 the first few different errors that diners saw
It exits with 1 when overtaken, overtakenLater (unless cutOff), gaveUp, lost, unclaimed or oversold is not 0, or the auditor finds something.
`
