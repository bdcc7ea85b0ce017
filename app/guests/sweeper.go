package guests

import (
	"context"
	"time"

	"lunchgo/app/jobs"
)

// forgetBatch is how many notes, and tagged guests, one step of a sweep deletes at most.
const forgetBatch = 500

// Jobs returns the job that deletes notes and tags whose time is over.
func Jobs(store Store, every time.Duration) []jobs.Job {
	return []jobs.Job{{Name: "delete expired notes", Every: every, Run: jobs.InSteps(1,
		func(ctx context.Context, _ int) (int, error) { return store.Forget(ctx, forgetBatch) })}}
}
