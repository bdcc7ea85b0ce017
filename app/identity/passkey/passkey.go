// Package passkey signs people in by passkeys, as W3C Web Authentication Level 3 has them: the browser signs a
// challenge of the server with a key that its device keeps for this site's origin.
package passkey

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"net/url"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"
	"github.com/redis/go-redis/v9"

	"lunchgo/app/identity"
	"lunchgo/app/refusal"
)

// Why a passkey is neither added nor signs anybody in.
var (
	ErrOff     = refusal.NotFound.Because("passkey: the installation has none")
	ErrRefused = refusal.New(refusal.Conflict, "passkey_refused", "passkey: what the browser sent proves nothing")
	ErrAway    = refusal.Declare(refusal.Refusal{Kind: refusal.TemporarilyUnfit, Code: "passkey_away",
		Retry: refusal.UsualPause, Text: "passkey: Redis does not answer, which keeps the challenges"})
)

// maxAnswer is how long a browser's answer may be, in bytes: several times what authenticators send.
const maxAnswer = 16 << 10

// Config is what a Service works with.
type Config struct {
	Origin   string // scheme and host by which browsers reach the site; empty: no passkeys
	Store    identity.PasskeyStore
	Users    identity.Store
	Sessions *identity.Sessions
	Redis    redis.Cmdable
	Prefix   string // of every key in Redis
	Log      *slog.Logger
}

// Service adds passkeys to accounts and signs in by them.
type Service struct {
	identity.PasskeyStore
	users      identity.Store
	sessions   *identity.Sessions
	challenges challenges
	site       *webauthn.WebAuthn // nil: the installation has no passkeys
	log        *slog.Logger
}

// New returns the sign-in by passkeys. There is none where the origin is not known, or its host is a number: browsers
// keep passkeys for names only.
func New(c Config) (*Service, error) {
	s := &Service{PasskeyStore: c.Store, users: c.Users, sessions: c.Sessions,
		challenges: challenges{redis: c.Redis, prefix: c.Prefix}, log: c.Log}
	host, err := hostOf(c.Origin)
	if err != nil || protocol.ValidateRPID(host) != nil {
		return s, err
	}
	required := true
	s.site, err = webauthn.New(&webauthn.Config{RPID: host, RPDisplayName: "LunchGo", RPOrigins: []string{c.Origin},
		AttestationPreference: protocol.PreferNoAttestation,
		// a passkey stands in place of a password: the device has to make sure who holds it, and to know whose it is
		AuthenticatorSelection: protocol.AuthenticatorSelection{ResidentKey: protocol.ResidentKeyRequirementRequired,
			RequireResidentKey: &required, UserVerification: protocol.VerificationRequired},
		ExtensionsUnsolicitedOutputPolicy: protocol.UnsolicitedOutputPolicyIgnore})
	return s, err
}

func hostOf(origin string) (string, error) {
	u, err := url.Parse(origin)
	if err != nil {
		return "", fmt.Errorf("passkey: origin: %w", err)
	}
	return u.Hostname(), nil
}

// IsOn says whether the installation has passkeys.
func (s *Service) IsOn() bool { return s.site != nil }

// person is an account as the library sees it.
type person struct {
	identity.User
	passkeys []identity.Passkey
}

func (p person) WebAuthnID() []byte          { return []byte(p.ID) }
func (p person) WebAuthnName() string        { return p.Email }
func (p person) WebAuthnDisplayName() string { return p.Name }

func (p person) WebAuthnCredentials() (all []webauthn.Credential) {
	for _, k := range p.passkeys {
		id, err := base64.RawURLEncoding.DecodeString(k.ID)
		if err != nil {
			continue // is none of ours
		}
		all = append(all, webauthn.Credential{ID: id, PublicKey: k.PublicKey,
			Flags:         webauthn.CredentialFlags{BackupEligible: k.BackupEligible},
			Authenticator: webauthn.Authenticator{SignCount: k.SignCount}})
	}
	return all
}

// BeginAdding returns what a browser is asked for a new passkey of an account. Returns ErrOff, ErrAway,
// identity.ErrDemoAccount.
func (s *Service) BeginAdding(ctx context.Context, userID string) (*protocol.CredentialCreation, error) {
	p, err := s.owner(ctx, userID)
	if err != nil {
		return nil, err
	}
	if p.passkeys, err = s.ListPasskeys(ctx, userID); err != nil {
		return nil, err
	}
	options, asked, err := s.site.BeginRegistration(p,
		webauthn.WithExclusions(webauthn.Credentials(p.WebAuthnCredentials()).CredentialDescriptors()))
	if err != nil {
		return nil, err
	}
	return options, s.challenges.store(ctx, asked)
}

// Add stores the passkey that a browser has made. Returns ErrOff, ErrRefused, ErrAway, identity.ErrDemoAccount and the
// errors of identity.PasskeyStore.
func (s *Service) Add(ctx context.Context, userID, name, answer string) error {
	p, err := s.owner(ctx, userID)
	if err != nil {
		return err
	}
	made, err := parse(answer, protocol.ParseCredentialCreationResponseBytes)
	if err != nil {
		return s.refuse(ctx, "add passkey failed", err)
	}
	asked, err := s.challenges.take(ctx, made.Response.CollectedClientData.Challenge)
	if err != nil {
		return err
	}
	key, err := s.site.CreateCredential(p, asked, made)
	if err != nil {
		return s.refuse(ctx, "add passkey failed", err)
	}
	return s.AddPasskey(ctx, identity.Passkey{ID: base64.RawURLEncoding.EncodeToString(key.ID), UserID: userID,
		Name: name, PublicKey: key.PublicKey, SignCount: key.Authenticator.SignCount,
		BackupEligible: key.Flags.BackupEligible})
}

// owner is who can have passkeys: an account of the demonstration is anybody's.
func (s *Service) owner(ctx context.Context, userID string) (person, error) {
	if !s.IsOn() {
		return person{}, ErrOff
	}
	user, err := s.users.FindUser(ctx, userID)
	if err == nil && user.Demo {
		err = identity.ErrDemoAccount
	}
	return person{User: user}, err
}

// BeginSignIn returns what a browser is asked that signs in. Returns ErrOff, ErrAway.
func (s *Service) BeginSignIn(ctx context.Context) (*protocol.CredentialAssertion, error) {
	if !s.IsOn() {
		return nil, ErrOff
	}
	options, asked, err := s.site.BeginDiscoverableLogin()
	if err != nil {
		return nil, err
	}
	return options, s.challenges.store(ctx, asked)
}

// SignIn signs in the owner of the passkey with which a browser answers. Returns ErrOff, ErrRefused, ErrAway.
func (s *Service) SignIn(ctx context.Context, answer string) (token string, session identity.Session, err error) {
	if !s.IsOn() {
		return "", identity.Session{}, ErrOff
	}
	signed, err := parse(answer, protocol.ParseCredentialRequestResponseBytes)
	if err != nil {
		return "", identity.Session{}, s.refuse(ctx, "sign in by passkey failed", err)
	}
	asked, err := s.challenges.take(ctx, signed.Response.CollectedClientData.Challenge)
	if err != nil {
		return "", identity.Session{}, err
	}
	userID, err := s.verify(ctx, asked, signed)
	if err != nil {
		return "", identity.Session{}, err
	}
	token, session = s.sessions.Issue(userID)
	return token, session, nil
}

// verify returns whose passkey has signed what was asked, and notes its use.
func (s *Service) verify(ctx context.Context, asked webauthn.SessionData,
	signed *protocol.ParsedCredentialAssertionData) (userID string, err error) {
	key, err := s.FindPasskey(ctx, base64.RawURLEncoding.EncodeToString(signed.RawID))
	if errors.Is(err, identity.ErrNotFound) {
		return "", fmt.Errorf("%w: no account has the passkey", ErrRefused)
	}
	if err != nil {
		return "", err
	}
	owner := person{User: identity.User{ID: key.UserID}, passkeys: []identity.Passkey{key}}
	// The library compares the owner with the account that the passkey was made for.
	_, _, err = s.site.ValidatePasskeyLogin(func([]byte, []byte) (webauthn.User, error) { return owner, nil },
		asked, signed)
	if err != nil {
		return "", s.refuse(ctx, "sign in by passkey failed", err)
	}
	rose, err := s.UsePasskey(ctx, key.ID, signed.Response.AuthenticatorData.Counter)
	if err == nil && !rose {
		err = s.refuse(ctx, "sign in by passkey failed", errors.New("its counter has not risen: it may be a copy"))
	}
	return key.UserID, err
}

// parse reads a browser's answer.
func parse[T any](answer string, read func([]byte) (*T, error)) (*T, error) {
	if len(answer) > maxAnswer {
		return nil, errors.New("the answer is too long")
	}
	return read([]byte(answer))
}

// mostOfReason is how much the log says of why an answer is refused, in bytes: some of it is the browser's.
const mostOfReason = 300

// refuse logs why an answer is refused, such as for another origin than PUBLIC_URL, and returns ErrRefused.
func (s *Service) refuse(ctx context.Context, what string, why error) error {
	reason := why.Error()
	if e, ok := errors.AsType[*protocol.Error](why); ok {
		reason += ": " + e.DevInfo
	}
	s.log.WarnContext(ctx, what, "error", reason[:min(len(reason), mostOfReason)])
	return fmt.Errorf("%w: %w", ErrRefused, why)
}
