package setup

import (
	"context"

	"lunchgo/app/booking"
	"lunchgo/app/refusal"
	"lunchgo/app/team"
)

// Submission is an owner's request that a restaurant be published.
type Submission struct {
	RestaurantID int64
	StaffID      string
	Publish      bool // at once
}

// NotReadyError says which contradictions keep a restaurant from being published.
type NotReadyError struct {
	Found []booking.Contradiction `json:"checks"`
}

// ErrNotReady is what a *NotReadyError unwraps to.
var ErrNotReady = refusal.Declare(refusal.Refusal{Kind: refusal.Conflict, Code: "not_ready",
	New: func() error { return new(NotReadyError) }, Text: "setup: the rules of the restaurant contradict each other"})

func (e *NotReadyError) Unwrap() error { return ErrNotReady }

func (e *NotReadyError) Error() string {
	return ErrNotReady.Error()
}

// Submit asks for a restaurant to be published, and publishes it at once in a demonstration, or for an owner who is an
// operator of the installation. A repeat changes nothing. Returns booking.ErrForbidden, booking.ErrNotFound, and
// *NotReadyError.
func (s *Service) Submit(ctx context.Context, by team.Staff, restaurantID int64) (State, error) {
	if err := by.Check(restaurantID, team.Publish); err != nil {
		return State{}, err
	}
	state, err := s.Store.FindSetup(ctx, restaurantID)
	if err == nil {
		err = s.ready(state)
	}
	if err != nil || !state.Restaurant.Draft {
		return state, err
	}
	atOnce, err := s.PublishesAtOnce(ctx, by)
	if err != nil {
		return state, err
	}
	err = s.Store.Submit(ctx, Submission{RestaurantID: restaurantID, StaffID: by.UserID(), Publish: atOnce})
	if err != nil {
		return state, err
	}
	s.Forget(restaurantID, nil)
	return s.Store.FindSetup(ctx, restaurantID)
}

// Ready returns a *NotReadyError for a draft whose rules contradict each other, whoever publishes it, and
// booking.ErrNotFound. What was published once stays so.
func (s *Service) Ready(ctx context.Context, restaurantID int64) error {
	state, err := s.Store.FindSetup(ctx, restaurantID)
	if err != nil {
		return err
	}
	return s.ready(state)
}

func (s *Service) ready(state State) error {
	if found := s.Checks(state); state.Restaurant.Draft && booking.Blocks(found) {
		return &NotReadyError{Found: found}
	}
	return nil
}

// PublishesAtOnce returns whether somebody's restaurant needs no operator.
func (s *Service) PublishesAtOnce(ctx context.Context, by team.Staff) (bool, error) {
	if s.AtOnce {
		return true, nil
	}
	return s.IsOperator(ctx, by.UserID())
}
