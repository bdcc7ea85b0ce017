package coupon

import (
	"context"
	"slices"
	"time"
)

// Turn is the right to decide over a campaign: which, and the line's fence.
type Turn struct {
	CouponID int64
	Fence    int64
}

// Store keeps campaigns and claims.
type Store interface {
	// List returns the campaigns whose coupons can still be got or used, the next to end first.
	List(ctx context.Context) ([]Campaign, error)
	// Find returns ErrNotFound if there is none with that id.
	Find(ctx context.Context, id int64) (Campaign, error)
	// Serve decides a run of requests for one campaign in one transaction: locks the campaign, refuses a fence lower
	// than one served before (ErrStaleFence), decides with Decide, and stores what was decided. Returns ErrNotFound.
	Serve(ctx context.Context, turn Turn, run []Request) ([]Outcome, Campaign, error)
	// ListHeld returns a person's coupons, the newest first.
	ListHeld(ctx context.Context, userID string) ([]Held, error)
	// FindClaim returns ErrNotFound if there is none with that id.
	FindClaim(ctx context.Context, id string) (Claim, error)
	// FindClaims returns the coupons that persons have of campaigns, whatever the keys of the requests.
	FindClaims(ctx context.Context, asked []Request) ([]Claim, error)
	// FindClaimByTicket returns the coupon that a ticket of the line was given, or ErrNotFound.
	FindClaimByTicket(ctx context.Context, ticket string) (Claim, error)
}

// Service is what diners can do with coupons.
type Service struct {
	Store
	Now    func() time.Time
	recent *recent
}

// NewService returns the campaigns of a store, open and over by a clock.
func NewService(store Store, now func() time.Time) *Service {
	return &Service{Store: store, Now: now, recent: newRecent()}
}

// List returns the campaigns that are not over yet, as they were a moment ago.
func (s *Service) List(ctx context.Context) ([]Campaign, error) {
	all, err := s.all(ctx)
	now := s.Now()
	return slices.DeleteFunc(all, func(c Campaign) bool { return c.StateAt(now) == Over }), err
}

func (s *Service) all(ctx context.Context) ([]Campaign, error) {
	return s.recent.list(ctx, s.Store.List)
}

// Look returns a campaign as it was a moment ago; one that is sold out stays so. Returns ErrNotFound.
func (s *Service) Look(ctx context.Context, id int64) (Campaign, error) {
	all, err := s.all(ctx)
	if err != nil {
		return Campaign{}, err
	}
	for _, c := range all {
		if c.ID == id {
			return c, nil
		}
	}
	return s.Find(ctx, id)
}

// Serve is Store.Serve; what it leaves is known at once.
func (s *Service) Serve(ctx context.Context, turn Turn, run []Request) ([]Outcome, Campaign, error) {
	outcomes, after, err := s.Store.Serve(ctx, turn, run)
	if err == nil {
		s.recent.note(after)
	}
	return outcomes, after, err
}
