package reserve

import (
	"context"
	"log/slog"
	"time"

	"lunchgo/app/booking"
)

// sweepBatch is the most reservations that one step changes; a sweep repeats its steps until nothing is left.
const sweepBatch = 500

// writeAfter is how long after a hold was made its diner, who has not seen it, is written to: it takes another process
// a moment to note that they were watching there.
const writeAfter = 3 * time.Second

// Sweeper expires holds that were not paid, or seen, in time, writes to those who have not seen theirs, pays out
// pending refunds and completes stays that have ended. Several instances may run one each.
type Sweeper struct {
	Reservations ReservationStore
	Availability Availability
	Every        time.Duration
	Log          *slog.Logger
}

// Run sweeps until ctx ends.
func (s Sweeper) Run(ctx context.Context) {
	ticker := time.NewTicker(s.Every)
	defer ticker.Stop()
	for {
		s.sweep(ctx, "holds", s.Reservations.ExpireHolds)
		if err := s.Reservations.WriteToUnseen(ctx, writeAfter); err != nil && ctx.Err() == nil {
			s.Log.WarnContext(ctx, "write unseen-hold mails failed", "error", err)
		}
		s.sweep(ctx, "refunds", s.Reservations.SettleRefunds)
		s.sweep(ctx, "stays", s.Reservations.CompleteStays)
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
	}
}

func (s Sweeper) sweep(ctx context.Context, what string, step func(context.Context, int) ([]booking.SlotKey, error)) {
	for ctx.Err() == nil {
		slots, err := step(ctx, sweepBatch)
		if err != nil {
			if ctx.Err() == nil {
				s.Log.WarnContext(ctx, "sweep failed", "of", what, "error", err)
			}
			return
		}
		if len(slots) == 0 {
			return
		}
		for _, slot := range slots {
			s.Availability.Changed(slot)
		}
	}
}
