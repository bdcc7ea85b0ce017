package identity

import (
	"context"
	"crypto/rand"
	"strings"
	"time"

	"lunchgo/app/refusal"
)

// Why a provider's word signs nobody in.
var (
	ErrNoAddress       = refusal.New(refusal.Conflict, "no_address", "identity: the provider says no e-mail address")
	ErrAddressUnproved = refusal.New(refusal.Conflict, "address_unproved",
		"identity: the address has an account that nobody has confirmed, or one of the demonstration")
)

// ErrLastWayIn says that nothing else would sign somebody in.
var ErrLastWayIn = refusal.New(refusal.Conflict, "last_way_in",
	"identity: no password, no confirmed address, no other provider")

// MaxSubject is how long a provider's name of somebody is at most, in bytes, by OpenID Connect Core 1.0, section 2.
const MaxSubject = 255

// Identity is who somebody is at a provider of sign-ins: its name of them, which it never gives to another.
type Identity struct {
	Issuer  string // of the provider, an address
	Subject string
}

// Claims are what a provider says of somebody who has just signed in there.
type Claims struct {
	Identity
	Email         string
	EmailVerified bool // it is theirs; the provider made sure
	Name, Phone   string
	Language      string // of letters, see User
	Agrees        Agreement
}

// Linked is a provider that signs somebody in.
type Linked struct {
	Issuer string
	Since  time.Time
}

// IdentityStore keeps who people are at providers.
type IdentityStore interface {
	// EnterByIdentity returns the id of the account that an identity opens. A new identity opens the account of the
	// user's address from now on, if that is confirmed, or the user where nobody has it. A user whose address is not
	// confirmed it opens as LinkStore.Introduce makes them: whoever has the address stays as they are. Returns
	// ErrNoAddress for a new one of a user without an address, ErrAddressUnproved where the address's own account is not
	// confirmed: who made it may have typed an address that is not theirs.
	EnterByIdentity(ctx context.Context, of Identity, u User) (userID string, err error)
	// ListIdentities returns which providers sign a user in, each once, the first one first.
	ListIdentities(ctx context.Context, userID string) ([]Linked, error)
	// EndIdentity has a provider sign a user in no more; without effect where it does not. Returns ErrLastWayIn.
	EndIdentity(ctx context.Context, userID, issuer string) error
}

// SignInByClaims signs in whoever a provider has just signed in; a stranger gets an account. The caller has verified
// the claims. Returns ErrNoAddress, ErrAddressUnproved.
func (s *Service) SignInByClaims(ctx context.Context, c Claims) (token string, session Session, err error) {
	id, err := s.Identities.EnterByIdentity(ctx, c.Identity, c.user())
	if err != nil {
		return "", Session{}, err
	}
	token, session = s.Sessions.Issue(id)
	return token, session, nil
}

// user is the account that a stranger gets. What the provider says has to pass the rules of a sign-up; what does not is
// left for its owner to fill in.
func (c Claims) user() User {
	u := User{ID: rand.Text(), Name: NormalName(c.Name), Phone: strings.TrimSpace(c.Phone), Language: c.Language,
		Agrees: c.Agrees, Provisional: !c.EmailVerified}
	if email := NormalEmail(c.Email); IsEmail(email) {
		u.Email = email
	}
	if CheckName(u.Name) != "" {
		u.Name, _, _ = strings.Cut(u.Email, "@")
	}
	if !IsPhone(u.Phone) {
		u.Phone = ""
	}
	return u
}
