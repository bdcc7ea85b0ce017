package team

import (
	"context"
	"slices"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/refusal"
)

// ErrLastOwner says that a restaurant would have no owner.
var ErrLastOwner = refusal.New(refusal.Conflict, "last_owner", "team: the last owner of a restaurant")

// Member is somebody who works at a restaurant.
type Member struct {
	UserID string        `json:"userId"`
	Name   string        `json:"name"`
	Email  string        `json:"email"`
	Role   identity.Role `json:"role"`
	Since  time.Time     `json:"since"`
}

// RoleChange gives a member of a restaurant another role, on behalf of an owner.
type RoleChange struct {
	By           string // user id
	RestaurantID int64
	UserID       string // of the member
	Role         identity.Role
}

// Removal takes a member from a restaurant's staff: on behalf of an owner, or of the member.
type Removal struct {
	By           string // user id
	RestaurantID int64
	UserID       string // of the member; By when they leave
}

// Service is what people do with a restaurant's team.
type Service struct {
	Store  Store
	Signer InvitationSigner
}

// List returns who works at a restaurant, and its open invitations, the newest first.
func (s *Service) List(ctx context.Context, by Staff, restaurantID int64) ([]Member, []Invitation, error) {
	if err := by.Check(restaurantID, SeeTeam); err != nil {
		return nil, nil, err
	}
	members, err := s.Store.ListMembers(ctx, restaurantID)
	if err != nil {
		return nil, nil, err
	}
	invitations, err := s.Store.ListInvitations(ctx, restaurantID)
	return members, invitations, err
}

// ChangeRole gives a member another role. Returns *booking.InvalidError for an unknown role, and the errors of the
// store.
func (s *Service) ChangeRole(ctx context.Context, by Staff, restaurantID int64, userID string,
	role identity.Role) error {
	if err := by.Check(restaurantID, ManageTeam); err != nil {
		return err
	}
	if fault := checkRole(role); fault != nil {
		return &booking.InvalidError{Fields: fault}
	}
	return s.Store.ChangeRole(ctx, RoleChange{By: by.UserID(), RestaurantID: restaurantID, UserID: userID,
		Role: role})
}

// Remove takes a member from the staff. Everybody may leave; to remove others takes an owner. Returns the errors of the
// store.
func (s *Service) Remove(ctx context.Context, by Staff, restaurantID int64, userID string) error {
	action := ManageTeam
	if userID == by.UserID() {
		action = SeeEvening // which every role may
	}
	if err := by.Check(restaurantID, action); err != nil {
		return err
	}
	return s.Store.RemoveMember(ctx, Removal{By: by.UserID(), RestaurantID: restaurantID, UserID: userID})
}

func checkRole(role identity.Role) []booking.FieldError {
	if slices.Contains(Roles(), role) {
		return nil
	}
	return []booking.FieldError{{Field: "role", Reason: "unknown"}}
}
