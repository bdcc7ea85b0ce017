package audit

import (
	"context"
	"log/slog"
	"time"

	"lunchgo/app/jobs"
)

// firstAfter is how long a process runs before it first audits. What ended while no process ran is put in order by
// then.
const firstAfter = 20 * time.Second

// Job audits again and again. Together all instances audit once an interval, and all of them tell the last report.
type Job struct {
	Books Books
	Every time.Duration
	Tell  func(Report)
	Board *Board // shows restaurants what concerns them
	Log   *slog.Logger
}

// Jobs returns the job.
func (j Job) Jobs() []jobs.Job {
	return []jobs.Job{{Name: "audit", Alone: "the locked row of the last audit", First: min(firstAfter, j.Every),
		Every: j.Every, Run: jobs.Always(j.audit)}}
}

// audit counts a report as due a little early: a pace never falls to the moment on the one before it.
func (j Job) audit(ctx context.Context) error {
	report, ran, err := j.Books.AuditIfDue(ctx, j.Every*3/4)
	if err != nil || report.At.IsZero() {
		return err
	}
	j.Tell(report)
	if concerns, err := j.Books.ListConcerns(ctx, report); err != nil {
		j.Log.WarnContext(ctx, "list audit concerns failed", "error", err)
	} else {
		j.Board.Show(concerns)
	}
	if !ran {
		return nil
	}
	j.Log.DebugContext(ctx, "audit done", "checks", len(report.Checks), "found", report.Found(), "took",
		time.Duration(report.Seconds*float64(time.Second)))
	for _, result := range report.Wrong() {
		first := result.Examples[0]
		j.Log.ErrorContext(ctx, "audit found violations", "check", result.Check, "found", result.Found,
			"subject", first.Subject, "problem", first.Problem)
	}
	return nil
}
