package audit_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"lunchgo/app/audit"
	"lunchgo/app/jobs"
)

// books answer audits by the script of a test, one after the other.
type books struct {
	answers []answer
	slices  []answer
	ages    []time.Duration
}

type answer struct {
	report audit.Report
	ran    bool
	err    error
}

func (b *books) AuditIfDue(_ context.Context, age time.Duration) (audit.Report, bool, error) {
	b.ages = append(b.ages, age)
	if len(b.answers) == 0 {
		return audit.Report{}, false, nil
	}
	next := b.answers[0]
	b.answers = b.answers[1:]
	return next.report, next.ran, next.err
}

func (b *books) AuditSlice(context.Context) (audit.Report, bool, error) {
	if len(b.slices) == 0 {
		return audit.Report{}, false, nil
	}
	next := b.slices[0]
	b.slices = b.slices[1:]
	return next.report, next.ran, next.err
}

func (b *books) ListConcerns(_ context.Context, r audit.Report) ([]audit.Concern, error) {
	if r.Found() == 0 {
		return nil, nil
	}
	return []audit.Concern{{RestaurantID: 7, Check: "seats", Found: r.Found()}}, nil
}

func report(at time.Time, found int) audit.Report {
	result := audit.Result{Check: "seats", Proves: "No slot is oversold.", Found: found}
	if found > 0 {
		result.Examples = []audit.Finding{{Subject: "slot 7", Problem: "12 seats of 10"}}
	}
	return audit.Report{At: at, Checks: []audit.Result{result, {Check: "wallets"}}}
}

func TestJob_ReportsWhatItsAuditsFind(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		b := &books{answers: []answer{
			{}, // none yet, and another instance is at it
			{report: report(start, 0), ran: true},
			{err: errors.New("the database is away")},
			{report: report(start.Add(time.Minute), 3)}, // made by another instance
			{report: report(start.Add(2*time.Minute), 2), ran: true},
		}}
		var published []int
		var log strings.Builder
		ctx, stop := context.WithCancel(t.Context())
		board := &audit.Board{}
		job := audit.Job{Board: board, Books: b, Every: time.Minute, Tell: func(r audit.Report) {
			published = append(published, r.Found())
		},
			Log: slog.New(slog.NewTextHandler(&log, nil))}
		ended := make(chan struct{})
		go func() { defer close(ended); jobs.Runner{Log: job.Log}.Run(ctx, job.Jobs()...) }()
		time.Sleep(20*time.Second + 4*time.Minute + time.Second) // of the bubble
		stop()
		<-ended
		if len(b.ages) != 5 || b.ages[0] != 45*time.Second {
			t.Errorf("asked %v, want 5 times for none younger than 45s", b.ages)
		}
		if len(published) != 3 || published[0] != 0 || published[1] != 3 || published[2] != 2 {
			t.Errorf("published %v, want [0 3 2]", published)
		}
		if shown := board.Of(7); len(shown) != 1 || shown[0].Found != 2 || len(board.Of(8)) != 0 {
			t.Errorf("restaurant 7 is shown %v", shown)
		}
		if n := strings.Count(log.String(), "level=ERROR"); n != 1 || !strings.Contains(log.String(), "slot 7") ||
			!strings.Contains(log.String(), "the database is away") {
			t.Errorf("%d errors logged, want 1 of the own audit:\n%s", n, log.String())
		}
	})
}

// Slices follow each other until no more is due; what one finds is logged.
func TestJob_AuditsEverythingInSlices(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		slice := answer{report: report(time.Now(), 0), ran: true}
		wrong := answer{report: report(time.Now(), 1), ran: true}
		b := &books{slices: []answer{slice, {err: errors.New("the database is away")}, wrong, slice}}
		var log strings.Builder
		job := audit.Job{Board: &audit.Board{}, Books: b, Every: time.Hour,
			Log: slog.New(slog.NewTextHandler(&log, nil))}
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { defer close(ended); jobs.Runner{Log: job.Log}.Run(ctx, job.Jobs()...) }()
		time.Sleep(20*time.Second + time.Minute + 4*time.Second) // of the bubble
		stop()
		<-ended
		if len(b.slices) != 0 || strings.Count(log.String(), "audit found violations") != 1 {
			t.Errorf("%d slices are left:\n%s", len(b.slices), log.String())
		}
	})
}

func TestReport_AndAddsOrShows(t *testing.T) {
	t.Parallel()
	now := time.Now()
	sum := audit.Report{}.And(report(now, 0)).And(report(now, 8)).And(report(now, 3))
	if sum.Found() != 11 || len(sum.Checks) != 2 || len(sum.Wrong()[0].Examples) != 2 {
		t.Errorf("the sum: %+v", sum)
	}
	if n := report(now, 0).Or(sum).Found(); n != 11 {
		t.Errorf("%d are shown beside a clean report", n)
	}
	some := report(now, 2)
	some.Checks[0].Examples[0].Subject = "slot 8"
	if both := some.Or(sum); both.Found() != 11 || len(both.Checks[0].Examples) != 2 {
		t.Errorf("of two reports: %+v", both)
	}
	if n := sum.Or(report(now, 2)).Found(); n != 11 {
		t.Errorf("%d are shown of two reports", n)
	}
}

// The checks of another release are others, in another order.
func TestReport_AddsByCheck(t *testing.T) {
	t.Parallel()
	before := audit.Report{Checks: []audit.Result{{Check: "gone", Found: 1}, {Check: "wallets"}}}
	sum := before.And(report(time.Now(), 3))
	var checks []string
	for _, result := range sum.Wrong() {
		checks = append(checks, result.Check)
	}
	if !slices.Equal(checks, []string{"gone", "seats"}) || sum.Found() != 4 || len(sum.Checks) != 3 {
		t.Errorf("%+v", sum)
	}
}

func TestReport_RoundDue(t *testing.T) {
	t.Parallel()
	now := time.Now()
	for _, c := range []struct {
		age   time.Duration
		hour  int
		found int
		due   bool
	}{
		{19 * time.Hour, 3, 0, false}, {21 * time.Hour, 1, 0, false}, {21 * time.Hour, 2, 0, true},
		{29 * time.Hour, 5, 0, false}, {31 * time.Hour, 12, 0, true},
		{50 * time.Minute, 12, 1, false}, {2 * time.Hour, 12, 1, true},
	} {
		if due := report(now.Add(-c.age), c.found).RoundDue(now, c.hour); due != c.due {
			t.Errorf("%+v: %v", c, due)
		}
	}
	long := report(now.Add(-3*time.Hour), 1)
	long.Ended = now.Add(-50 * time.Minute)
	if long.RoundDue(now, 12) || !long.RoundDue(now.Add(20*time.Minute), 12) {
		t.Error("an hour is to pass after the end")
	}
	if !(audit.Report{}).RoundDue(now, 12) {
		t.Error("the first is not due")
	}
}
