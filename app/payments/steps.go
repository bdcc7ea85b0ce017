package payments

import (
	"context"
	"errors"
	"sync"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/jobs"
)

const (
	// atOnce is how many payments an instance takes steps of at the same time, of each kind: each waits for its provider.
	atOnce = 32
	// claimed is for how long no other instance takes the step of a payment: longer than a provider may take.
	claimed = time.Minute
	// lookEvery is how often an open window is looked after whose browser does not come back.
	lookEvery = 30 * time.Second
	// compareEvery is how often days are looked for that are to be compared.
	compareEvery = 10 * time.Minute
	// maxRest bounds the pause before an undecided step is tried again.
	maxRest = 10 * time.Minute
)

// Jobs returns the jobs of payments. The first captures, lets go and refunds, until the provider has decided. The
// second asks after windows that nobody comes back from: a provider that is silent about those delays no money. The
// third compares days that have passed with the provider's list.
func (s *Service) Jobs(every time.Duration) []jobs.Job {
	if s.Provider == nil {
		return nil
	}
	return []jobs.Job{{Name: "settle payments", Alone: "the claim of each payment, for a minute", Every: every,
		Wake: s.woken, Run: jobs.InSteps(atOnce, s.stepsOf(Moves))},
		{Name: "look up payments", Alone: "the claim of each payment, for a minute", Every: every,
			Run: jobs.InSteps(atOnce, s.stepsOf(LookUps))},
		s.compareJob(compareEvery)}
}

// stepsOf returns what takes due steps of a kind.
func (s *Service) stepsOf(kind Step) func(context.Context, int) (int, error) {
	return func(ctx context.Context, most int) (int, error) { return s.step(ctx, kind, most) }
}

// step takes the due steps of a kind of up to most payments and returns of how many.
func (s *Service) step(ctx context.Context, kind Step, most int) (int, error) {
	due, err := s.Store.Claim(ctx, kind, most, claimed)
	if err != nil {
		return 0, err
	}
	failed := make([]error, len(due))
	var steps sync.WaitGroup
	for i, p := range due {
		steps.Go(func() { failed[i] = s.stepOf(ctx, p) })
	}
	steps.Wait()
	return len(due), errors.Join(failed...)
}

// stepOf takes the due step of a payment. What the provider does not decide is tried again later.
func (s *Service) stepOf(ctx context.Context, p Due) error {
	err := errNoProvider
	if s.provider(p.Payment) != nil {
		err = s.next(ctx, p)
	}
	if errors.Is(err, ErrUnsure) || errors.Is(err, errNoProvider) {
		return s.Store.Rest(ctx, p, restAfter(p.Attempts))
	}
	return err
}

var errNoProvider = errors.New("payments: the provider of an earlier payment is not set any more")

// restAfter returns the pause after a step that was tried so often before: 2 s, then twice as long each time.
func restAfter(attempts int) time.Duration {
	return min(2*time.Second<<min(attempts, 10), maxRest)
}

func (s *Service) next(ctx context.Context, p Due) error {
	switch p.State {
	case Started, Authorised:
		return s.lookAfter(ctx, p)
	case Cancelled:
		return s.release(ctx, p)
	case Capturing:
		return s.capture(ctx, p)
	case Refunding:
		return s.refund(ctx, p.Payment)
	}
	return s.Store.Rest(ctx, p, 0)
}

// lookAfter asks after a window whose browser did not come back. It closes one that can pay nothing any more.
func (s *Service) lookAfter(ctx context.Context, p Due) error {
	settled, err := s.Settle(ctx, p.ID, "")
	if err != nil || settled.State != Started && settled.State != Authorised {
		return err
	}
	if p.Now.Before(p.ExpiresAt.Add(booking.LatePayment)) {
		return s.Store.Rest(ctx, p, lookEvery)
	}
	return s.Store.End(ctx, p.ID, End{State: Cancelled, Code: CodeExpired, Release: true})
}

// release has the provider let go of what is not taken.
func (s *Service) release(ctx context.Context, p Due) error {
	err := s.letGo(ctx, p.Payment)
	var refused *RefusedError
	if errors.As(err, &refused) { // there is nothing to let go of, which the record keeps
		err = nil
	}
	if err == nil {
		err = s.Store.Rest(ctx, p, 0)
	}
	return err
}

// letGo asks the provider to let go of a payment, and notes what it answers.
func (s *Service) letGo(ctx context.Context, p Payment) error {
	return s.note(ctx, p, "cancel", Report{Reference: p.Reference}, s.provider(p).Cancel(ctx, p))
}

// capture takes the money of a payment, or lets go of it when all of it is to go back before anybody tried.
func (s *Service) capture(ctx context.Context, p Due) error {
	if p.Returned == p.Amount && p.Attempts == 0 {
		err := s.letGo(ctx, p.Payment)
		if err == nil {
			err = s.Store.Uncaptured(ctx, p.ID)
		}
		return err
	}
	report, err := s.provider(p.Payment).Capture(ctx, p.Payment)
	err = s.note(ctx, p.Payment, "capture", report, err)
	var refused *RefusedError
	switch {
	case errors.As(err, &refused) && p.Returned == p.Amount: // also when it was let go of, which nobody noted
		return s.Store.Uncaptured(ctx, p.ID)
	case errors.As(err, &refused):
		slots, err := s.Store.RefuseCapture(ctx, p.ID, refused.Code)
		s.Refresh(slots)
		return err
	case err != nil:
		return err
	}
	return s.Store.Captured(ctx, p.ID, report)
}

// refund gives back what is to go back of a payment, each refund once.
func (s *Service) refund(ctx context.Context, p Payment) error {
	refunds, err := s.Store.ListRefunds(ctx, p.ID)
	if err != nil {
		return err
	}
	for _, refund := range refunds {
		report, err := s.provider(p).Refund(ctx, p, refund)
		err = s.note(ctx, p, "refund", report, err)
		var refused *RefusedError
		switch {
		case errors.As(err, &refused):
			err = s.Store.RefuseRefund(ctx, p.ID, refund, refused.Code)
		case err == nil:
			err = s.Store.Refunded(ctx, p.ID, refund)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
