package team

import (
	"context"

	"lunchgo/app/keyset"
)

// Store keeps who works where, invitations and the log. What changes staff looks again at who asks, under a lock of the
// restaurant's staff: somebody who was removed meanwhile changes nothing. An invitation comes with the letter that
// brings it.
type Store interface {
	// ListMembers returns the staff of a restaurant, owners first, then by how long they work there.
	ListMembers(ctx context.Context, restaurantID int64) ([]Member, error)
	// ChangeRole ends the open invitations of who is no owner any more. Returns booking.ErrNotFound,
	// booking.ErrForbidden, ErrLastOwner, identity.ErrDemoAccount for an account of the demonstration.
	ChangeRole(ctx context.Context, change RoleChange) error
	// RemoveMember ends the member's open invitations, too. Returns the errors of ChangeRole.
	RemoveMember(ctx context.Context, removal Removal) error

	// ListInvitations returns those of a restaurant that can be accepted, the newest first.
	ListInvitations(ctx context.Context, restaurantID int64) ([]Invitation, error)
	// Invite stores an invitation and its letter, in place of an earlier one to the address. Returns
	// booking.ErrNotFound or booking.ErrForbidden for who is no owner any more, ErrAlreadyMember,
	// ErrTooManyInvitations, *identity.LetterLimitError.
	Invite(ctx context.Context, n NewInvitation) (Invitation, error)
	// WithdrawInvitation ends one. Returns booking.ErrNotFound, booking.ErrForbidden.
	WithdrawInvitation(ctx context.Context, by string, restaurantID int64, id string) error
	// FindInvitation returns one that can be accepted. Returns identity.ErrLinkOver.
	FindInvitation(ctx context.Context, id string) (Invitation, error)
	// AcceptInvitation makes a user, whose address it is, a member, and the address a confirmed one: the letter has
	// reached them. Who works there already keeps their role. Returns identity.ErrLinkOver, ErrOtherAddress.
	AcceptInvitation(ctx context.Context, id, userID string) (Invitation, error)

	// ListEntries returns a page of a restaurant's log, the newest first.
	ListEntries(ctx context.Context, restaurantID int64, filter LogFilter, page keyset.Request) (keyset.Page[Entry],
		error)
	// ListActors returns who has acted at a restaurant, as members: those who have left are among them, without a role.
	ListActors(ctx context.Context, restaurantID int64) ([]Member, error)
	// ListAreas returns the areas of the acts at a restaurant, in the order of the alphabet.
	ListAreas(ctx context.Context, restaurantID int64) ([]string, error)
}
