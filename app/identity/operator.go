package identity

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"strconv"
	"strings"
	"time"

	"lunchgo/app/token"
)

// InvitationLife is how long a link that makes an operator is good for.
const InvitationLife = 24 * time.Hour

// OperatorStore keeps operators, and the invitation that makes one: one at most over all instances, by the hash of its
// token.
type OperatorStore interface {
	// InviteOperator stores an invitation for life in place of an earlier one, under the hash that belongs to when it
	// expires, which it returns. One that was stored a moment ago under such a hash stays: instances that start together
	// have the same. Returns zero, having stored nothing, when there is an operator, unless one invites.
	InviteOperator(ctx context.Context, byOperator bool, hash func(expires time.Time) []byte,
		life time.Duration) (time.Time, error)
	// FindInvitation returns ErrNoInvitation unless there is one with that hash which has not expired.
	FindInvitation(ctx context.Context, hash []byte) error
	// CreateOperator takes the invitation with that hash and stores the operator, whose address counts as confirmed;
	// both or neither. Returns ErrNoInvitation, ErrEmailTaken.
	CreateOperator(ctx context.Context, hash []byte, u User) error
	// ListOperators returns who they are, by name; those of the demo are among them.
	ListOperators(ctx context.Context) ([]User, error)
	// EndOperator takes from a user what one of the operators has, who stays one. Returns ErrNoOperator unless both are
	// operators, and not the same.
	EndOperator(ctx context.Context, userID, by string) error
}

// Operators makes the operators of an installation by links: a start prints that of the first, who invites others.
type Operators struct {
	Store  OperatorStore
	People *Service
	Signer token.Signer
}

// NewOperatorSigner returns what makes the tokens of Operators; the same in all instances.
func NewOperatorSigner(secrets token.Secrets) token.Signer {
	return token.NewSigner(secrets, "lunchgo first operator v1", token.Long)
}

// InviteFirst returns the token of a link that makes the first operator, once; it replaces that of an earlier start,
// unless that was a moment ago. Empty when there is an operator.
func (o *Operators) InviteFirst(ctx context.Context) (token string, err error) {
	return o.invite(ctx, false)
}

// InviteAnother returns the token of a link that makes one more operator, once; it replaces an earlier one.
func (o *Operators) InviteAnother(ctx context.Context) (token string, err error) {
	return o.invite(ctx, true)
}

func (o *Operators) invite(ctx context.Context, byOperator bool) (token string, err error) {
	tokenOf := func(expires time.Time) string { return o.Signer.Sign(strconv.FormatInt(expires.UnixMicro(), 36)) }
	expires, err := o.Store.InviteOperator(ctx, byOperator,
		func(expires time.Time) []byte { return hashOf(tokenOf(expires)) }, InvitationLife)
	if err != nil || expires.IsZero() {
		return "", err
	}
	return tokenOf(expires), nil
}

// Check returns ErrNoInvitation for a token that makes no operator.
func (o *Operators) Check(ctx context.Context, token string) error {
	return o.Store.FindInvitation(ctx, hashOf(token))
}

// Accept makes the operator. Returns ErrNoInvitation, *InvalidError, ErrEmailTaken, ErrBusy; the link stays good after
// the last three.
func (o *Operators) Accept(ctx context.Context, token string, in SignUp) (User, error) {
	if err := o.Check(ctx, token); err != nil {
		return User{}, err // before a hash is worked out for a stranger
	}
	in.Email, in.Name, in.Phone = NormalEmail(in.Email), NormalName(in.Name), strings.TrimSpace(in.Phone)
	if err := in.Check(); err != nil {
		return User{}, err
	}
	hash, err := o.People.Hasher.Hash(ctx, in.Password)
	if err != nil {
		return User{}, err
	}
	u := User{ID: rand.Text(), Email: in.Email, Name: in.Name, Phone: in.Phone, PasswordHash: hash,
		Language: in.Language}
	return u, o.Store.CreateOperator(ctx, hashOf(token), u)
}

// hashOf is what is stored of a token: it is long and random, so that a plain hash tells nothing.
func hashOf(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}
