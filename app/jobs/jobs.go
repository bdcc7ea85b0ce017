// Package jobs runs what the product does by itself, again and again.
//
// Every instance runs every job. What only one of them may do at a time, the transaction that does it decides: it
// passes over rows that another one has locked, or over the whole job. A killed instance gives its locks back at once,
// and no clock is asked. What goes on outside the database outlasts a transaction, so it is taken for a time: the feed
// of Kafka (app/events), payments (app/payments), letters (db/letters), deliveries of webhooks (db/webhooks).
package jobs

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"
)

// Job is one thing that is done again and again.
type Job struct {
	Name  string          // verb and object, "expire holds": of its figures, and of its log line with "failed"
	Alone string          // what has only one instance do it at a time; empty: all do
	Every time.Duration   // from the end of a run to the next
	Idle  time.Duration   // to which that grows while there is nothing to do; 0: it does not
	First time.Duration   // from the start to the first run
	Wake  <-chan struct{} // begins a run before its time; may be nil
	// Run does it once, and returns how much was done.
	Run func(ctx context.Context) (done int, err error)
	End func() // after the last run, to wait for what is under way; may be nil
}

// Runner runs jobs.
type Runner struct {
	Ran func(job string, took time.Duration, err error) // after each run; may be nil
	Log *slog.Logger
}

// Run runs jobs, each by itself, until ctx ends and their last runs have.
func (r Runner) Run(ctx context.Context, jobs ...Job) {
	var running sync.WaitGroup
	for _, job := range jobs {
		running.Go(func() { r.repeat(ctx, job) })
	}
	running.Wait()
}

func (r Runner) repeat(ctx context.Context, job Job) {
	if job.End != nil {
		defer job.End()
	}
	pause := job.Every
	for Rest(ctx, job.Wake, job.First); ctx.Err() == nil; Rest(ctx, job.Wake, pause) {
		done, err := r.once(ctx, job)
		switch {
		case done > 0 || job.Idle == 0:
			pause = job.Every
		case err != nil:
			pause = job.Idle
		default:
			pause = min(2*pause, job.Idle)
		}
	}
}

// once runs a job. What fails because ctx ends is no failure.
func (r Runner) once(ctx context.Context, job Job) (done int, err error) {
	begun := time.Now()
	if done, err = rescued(ctx, job.Run); ctx.Err() != nil {
		return done, err
	}
	if r.Ran != nil {
		r.Ran(job.Name, time.Since(begun), err)
	}
	if err != nil {
		r.Log.WarnContext(ctx, job.Name+" failed", "error", err)
	}
	return done, err
}

// rescued makes a panic an error: a job that panics does not end the process.
func rescued(ctx context.Context, run func(context.Context) (int, error)) (done int, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return run(ctx)
}

// Rest waits for a while; less when woken or when ctx ends. wake may be nil.
func Rest(ctx context.Context, wake <-chan struct{}, pause time.Duration) {
	if pause == 0 {
		return
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-wake:
	case <-ctx.Done():
	}
}

// Always returns the Run of a job of which nobody counts what it does.
func Always(run func(ctx context.Context) error) func(context.Context) (int, error) {
	return func(ctx context.Context) (int, error) { return 0, run(ctx) }
}

// InSteps returns the Run of a job that does at most so much in a step: it repeats the step until one does less, so for
// a most of 1 until one does nothing.
func InSteps(most int, step func(ctx context.Context, most int) (int, error)) func(context.Context) (int, error) {
	return func(ctx context.Context) (done int, err error) {
		for ctx.Err() == nil {
			n, err := step(ctx, most)
			if done += n; err != nil || n < most {
				return done, err
			}
		}
		return done, nil
	}
}
