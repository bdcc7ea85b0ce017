package events

import (
	"context"
	"log/slog"
	"time"
)

// Sweeper deletes events that were kept long enough for a replay. All processes run one, also where only webhooks take
// events.
type Sweeper struct {
	Store Store
	Keep  time.Duration // from when they were written
	Every time.Duration
	Log   *slog.Logger
}

// swept is the most events that are deleted at once.
const swept = 1_000

// Run sweeps until ctx ends.
func (s Sweeper) Run(ctx context.Context) {
	for ; ctx.Err() == nil; rest(ctx, nil, s.Every) {
		for n := swept; n == swept; {
			var err error
			if n, err = s.Store.Trim(ctx, s.Keep, swept); err != nil && ctx.Err() == nil {
				s.Log.WarnContext(ctx, "trim outbox failed", "error", err)
			}
		}
	}
}
