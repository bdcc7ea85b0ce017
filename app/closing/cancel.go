package closing

import (
	"context"
	"errors"
	"slices"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/jobs"
	"lunchgo/app/refusal"
)

// Pace of cancellations.
const (
	batch       = 20              // that one step of the job takes
	patience    = 3 * time.Second // how long whoever closes a day waits for its cancellations
	maxAttempts = 8
)

// unavailable is the failure of a cancellation that could not be made for a long time.
const unavailable = "unavailable"

// Jobs returns the job that goes on with cancellations that nobody waits for any more.
func (s *Service) Jobs(every time.Duration) []jobs.Job {
	return []jobs.Job{{Name: "cancel reservations of closed days", First: every, Every: every, Idle: 30 * every,
		Run: jobs.InSteps(batch, func(ctx context.Context, most int) (int, error) { return s.step(ctx, 0, most) })}}
}

// cancelNow makes the cancellations of a restaurant, one by one, until none is due, one fails, or its time is over. All
// are noted: the job goes on.
func (s *Service) cancelNow(ctx context.Context, restaurantID int64) {
	for until := time.Now().Add(patience); time.Now().Before(until); {
		if n, err := s.step(ctx, restaurantID, 1); n == 0 || err != nil {
			return
		}
	}
}

// step makes up to most of the cancellations that are due, and returns how many that were. One that cannot be made at
// the moment stays for the next attempt.
func (s *Service) step(ctx context.Context, restaurantID int64, most int) (int, error) {
	tasks, err := s.Store.Take(ctx, restaurantID, s.Now(), most)
	for _, task := range tasks {
		err = errors.Join(err, s.cancel(ctx, task))
	}
	return len(tasks), err
}

// cancel makes a cancellation as whoever ordered it, while they may.
func (s *Service) cancel(ctx context.Context, task Task) error {
	by, err := s.Bookings.Staff(ctx, task.StaffID, task.RestaurantID)
	if errors.Is(err, booking.ErrNotFound) { // they have left the team
		err = booking.ErrForbidden
	}
	if err == nil {
		_, err = s.Bookings.CancelGuest(ctx, by, task.ReservationID, task.Reason)
	}
	if errors.Is(err, booking.ErrWrongState) {
		if res, found := s.Bookings.GuestByID(ctx, by, task.ReservationID); found == nil && isOver(res.State) {
			err = nil
		}
	}
	var refused *refusal.Refusal
	switch {
	case err == nil:
		return s.Store.Finish(ctx, task.ReservationID, Done, "")
	case errors.As(err, &refused) && !errors.Is(err, refusal.ErrUnavailable):
		return s.Store.Finish(ctx, task.ReservationID, Failed, refused.Code)
	case task.Attempts >= maxAttempts:
		return errors.Join(err, s.Store.Finish(ctx, task.ReservationID, Failed, unavailable))
	}
	return err
}

// isOver says whether a reservation came to nothing: an earlier attempt that was not noted, the guest, or the end of
// the hold did it.
func isOver(state booking.State) bool {
	return slices.Contains([]booking.State{booking.Cancelled, booking.RefundPending, booking.Refunded, booking.Expired},
		state)
}
