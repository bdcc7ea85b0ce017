package reserve

import (
	"context"
	"errors"
	"maps"
	"slices"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
)

// Action is something that staff do at their restaurant.
type Action string

// What staff can do.
const (
	SeeEvening       Action = "see_evening"
	MarkGuest        Action = "mark_guest"
	CancelWithRefund Action = "cancel_with_refund"
	OpenCloseSlot    Action = "open_close_slot"
	ChangeCapacity   Action = "change_capacity"
	ChangeStock      Action = "change_stock"
)

// lowestRole is the lowest role that may take an action: a host runs the evening, a manager decides what is sold besides.
var lowestRole = map[Action]identity.Role{
	SeeEvening:       identity.RoleHost,
	MarkGuest:        identity.RoleHost,
	CancelWithRefund: identity.RoleHost,
	OpenCloseSlot:    identity.RoleHost,
	ChangeCapacity:   identity.RoleHost,
	ChangeStock:      identity.RoleManager,
}

// Actions are all of them, in no order.
func Actions() []Action { return slices.Collect(maps.Keys(lowestRole)) }

// ranks are the roles; each may do what the ones before it may.
var ranks = []identity.Role{identity.RoleHost, identity.RoleManager, identity.RoleOwner}

// May says whether a role allows an action; an unknown role allows none.
func May(role identity.Role, action Action) bool {
	lowest, known := lowestRole[action]
	return known && slices.Index(ranks, role) >= slices.Index(ranks, lowest)
}

// Members finds where somebody works; identity.Store does.
type Members interface {
	ListMemberships(ctx context.Context, userID string) ([]identity.Membership, error)
}

// Staff is somebody at a restaurant for which they work. Only the lookup of a membership makes one: the zero value may do
// nothing.
type Staff struct {
	userID     string
	membership identity.Membership
}

// May says whether they may take an action at their restaurant.
func (by Staff) May(action Action) bool { return May(by.membership.Role, action) }

// check returns ErrNotFound for another restaurant than theirs, so that ids tell nothing, and ErrForbidden for what their
// role does not allow.
func (by Staff) check(restaurantID int64, action Action) error {
	switch {
	case by.userID == "" || by.membership.RestaurantID != restaurantID:
		return booking.ErrNotFound
	case !by.May(action):
		return booking.ErrForbidden
	}
	return nil
}

// Staff returns somebody as staff of a restaurant. Returns ErrNotFound when they do not work there.
func (s *Service) Staff(ctx context.Context, userID string, restaurantID int64) (Staff, error) {
	memberships, err := s.Members.ListMemberships(ctx, userID)
	if err != nil && !errors.Is(err, identity.ErrNotFound) {
		return Staff{}, err
	}
	at := slices.IndexFunc(memberships, func(m identity.Membership) bool { return m.RestaurantID == restaurantID })
	if at < 0 {
		return Staff{}, booking.ErrNotFound
	}
	return Staff{userID: userID, membership: memberships[at]}, nil
}

// StaffOf returns a reservation, and somebody as staff of its restaurant. Returns ErrNotFound when there is none, or they do
// not work there.
func (s *Service) StaffOf(ctx context.Context, userID, reservationID string) (Staff, booking.Reservation, error) {
	res, err := s.Reservations.Find(ctx, reservationID)
	if err != nil {
		return Staff{}, booking.Reservation{}, err
	}
	by, err := s.Staff(ctx, userID, res.RestaurantID)
	if err != nil {
		return Staff{}, booking.Reservation{}, err
	}
	return by, res, nil
}
