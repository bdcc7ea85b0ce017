package mail

import (
	"context"
	"time"

	"lunchgo/app/jobs"
)

// trimmed is the most letters that are deleted at once.
const trimmed = 1_000

// KeepStore keeps the letters that were noted, sent or not.
type KeepStore interface {
	// TrimMails deletes up to limit letters that were noted before an age, and returns how many. A lower number says
	// that no others are left.
	TrimMails(ctx context.Context, age time.Duration, limit int) (int, error)
}

// Trimming returns the job that deletes letters which were kept long enough; none if they are kept for ever. What is
// still to be sent after so long is out of date.
func Trimming(store KeepStore, keep, every time.Duration) []jobs.Job {
	if keep == 0 {
		return nil
	}
	return []jobs.Job{{Name: "trim letters", Every: every, Run: jobs.InSteps(trimmed,
		func(ctx context.Context, most int) (int, error) { return store.TrimMails(ctx, keep, most) })}}
}
