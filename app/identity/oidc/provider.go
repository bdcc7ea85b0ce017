// Package oidc signs people in at providers that speak OpenID Connect, such as Kakao and Naver: by the authorization
// code flow with PKCE, state and nonce.
package oidc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"lunchgo/app/cache"
	"lunchgo/app/identity"
)

// Bounds of what a provider answers.
const (
	callTimeout = 5 * time.Second
	maxAnswer   = 1 << 20 // bytes
	// discovered is for how long the addresses and keys of a provider are used before they are looked up again.
	discovered = time.Hour
)

// Config is a provider, and who we are to it.
type Config struct {
	Name         string // in addresses of ours
	Label        string // on buttons; empty where the catalogues have the provider's name
	Issuer       string
	ClientID     string
	ClientSecret string
	Scopes       []string // besides openid

	// UserInfo names the member of the userinfo answer that holds the claims, where that is not the answer itself.
	UserInfo string
	// WithoutNonce accepts ID tokens without the nonce of the request, of a provider that does not return it. PKCE binds
	// the code to the browser all the same.
	WithoutNonce bool
}

// Issuers of providers that have settings of their own.
const (
	KakaoIssuer = "https://kauth.kakao.com"
	NaverIssuer = "https://nid.naver.com"
)

// Kakao is the provider of KakaoTalk's accounts. The application there has OpenID Connect on, and the consent items
// nickname and e-mail address.
func Kakao(id, secret string) Config {
	return Config{Name: "kakao", Issuer: KakaoIssuer, ClientID: id, ClientSecret: secret,
		Scopes: []string{"profile_nickname", "account_email"}}
}

// Naver is the provider of Naver's accounts. What it tells is chosen in the application there, and is wrapped in a
// member of its own; of addresses it says nowhere that they are confirmed.
func Naver(id, secret string) Config {
	return Config{Name: "naver", Issuer: NaverIssuer, ClientID: id, ClientSecret: secret, UserInfo: "response",
		WithoutNonce: true}
}

// Provider signs people in. It is found when somebody first asks for it, and may be away.
type Provider struct {
	Config
	client *http.Client
	found  cache.Cache[struct{}, *oidc.Provider]
}

// New returns a provider. It calls nobody.
func New(c Config) *Provider {
	return &Provider{Config: c, client: &http.Client{Timeout: callTimeout, Transport: bounded{http.DefaultTransport}},
		found: cache.Cache[struct{}, *oidc.Provider]{Life: discovered, Most: 1}}
}

// bounded reads no more of an answer than any has.
type bounded struct{ http.RoundTripper }

func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := b.RoundTripper.RoundTrip(r)
	if err == nil {
		response.Body = http.MaxBytesReader(nil, response.Body, maxAnswer)
	}
	return response, err
}

// discover returns the provider's addresses and keys. Returns ErrAway.
func (p *Provider) discover(ctx context.Context) (*oidc.Provider, error) {
	found, err := p.found.Load(ctx, struct{}{}, func(ctx context.Context) (*oidc.Provider, error) {
		// the keys are read with this context, too, whenever there are new ones
		return oidc.NewProvider(oidc.ClientContext(context.WithoutCancel(ctx), p.client), p.Issuer)
	})
	if err != nil {
		return nil, away(err)
	}
	return found, nil
}

func away(err error) error { return fmt.Errorf("%w: %w", ErrAway, err) }

func (p *Provider) oauth(found *oidc.Provider, back string) *oauth2.Config {
	endpoint := found.Endpoint()
	endpoint.AuthStyle = authStyle(found)
	return &oauth2.Config{ClientID: p.ClientID, ClientSecret: p.ClientSecret, RedirectURL: back, Endpoint: endpoint,
		Scopes: append([]string{oidc.ScopeOpenID}, p.Scopes...)}
}

// authStyle is how we say who we are. A code is good once: there is no second try to find out.
func authStyle(found *oidc.Provider) oauth2.AuthStyle {
	var says struct {
		Methods []string `json:"token_endpoint_auth_methods_supported"`
	}
	if err := found.Claims(&says); err != nil {
		return oauth2.AuthStyleInHeader
	}
	for _, method := range says.Methods {
		switch method {
		case "client_secret_basic":
			return oauth2.AuthStyleInHeader
		case "client_secret_post":
			return oauth2.AuthStyleInParams
		}
	}
	return oauth2.AuthStyleInHeader // the default of OpenID Connect Discovery 1.0
}

// flow is one sign-in under way.
type flow struct {
	State    string `json:"state"`
	Nonce    string `json:"nonce"`
	Verifier string `json:"verifier"`
}

// address is where the browser signs in.
func (p *Provider) address(ctx context.Context, f flow, back string) (string, error) {
	found, err := p.discover(ctx)
	if err != nil {
		return "", err
	}
	return p.oauth(found, back).AuthCodeURL(f.State, oidc.Nonce(f.Nonce), oauth2.S256ChallengeOption(f.Verifier)), nil
}

// claims exchanges the code of a sign-in for what the provider says of the person. Returns ErrAway, ErrFailed.
func (p *Provider) claims(ctx context.Context, f flow, code, back string) (identity.Claims, error) {
	found, err := p.discover(ctx)
	if err != nil {
		return identity.Claims{}, err
	}
	ctx = oidc.ClientContext(ctx, p.client)
	token, err := p.oauth(found, back).Exchange(ctx, code, oauth2.VerifierOption(f.Verifier))
	if err != nil {
		return identity.Claims{}, exchangeError(err)
	}
	said, err := p.verify(ctx, found, f, token)
	if err != nil {
		return identity.Claims{}, err
	}
	if said.Email == "" || !bool(said.EmailVerified) {
		if err := p.ask(ctx, found, token, &said); err != nil {
			return identity.Claims{}, err
		}
	}
	return said.claims(p.Issuer), nil
}

// exchangeError tells a code that is not good from a provider that does not answer. What the provider says may hold
// the code: the log gets its short name only.
func exchangeError(err error) error {
	refused, ok := errors.AsType[*oauth2.RetrieveError](err)
	switch {
	case !ok || refused.Response == nil:
		return away(err)
	case refused.Response.StatusCode >= http.StatusInternalServerError:
		return fmt.Errorf("%w: token endpoint answers %d", ErrAway, refused.Response.StatusCode)
	}
	return fmt.Errorf("%w: token endpoint answers %d %s", ErrFailed, refused.Response.StatusCode, refused.ErrorCode)
}

// verify returns the claims of the ID token. Its signature, issuer, audience and time are go-oidc's to check.
func (p *Provider) verify(ctx context.Context, found *oidc.Provider, f flow, token *oauth2.Token) (said answer,
	err error) {
	raw, _ := token.Extra("id_token").(string)
	if raw == "" {
		return answer{}, fmt.Errorf("%w: no ID token: OpenID Connect is off at the provider", ErrFailed)
	}
	verified, err := found.Verifier(&oidc.Config{ClientID: p.ClientID}).Verify(ctx, raw)
	if err != nil {
		return answer{}, fmt.Errorf("%w: %w", ErrFailed, err)
	}
	if verified.Nonce != f.Nonce && !(p.WithoutNonce && verified.Nonce == "") {
		return answer{}, fmt.Errorf("%w: another nonce", ErrFailed)
	}
	if err := verified.Claims(&said); err != nil {
		return answer{}, fmt.Errorf("%w: %w", ErrFailed, err)
	}
	if said.Subject == "" || len(said.Subject) > identity.MaxSubject {
		return answer{}, fmt.Errorf("%w: subject of %d bytes", ErrFailed, len(said.Subject))
	}
	return said, nil
}

// ask adds what the userinfo endpoint says, if there is one.
func (p *Provider) ask(ctx context.Context, found *oidc.Provider, token *oauth2.Token, said *answer) error {
	if found.UserInfoEndpoint() == "" {
		return nil
	}
	info, err := found.UserInfo(ctx, oauth2.StaticTokenSource(token))
	if err != nil {
		return away(err)
	}
	more := answer{}
	if p.UserInfo == "" {
		err = info.Claims(&more)
	} else {
		wrapped := map[string]json.RawMessage{}
		if err = info.Claims(&wrapped); err == nil {
			err = json.Unmarshal(wrapped[p.UserInfo], &more)
		}
	}
	switch {
	case err != nil:
		return fmt.Errorf("%w: userinfo: %w", ErrFailed, err)
	case p.UserInfo == "" && more.Subject != said.Subject:
		return fmt.Errorf("%w: userinfo of somebody else", ErrFailed)
	}
	said.add(more)
	return nil
}
