package reviews

import (
	"context"

	"lunchgo/app/keyset"
	"lunchgo/app/team"
)

// Service is what diners, staff and operators do with reviews.
type Service struct {
	Store
	IsOperator team.IsOperator
}

// Write stores the review of a visit, as Store.Write. Returns *booking.InvalidError besides.
func (s *Service) Write(ctx context.Context, draft Draft) (Review, error) {
	draft, err := draft.Check()
	if err != nil {
		return Review{}, err
	}
	return s.Store.Write(ctx, draft)
}

// ListAtWork returns a page of a restaurant's reviews for its staff. Returns booking.ErrNotFound and
// booking.ErrForbidden by the table of rights.
func (s *Service) ListAtWork(ctx context.Context, by team.Staff, restaurantID int64, filter Filter,
	page keyset.Request) (keyset.Page[Review], error) {
	if err := by.Check(restaurantID, team.AnswerReviews); err != nil {
		return keyset.Page[Review]{}, err
	}
	return s.List(ctx, restaurantID, filter, page)
}

// Answer answers a review, as Store.Answer. Returns booking.ErrForbidden and *booking.InvalidError besides.
func (s *Service) Answer(ctx context.Context, by team.Staff, reviewID int64, text string) error {
	if err := by.Check(by.RestaurantID(), team.AnswerReviews); err != nil {
		return err
	}
	text, err := checkWords(FieldText, text, MaxText)
	if err != nil {
		return err
	}
	return s.Store.Answer(ctx, Answer{ReviewID: reviewID, RestaurantID: by.RestaurantID(), StaffID: by.UserID(),
		Text: text})
}

// Report reports a review, as Store.Report. Returns *booking.InvalidError besides.
func (s *Service) Report(ctx context.Context, reviewID int64, userID, reason string) error {
	reason, err := checkWords(FieldReason, reason, MaxReason)
	if err != nil {
		return err
	}
	return s.Store.Report(ctx, reviewID, userID, reason)
}

// ListReported returns what an operator has to decide, as Store.ListReported. Returns booking.ErrForbidden for others.
func (s *Service) ListReported(ctx context.Context, userID string, page keyset.Request) (keyset.Page[Reported],
	error) {
	if err := s.IsOperator.Check(ctx, userID); err != nil {
		return keyset.Page[Reported]{}, err
	}
	return s.Store.ListReported(ctx, page)
}

// Decide hides or keeps a review, as Store.Decide. Returns booking.ErrForbidden for who is no operator, and
// *booking.InvalidError.
func (s *Service) Decide(ctx context.Context, d Decision) error {
	if err := s.IsOperator.Check(ctx, d.OperatorID); err != nil {
		return err
	}
	var err error
	if d.Reason, err = checkWords(FieldReason, d.Reason, MaxReason); err != nil {
		return err
	}
	return s.Store.Decide(ctx, d)
}
