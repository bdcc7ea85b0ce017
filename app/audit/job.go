package audit

import (
	"context"
	"log/slog"
	"time"
)

// firstAfter is how long a process runs before it first audits. What ended while no process ran is put in order by
// then.
const firstAfter = 20 * time.Second

// Job audits again and again. Several instances may run one each: together they audit once an interval, and all of them
// tell the last report.
type Job struct {
	Books Books
	Every time.Duration
	Tell  func(Report)
	Board *Board // shows restaurants what concerns them
	Log   *slog.Logger
}

// Run audits until ctx ends.
func (j Job) Run(ctx context.Context) {
	timer := time.NewTimer(min(firstAfter, j.Every))
	defer timer.Stop()
	for {
		select {
		case <-timer.C:
		case <-ctx.Done():
			return
		}
		j.audit(ctx)
		timer.Reset(j.Every)
	}
}

// audit counts a report as due a little early: a pace never falls to the moment on the one before it.
func (j Job) audit(ctx context.Context) {
	report, ran, err := j.Books.AuditIfDue(ctx, j.Every*3/4)
	switch {
	case ctx.Err() != nil:
		return
	case err != nil:
		j.Log.WarnContext(ctx, "audit failed", "error", err)
		return
	case report.At.IsZero():
		return
	}
	j.Tell(report)
	if concerns, err := j.Books.ListConcerns(ctx, report); err != nil {
		j.Log.WarnContext(ctx, "list audit concerns failed", "error", err)
	} else {
		j.Board.Show(concerns)
	}
	if !ran {
		return
	}
	j.Log.DebugContext(ctx, "audit done", "checks", len(report.Checks), "found", report.Found(), "took",
		time.Duration(report.Seconds*float64(time.Second)))
	for _, result := range report.Wrong() {
		first := result.Examples[0]
		j.Log.ErrorContext(ctx, "audit found violations", "check", result.Check, "found", result.Found,
			"subject", first.Subject, "problem", first.Problem)
	}
}
