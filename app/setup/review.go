package setup

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"lunchgo/app/booking"
)

// MaxRefusal is the length of the reason for which a draft is sent back, in runes.
const MaxRefusal = 500

// Refusal is an operator's answer to an owner who asks for a restaurant to be published.
type Refusal struct {
	RestaurantID int64
	OperatorID   string
	Reason       string
}

// ChangedPart is a part of a set-up that staff have changed since a moment.
type ChangedPart struct {
	Action string    // of the audit log, e.g. "setup.menu"
	Last   time.Time // that it was
	Times  int
}

// Review is a draft as an operator judges it.
type Review struct {
	State
	Checks  []booking.Contradiction
	Changed []ChangedPart // since the owner asked for it to be published, the latest first
}

// Review returns a draft for an operator. Returns booking.ErrForbidden, and booking.ErrNotFound for what is no draft.
func (s *Service) Review(ctx context.Context, userID string, restaurantID int64) (Review, error) {
	if err := s.IsOperator.Check(ctx, userID); err != nil {
		return Review{}, err
	}
	state, err := s.Store.FindSetup(ctx, restaurantID)
	if err == nil && !state.Restaurant.Draft {
		err = booking.ErrNotFound
	}
	if err != nil {
		return Review{}, err
	}
	review := Review{State: state, Checks: s.Checks(state)}
	if !state.SubmittedAt.IsZero() {
		review.Changed, err = s.Store.ListChangedParts(ctx, restaurantID, state.SubmittedAt)
	}
	return review, err
}

// Refuse sends a draft back to its owner, who reads the reason in a letter and in the set-up, and can ask again.
// Returns booking.ErrForbidden, *booking.InvalidError without a reason or with one that is too long, and
// booking.ErrNotFound for a draft that was not submitted.
func (s *Service) Refuse(ctx context.Context, r Refusal) error {
	if err := s.IsOperator.Check(ctx, r.OperatorID); err != nil {
		return err
	}
	var f wrongs
	r.Reason = f.readText("reason", r.Reason, MaxRefusal)
	f.add(utf8.RuneCountInString(strings.TrimSpace(r.Reason)) == 0, "reason", "required")
	if err := f.err(); err != nil {
		return err
	}
	return s.Store.Refuse(ctx, r)
}
