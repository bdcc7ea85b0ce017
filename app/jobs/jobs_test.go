package jobs_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"lunchgo/app/jobs"
)

// play runs a job for a while of a bubble's time, and returns when its runs began, and what was logged. run gets the
// number of the run, and what wakes the job.
func play(t *testing.T, job jobs.Job, long time.Duration,
	run func(n int, wake chan<- struct{}) (int, error)) (at []time.Duration, log string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		wake := make(chan struct{}, 1)
		job.Wake = wake
		var written strings.Builder
		start, ran := time.Now(), 0
		ctx, stop := context.WithCancel(t.Context())
		job.Run = func(context.Context) (int, error) {
			at = append(at, time.Since(start))
			return run(len(at), wake)
		}
		runner := jobs.Runner{Log: slog.New(slog.NewTextHandler(&written, nil)),
			Ran: func(string, time.Duration, error) { ran++ }}
		ended := make(chan struct{})
		go func() { defer close(ended); runner.Run(ctx, job) }()
		time.Sleep(long)
		stop()
		<-ended
		if log = written.String(); ran != len(at) {
			t.Errorf("%d runs of %d are counted", ran, len(at))
		}
	})
	return at, log
}

func wantTimes(t *testing.T, got []time.Duration, want ...time.Duration) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("runs at %v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("runs at %v, want %v", got, want)
		}
	}
}

func TestRunner_KeepsThePace(t *testing.T) {
	t.Parallel()
	job := jobs.Job{Name: "count", First: 3 * time.Second, Every: 10 * time.Second}
	at, _ := play(t, job, 25*time.Second, func(int, chan<- struct{}) (int, error) { return 0, nil })
	wantTimes(t, at, 3*time.Second, 13*time.Second, 23*time.Second)
}

// Pauses grow while there is nothing to do, and are short again once there is.
func TestRunner_RestsWhileIdle(t *testing.T) {
	t.Parallel()
	job := jobs.Job{Name: "count", Every: time.Second, Idle: 3 * time.Second}
	at, _ := play(t, job, 10*time.Second, func(n int, _ chan<- struct{}) (int, error) {
		if n == 3 {
			return 1, nil
		}
		return 0, nil
	})
	wantTimes(t, at, 0, 2*time.Second, 5*time.Second, 6*time.Second, 8*time.Second)
}

// A job that fails, or panics, says so and runs again.
func TestRunner_GoesOnAfterFailures(t *testing.T) {
	t.Parallel()
	at, log := play(t, jobs.Job{Name: "count sheep", Every: time.Second}, 2500*time.Millisecond,
		func(n int, _ chan<- struct{}) (int, error) {
			if n == 1 {
				panic("no sheep")
			}
			return 0, errors.New("asleep")
		})
	wantTimes(t, at, 0, time.Second, 2*time.Second)
	if strings.Count(log, `msg="count sheep failed"`) != 3 || !strings.Contains(log, "no sheep") ||
		strings.Count(log, "asleep") != 2 {
		t.Errorf("logged %s", log)
	}
}

func TestRunner_WakesBeforeTime(t *testing.T) {
	t.Parallel()
	job := jobs.Job{Name: "count", Every: time.Hour}
	at, _ := play(t, job, time.Minute, func(n int, wake chan<- struct{}) (int, error) {
		if n == 1 {
			time.AfterFunc(time.Second, func() { wake <- struct{}{} })
		}
		return 0, nil
	})
	wantTimes(t, at, 0, time.Second)
}

func TestInSteps_RepeatsFullSteps(t *testing.T) {
	t.Parallel()
	left, steps := 25, 0
	done, err := jobs.InSteps(10, func(_ context.Context, most int) (int, error) {
		steps++
		n := min(left, most)
		left -= n
		return n, nil
	})(t.Context())
	if done != 25 || steps != 3 || err != nil {
		t.Errorf("%d done in %d steps, %v", done, steps, err)
	}
}
