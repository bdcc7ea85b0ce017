package program

import (
	"context"

	"lunchgo/app/web/ops"
	"lunchgo/db/backlog"
	"lunchgo/db/pg"
)

// timed has every call to the backends timed.
func timed(b Backends) *ops.BackendMetrics {
	calls := ops.NewBackendMetrics()
	b.DB.Observe(calls.Database)
	b.Redis.AddHook(calls)
	return calls
}

func backlogOf(d *pg.Pool) func(context.Context) (ops.Backlog, error) {
	return func(ctx context.Context) (ops.Backlog, error) {
		b, err := backlog.Read(ctx, d)
		return ops.Backlog(b), err
	}
}
