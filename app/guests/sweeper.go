package guests

import (
	"context"
	"log/slog"
	"time"
)

// forgetBatch is how many notes, and tagged guests, one step of a sweep deletes at most.
const forgetBatch = 500

// Sweeper deletes notes and tags whose time is over. Several instances may run one each.
type Sweeper struct {
	Store Store
	Every time.Duration
	Log   *slog.Logger
}

// Run sweeps until ctx ends.
func (s Sweeper) Run(ctx context.Context) {
	ticker := time.NewTicker(s.Every)
	defer ticker.Stop()
	for {
		s.sweep(ctx)
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
	}
}

func (s Sweeper) sweep(ctx context.Context) {
	for {
		forgotten, err := s.Store.Forget(ctx, forgetBatch)
		if err != nil && ctx.Err() == nil {
			s.Log.WarnContext(ctx, "delete expired notes failed", "error", err)
		}
		if err != nil || forgotten == 0 {
			return
		}
	}
}
