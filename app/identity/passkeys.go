package identity

import (
	"context"
	"time"

	"lunchgo/app/refusal"
)

// MaxPasskeys is how many passkeys an account has at most.
const MaxPasskeys = 10

// Why a passkey is not added.
var (
	ErrPasskeyTaken    = refusal.New(refusal.Conflict, "passkey_taken", "identity: the passkey is there already")
	ErrTooManyPasskeys = refusal.New(refusal.Conflict, "too_many_passkeys", "identity: the account has MaxPasskeys")
)

// Passkey signs its owner in: a key pair whose private half a device or a password manager keeps for this site.
type Passkey struct {
	ID             string // of the credential, base64url without padding
	UserID         string
	Name           string // as its owner calls it; may be empty
	PublicKey      []byte // COSE_Key, RFC 9052
	SignCount      uint32 // that its last signature carried; 0 where the authenticator does not count
	BackupEligible bool   // its private half may be on several devices
	CreatedAt      time.Time
	UsedAt         time.Time // last, when it was added at first
}

// PasskeyStore keeps passkeys.
type PasskeyStore interface {
	// AddPasskey stores a passkey of an account. Returns ErrTooManyPasskeys, ErrPasskeyTaken where any account has it,
	// ErrInvalidSession for an account that is deleted.
	AddPasskey(ctx context.Context, p Passkey) error
	// ListPasskeys returns those of an account, the first one first.
	ListPasskeys(ctx context.Context, userID string) ([]Passkey, error)
	// FindPasskey returns ErrNotFound if there is none with that id.
	FindPasskey(ctx context.Context, id string) (Passkey, error)
	// UsePasskey notes that a passkey has signed, and the count of that signature. It returns false, and notes nothing,
	// unless the count is above the stored one, or both are 0: the signature was used before, or the key was copied.
	UsePasskey(ctx context.Context, id string, signCount uint32) (rose bool, err error)
	// RemovePasskey is without effect for a passkey that is not the account's. Returns ErrLastWayIn.
	RemovePasskey(ctx context.Context, userID, id string) error
}
