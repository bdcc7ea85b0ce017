package oidc

import (
	"cmp"
	"strings"

	"lunchgo/app/identity"
)

// answer is what a provider says of somebody: the standard claims of OpenID Connect Core 1.0, section 5.1, that we use,
// and the names that Kakao and Naver have for some.
type answer struct {
	Subject       string `json:"sub"`
	Email         string `json:"email"`
	EmailVerified yes    `json:"email_verified"`
	Name          string `json:"name"`
	Nickname      string `json:"nickname"`
	Phone         string `json:"phone_number"`
	Mobile        string `json:"mobile"`
}

// yes is a boolean that some providers write as a text.
type yes bool

// UnmarshalJSON implements json.Unmarshaler.
func (y *yes) UnmarshalJSON(raw []byte) error {
	*y = strings.Trim(string(raw), `"`) == "true"
	return nil
}

// add fills in what was not said. An address comes with the word about it.
func (a *answer) add(more answer) {
	if more.Email != "" {
		a.Email, a.EmailVerified = more.Email, more.EmailVerified
	}
	a.Name, a.Nickname = cmp.Or(a.Name, more.Name), cmp.Or(a.Nickname, more.Nickname)
	a.Phone, a.Mobile = cmp.Or(a.Phone, more.Phone), cmp.Or(a.Mobile, more.Mobile)
}

func (a answer) claims(issuer string) identity.Claims {
	return identity.Claims{Identity: identity.Identity{Issuer: issuer, Subject: a.Subject}, Email: a.Email,
		EmailVerified: bool(a.EmailVerified), Name: cmp.Or(a.Name, a.Nickname), Phone: cmp.Or(a.Phone, a.Mobile)}
}
