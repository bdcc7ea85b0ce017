package reserve

import (
	"context"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/jobs"
)

// sweepBatch is the most reservations that one step changes; a sweep repeats its steps until nothing is left.
const sweepBatch = 500

// writeAfter is how long after a hold was made its diner, who has not seen it, is written to: it takes another process
// a moment to note that they were watching there.
const writeAfter = 3 * time.Second

// Sweeper expires holds that were not paid, or seen, in time, writes to those who have not seen theirs, pays out
// pending refunds and completes stays that have ended.
type Sweeper struct {
	Reservations ReservationStore
	Availability Availability
}

// Jobs returns the jobs of a sweeper. Rows that another instance has locked are passed over.
func (s Sweeper) Jobs(every time.Duration) []jobs.Job {
	return []jobs.Job{
		{Name: "expire holds", Every: every, Run: s.sweep(s.Reservations.ExpireHolds)},
		{Name: "write unseen-hold mails", Every: every, Run: jobs.Always(func(ctx context.Context) error {
			return s.Reservations.WriteToUnseen(ctx, writeAfter)
		})},
		{Name: "settle refunds", Every: every, Run: s.sweep(s.Reservations.SettleRefunds)},
		{Name: "complete stays", Every: every, Run: s.sweep(s.Reservations.CompleteStays)},
	}
}

// sweep returns the Run of a job that repeats a step until it changes nothing.
func (s Sweeper) sweep(step func(context.Context, int) ([]booking.SlotKey, error)) func(context.Context) (int, error) {
	return jobs.InSteps(1, func(ctx context.Context, _ int) (int, error) {
		slots, err := step(ctx, sweepBatch)
		for _, slot := range slots {
			s.Availability.Changed(slot)
		}
		return len(slots), err
	})
}
