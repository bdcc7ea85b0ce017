package events

import (
	"context"
	"log/slog"
	"time"
)

// Announcer has the events written of slots that sold out or have seats again. All processes run one.
type Announcer struct {
	Store Store
	Every time.Duration // while seats are taken or come free; up to ten times that else
	Log   *slog.Logger
}

// Run announces until ctx ends.
func (a Announcer) Run(ctx context.Context) {
	for pause := a.Every; ctx.Err() == nil; rest(ctx, nil, pause) {
		n, err := a.Store.AnnounceSlots(ctx)
		switch {
		case err != nil && ctx.Err() == nil:
			a.Log.WarnContext(ctx, "announce sold-out slots failed", "error", err)
			pause = 10 * a.Every
		case n > 0:
			pause = a.Every
		default:
			pause = min(2*pause, 10*a.Every)
		}
	}
}

// rest waits for a while; less when a hint comes or ctx ends.
func rest(ctx context.Context, hints <-chan struct{}, pause time.Duration) {
	if pause == 0 {
		return
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-hints:
	case <-ctx.Done():
	}
}
