package events

import (
	"context"
	"time"

	"lunchgo/app/jobs"
)

// swept is the most events that are deleted at once.
const swept = 1_000

// Trimming returns the job that deletes events that were kept long enough for a replay, from when they were written;
// also where only webhooks take events.
func Trimming(store Store, keep, every time.Duration) jobs.Job {
	return jobs.Job{Name: "trim outbox", Every: every, Run: jobs.InSteps(swept,
		func(ctx context.Context, most int) (int, error) { return store.Trim(ctx, keep, most) })}
}
