package main

import (
	"lunchgo/app/identity/oidc"
)

// SignIn is what the settings say about providers by which people sign in.
type SignIn struct {
	KakaoID, KakaoSecret               string
	NaverID, NaverSecret               string
	Issuer, ClientID, ClientSecret, As string // of any other provider, and its name on the button
	Passkeys                           bool
}

func (s *SignIn) settings() []setting {
	return []setting{
		{"KAKAO_CLIENT_ID", "", text(&s.KakaoID, "the REST API key", nil),
			"people [sign in by Kakao](#sign-in-by-other-accounts); empty: they do not"},
		{"KAKAO_CLIENT_SECRET", "", secret(&s.KakaoSecret, "a client secret", nil), "of the same application at Kakao"},
		{"NAVER_CLIENT_ID", "", text(&s.NaverID, "a client id", nil),
			"people [sign in by Naver](#sign-in-by-other-accounts); empty: they do not"},
		{"NAVER_CLIENT_SECRET", "", secret(&s.NaverSecret, "a client secret", nil), "of the same application at Naver"},
		{"OIDC_ISSUER", "", text(&s.Issuer, "http(s)://host, with a path or not", isURLOf("https", "http")),
			"any other provider of OpenID Connect by which people sign in; empty: none"},
		{"OIDC_NAME", "", text(&s.As, "a name", nil), "what that is called on its button"},
		{"OIDC_CLIENT_ID", "", text(&s.ClientID, "a client id", nil), "of the client there"},
		{"OIDC_CLIENT_SECRET", "", secret(&s.ClientSecret, "a client secret", nil), "of the same client"},
		{"PASSKEYS", "true", boolean(func(yes bool) { s.Passkeys = yes }),
			"whether people sign in by [passkeys](#passkeys), where `PUBLIC_URL` has the name of a host"},
	}
}

// providers are those that are set, in the order in which they are offered.
func (s SignIn) providers() []oidc.Config {
	var all []oidc.Config
	if s.KakaoID != "" {
		all = append(all, oidc.Kakao(s.KakaoID, s.KakaoSecret))
	}
	if s.NaverID != "" {
		all = append(all, oidc.Naver(s.NaverID, s.NaverSecret))
	}
	if s.Issuer != "" {
		all = append(all, oidc.Config{Name: "oidc", Label: s.As, Issuer: s.Issuer, ClientID: s.ClientID,
			ClientSecret: s.ClientSecret, Scopes: []string{"profile", "email"}})
	}
	return all
}

// passkeys is the origin for which browsers keep passkeys; empty where there are none.
func (c Config) passkeys() string {
	if !c.SignIn.Passkeys {
		return ""
	}
	return c.PublicURL
}

// signInFaults returns what is wrong with the settings of sign-ins only together.
func (c Config) signInFaults() (faults []*fault) {
	s := c.SignIn
	needs := func(of string, all ...named) { faults = append(faults, unset(of, all...)...) }
	if s.KakaoID != "" {
		needs("KAKAO_CLIENT_ID", named{"KAKAO_CLIENT_SECRET", s.KakaoSecret})
	}
	if s.NaverID != "" {
		needs("NAVER_CLIENT_ID", named{"NAVER_CLIENT_SECRET", s.NaverSecret})
	}
	if s.Issuer != "" {
		needs("OIDC_ISSUER", named{"OIDC_NAME", s.As}, named{"OIDC_CLIENT_ID", s.ClientID},
			named{"OIDC_CLIENT_SECRET", s.ClientSecret})
	}
	if len(s.providers()) > 0 {
		needs("a provider of sign-ins, which sends browsers back there", named{"PUBLIC_URL", c.PublicURL})
	}
	return faults
}
