package team

import (
	"context"
	"errors"
	"slices"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
)

// Memberships finds where somebody works; identity.Store does.
type Memberships interface {
	ListMemberships(ctx context.Context, userID string) ([]identity.Membership, error)
}

// Staff is somebody at a restaurant for which they work. Only Find makes one: the zero value may do nothing.
type Staff struct {
	userID     string
	membership identity.Membership
}

// Find returns somebody as staff of a restaurant. Returns booking.ErrNotFound when they do not work there.
func Find(ctx context.Context, known Memberships, userID string, restaurantID int64) (Staff, error) {
	memberships, err := known.ListMemberships(ctx, userID)
	if err != nil && !errors.Is(err, identity.ErrNotFound) {
		return Staff{}, err
	}
	at := slices.IndexFunc(memberships, func(m identity.Membership) bool { return m.RestaurantID == restaurantID })
	if at < 0 {
		return Staff{}, booking.ErrNotFound
	}
	return Staff{userID: userID, membership: memberships[at]}, nil
}

// UserID is the member's account; the audit log names it.
func (by Staff) UserID() string { return by.userID }

// RestaurantID is where they work.
func (by Staff) RestaurantID() int64 { return by.membership.RestaurantID }

// Role is theirs at the restaurant.
func (by Staff) Role() identity.Role { return by.membership.Role }

// May says whether they may take an action at their restaurant.
func (by Staff) May(action Action) bool { return May(by.membership.Role, action) }

// Check returns booking.ErrNotFound for another restaurant than theirs, so that ids tell nothing, and
// booking.ErrForbidden for what their role does not allow.
func (by Staff) Check(restaurantID int64, action Action) error {
	switch {
	case by.userID == "" || by.membership.RestaurantID != restaurantID:
		return booking.ErrNotFound
	case !by.May(action):
		return booking.ErrForbidden
	}
	return nil
}
