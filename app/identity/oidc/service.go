package oidc

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"golang.org/x/oauth2"

	"lunchgo/app/identity"
	"lunchgo/app/refusal"
	"lunchgo/app/token"
)

// Why nobody is signed in by a provider.
var (
	ErrUnknown   = refusal.NotFound.Because("oidc: no such provider")
	ErrCancelled = refusal.New(refusal.Conflict, "signin_cancelled", "oidc: the person has cancelled at the provider")
	ErrFailed    = refusal.New(refusal.Conflict, "signin_failed", "oidc: what came back proves nothing")
	ErrAway      = refusal.Declare(refusal.Refusal{Kind: refusal.TemporarilyUnfit, Code: "signin_away",
		Retry: refusal.UsualPause, Text: "oidc: the provider does not answer"})
)

// Life is how long somebody may take to sign in at a provider.
const Life = 10 * time.Minute

// Service signs people in at providers. What a sign-in under way has to remember, its browser keeps, sealed.
type Service struct {
	providers []*Provider
	sealer    token.Sealer
	now       func() time.Time
	log       *slog.Logger
}

// NewService returns the sign-in at providers, in the order in which they are offered; none without providers.
func NewService(providers []Config, secrets token.Secrets, now func() time.Time, log *slog.Logger) *Service {
	s := &Service{sealer: token.NewSealer(secrets, "lunchgo sign-in at a provider v1"), now: now, log: log}
	for _, c := range providers {
		s.providers = append(s.providers, New(c))
	}
	return s
}

// Providers are those that are offered.
func (s *Service) Providers() []*Provider { return s.providers }

func (s *Service) find(name string) (*Provider, error) {
	i := slices.IndexFunc(s.providers, func(p *Provider) bool { return p.Name == name })
	if i < 0 {
		return nil, ErrUnknown
	}
	return s.providers[i], nil
}

// begun is what the browser keeps of a sign-in under way.
type begun struct {
	flow
	Provider string    `json:"provider"`
	Next     string    `json:"next"`
	Ends     time.Time `json:"ends"`
}

// Begin returns where a browser signs in at a provider, and what it has to keep until it comes back to the address
// back. next is where it goes on. Returns ErrUnknown, ErrAway.
func (s *Service) Begin(ctx context.Context, name, back, next string) (address, sealed string, err error) {
	p, err := s.find(name)
	if err != nil {
		return "", "", err
	}
	m := begun{flow: flow{State: rand.Text(), Nonce: rand.Text(), Verifier: oauth2.GenerateVerifier()},
		Provider: name, Next: next, Ends: s.now().Add(Life)}
	text, err := json.Marshal(m)
	if err != nil {
		return "", "", err
	}
	address, err = p.address(ctx, m.flow, back)
	s.note(ctx, name, err)
	return address, s.sealer.Seal(string(text)), err
}

// Return is what a browser brings back from a provider.
type Return struct {
	Sealed string // of Begin
	State  string
	Code   string
	Error  string // the provider's word for why there is no code
	Back   string // the address that it came back to
}

// Finish returns what the provider says of the person, and where the browser goes on: that one also with an error, as
// far as it is known. Returns ErrUnknown, ErrCancelled, ErrFailed, ErrAway.
func (s *Service) Finish(ctx context.Context, name string, r Return) (c identity.Claims, next string, err error) {
	p, err := s.find(name)
	if err != nil {
		return c, "", err
	}
	m, err := s.open(r.Sealed)
	if err != nil {
		return c, "", err
	}
	switch {
	case m.Provider != name || subtle.ConstantTimeCompare([]byte(m.State), []byte(r.State)) == 0:
		err = fmt.Errorf("%w: it was begun elsewhere", ErrFailed)
	case r.Error == "access_denied":
		err = ErrCancelled
	case r.Code == "":
		err = fmt.Errorf("%w: no code, but %.40q", ErrFailed, r.Error)
	default:
		c, err = p.claims(ctx, m.flow, r.Code, r.Back)
		s.note(ctx, name, err)
	}
	return c, m.Next, err
}

// note logs what is wrong at a provider, or with the settings there.
func (s *Service) note(ctx context.Context, provider string, err error) {
	if err != nil {
		s.log.WarnContext(ctx, "sign in at provider failed", "provider", provider, "error", err)
	}
}

// open reads what Begin has sealed, for as long as it is good.
func (s *Service) open(sealed string) (m begun, err error) {
	text, ok := s.sealer.Open(sealed)
	if !ok || json.Unmarshal([]byte(text), &m) != nil || !s.now().Before(m.Ends) {
		return begun{}, fmt.Errorf("%w: nothing was begun, or too long ago", ErrFailed)
	}
	return m, nil
}
