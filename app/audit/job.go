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

// Job audits again and again. Together all instances audit what was touched once an interval, and everything once a
// night; all of them tell the last report.
type Job struct {
	Books Books
	Every time.Duration
	Tell  func(Report)
	Board *Board // shows restaurants what concerns them
	Log   *slog.Logger
}

// Jobs returns the jobs.
func (j Job) Jobs() []jobs.Job {
	first := min(firstAfter, j.Every)
	return []jobs.Job{
		{Name: "audit", Alone: "the locked row of the last audit", First: first, Every: j.Every,
			Run: jobs.Always(j.audit)},
		{Name: "audit everything", Alone: "the locked row of that audit", First: first, Every: time.Second,
			Idle: time.Minute, Run: j.slice},
	}
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
	if ran {
		j.log(ctx, report)
	}
	return nil
}

// slice audits a slice of everything. The next report shows what it finds.
func (j Job) slice(ctx context.Context) (done int, err error) {
	found, ran, err := j.Books.AuditSlice(ctx)
	if err != nil || !ran {
		return 0, err
	}
	j.log(ctx, found)
	return 1, nil
}

func (j Job) log(ctx context.Context, r Report) {
	j.Log.DebugContext(ctx, "audit done", "checks", len(r.Checks), "found", r.Found(), "took",
		time.Duration(r.Seconds*float64(time.Second)))
	for _, result := range r.Wrong() {
		first := result.Examples[0]
		j.Log.ErrorContext(ctx, "audit found violations", "check", result.Check, "found", result.Found,
			"subject", first.Subject, "problem", first.Problem)
	}
}
