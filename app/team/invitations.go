package team

import (
	"context"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/refusal"
	"lunchgo/app/token"
)

// Why somebody is not invited, or cannot accept.
var (
	ErrAlreadyMember = refusal.Declare(refusal.Refusal{Kind: refusal.Conflict, Code: "already_member", Field: "email",
		Text: "team: works there already"})
	ErrTooManyInvitations = refusal.Declare(refusal.Refusal{Kind: refusal.Conflict, Code: "too_many_invitations",
		Field: "email",
		Text:  "team: too many open invitations"})
	ErrOtherAddress = refusal.New(refusal.NotAllowed, "other_address", "team: the invitation is for another address")
)

// Bounds of invitations.
const (
	InvitationLife = 7 * 24 * time.Hour
	MaxInvitations = 20 // that are open, of a restaurant
	LettersADay    = 50 // with invitations, of a restaurant
	LettersTo      = 5  // a day with invitations to one address, of all restaurants
)

// Invitation is an offer of a role at a restaurant to whoever has an address. It does not say whether anybody has an
// account.
type Invitation struct {
	ID           string        `json:"id"`
	RestaurantID int64         `json:"-"`
	Restaurant   booking.Text  `json:"-"`
	Email        string        `json:"email"`
	Role         identity.Role `json:"role"`
	InvitedBy    string        `json:"invitedBy"` // the name of who sent it
	CreatedAt    time.Time     `json:"createdAt"`
	ExpiresAt    time.Time     `json:"expiresAt"`
}

// NewInvitation is what an owner says of an invitation.
type NewInvitation struct {
	By           string // user id
	RestaurantID int64
	Email        string
	Role         identity.Role
	Language     string // of the letter, "ko" or "en"
}

// InvitationSigner signs the ids of invitations. Every server process must have the same key.
type InvitationSigner struct{ signer token.Signer }

// NewInvitationSigner derives the signing keys from the installation's secrets.
func NewInvitationSigner(secrets token.Secrets) InvitationSigner {
	return InvitationSigner{token.NewSigner(secrets, "lunchgo staff invitation v1", token.Long)}
}

// Sign returns the token of an invitation, safe in a URL.
func (s InvitationSigner) Sign(id string) string { return s.signer.Sign(id) }

// Invite writes to an address with an invitation. Returns *booking.InvalidError, and the errors of the store.
func (s *Service) Invite(ctx context.Context, by Staff, n NewInvitation) (Invitation, error) {
	if err := by.Check(n.RestaurantID, ManageTeam); err != nil {
		return Invitation{}, err
	}
	n.By, n.Email = by.UserID(), identity.NormalEmail(n.Email)
	faults := checkRole(n.Role)
	if !identity.IsEmail(n.Email) {
		faults = append(faults, booking.FieldError{Field: "email", Reason: "invalid_email"})
	}
	if len(faults) > 0 {
		return Invitation{}, &booking.InvalidError{Fields: faults}
	}
	return s.Store.Invite(ctx, n)
}

// Withdraw ends an invitation. Returns the errors of the store.
func (s *Service) Withdraw(ctx context.Context, by Staff, restaurantID int64, id string) error {
	if err := by.Check(restaurantID, ManageTeam); err != nil {
		return err
	}
	return s.Store.WithdrawInvitation(ctx, by.UserID(), restaurantID, id)
}

// FindInvitation returns the invitation of a token. It changes nothing. Returns identity.ErrLinkOver.
func (s *Service) FindInvitation(ctx context.Context, signed string) (Invitation, error) {
	id, ok := s.Signer.signer.Verify(signed)
	if !ok {
		return Invitation{}, identity.ErrLinkOver
	}
	return s.Store.FindInvitation(ctx, id)
}

// Accept makes a user a member by the token of an invitation. Returns identity.ErrLinkOver, ErrOtherAddress.
func (s *Service) Accept(ctx context.Context, signed, userID string) (Invitation, error) {
	id, ok := s.Signer.signer.Verify(signed)
	if !ok {
		return Invitation{}, identity.ErrLinkOver
	}
	return s.Store.AcceptInvitation(ctx, id, userID)
}
