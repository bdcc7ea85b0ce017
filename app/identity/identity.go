// Package identity says who somebody is: users and their passwords, signed sessions that are verified without a query,
// and which restaurants a user is staff of.
package identity

import (
	"context"
	"errors"
	"time"

	"lunchgo/app/refusal"
)

// What can go wrong with users and sessions.
var (
	ErrNotFound       = refusal.Unauthenticated.Because("identity: no such user")
	ErrEmailTaken     = errors.New("identity: e-mail address in use")
	ErrWrongPassword  = refusal.New(refusal.SignedOut, "wrong_password", "identity: wrong e-mail address or password")
	ErrInvalidSession = refusal.Unauthenticated.Because("identity: session invalid, expired or revoked")
	ErrUnconfirmed    = refusal.Unconfirmed.Because("identity: e-mail address not confirmed")
	ErrNoOperator     = refusal.NotFound.Because("identity: not another operator, or no operator asks")
	ErrNoInvitation   = refusal.NotFound.Because("identity: link used, expired or replaced by a later one")
	ErrBusy           = refusal.Declare(refusal.Refusal{Kind: refusal.TemporarilyUnfit, Code: "busy",
		Retry: refusal.UsualPause,
		Text:  "identity: too many sign-ins at once"})
)

// User is a person with a password.
type User struct {
	ID           string
	Email        string // lower case
	Name         string
	Phone        string
	PasswordHash string
	Language     string // in which they are written to, "ko" or "en"; Korean if empty
	CreatedAt    time.Time

	EmailConfirmed bool // letters to the address reach the user
	// Provisional is the account of somebody who booked at once, by name and address: the address may be another
	// account's, nobody signs in by it, and it has no password. Once confirmed, an address that no other account has
	// makes the account a usual one.
	Provisional    bool
	Demo           bool // of the demo: signs in only while the installation is one
	Operator       bool // publishes restaurants
	HistoryConsent bool // restaurants may keep notes and tags about the user

	Agrees Agreement // by the press that makes the account; not read again

	Allergies string // fill in the booking form; restaurants see what is sent with a booking only
	Texts     bool   // what cannot wait goes to the phone as well, where the installation sends texts
}

// Role is what a member of staff may do at a restaurant.
type Role string

// The roles, each may do what the ones after it may.
const (
	RoleOwner   Role = "owner"
	RoleManager Role = "manager"
	RoleHost    Role = "host"
)

// Membership makes a user staff of a restaurant.
type Membership struct {
	RestaurantID int64
	Role         Role
}

// Store keeps users and staff.
type Store interface {
	// SetLanguage notes in which language somebody is written to.
	SetLanguage(ctx context.Context, userID, language string) error
	// FindUser returns ErrNotFound if there is none with that id.
	FindUser(ctx context.Context, id string) (User, error)
	// FindUserByEmail returns ErrNotFound if there is none; the address is compared in lower case.
	FindUserByEmail(ctx context.Context, email string) (User, error)
	// ListMemberships returns the restaurants a user is staff of, by id.
	ListMemberships(ctx context.Context, userID string) ([]Membership, error)
}
