package program

import (
	"context"

	"lunchgo/app/web/ops"
	"lunchgo/db"
)

// timed has every call to the backends timed.
func timed(b Backends) *ops.BackendMetrics {
	calls := ops.NewBackendMetrics()
	b.DB.Observe(calls.Database)
	b.Redis.AddHook(calls)
	return calls
}

func backlogOf(d *db.DB) func(context.Context) (ops.Backlog, error) {
	return func(ctx context.Context) (ops.Backlog, error) {
		b, err := d.Backlog(ctx)
		return ops.Backlog(b), err
	}
}
