package oidc

import (
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"lunchgo/app/identity"
	"lunchgo/app/token"
	"lunchgo/db/dbtest"
)

const back = "https://lunchgo.example/signin/with/test/return"

// claims are members of an answer.
type claims = map[string]any

// liar is a provider that says whatever a test wants.
type liar struct {
	*httptest.Server
	key      *rsa.PrivateKey // that it publishes
	signer   *rsa.PrivateKey
	idToken  claims
	userInfo claims
	sent     url.Values // to the token endpoint
}

// newLiar returns a provider that says the truth, until a test has it lie.
func newLiar(t *testing.T) *liar {
	t.Helper()
	l := &liar{key: newKey(t)}
	l.signer = l.key
	mux := http.NewServeMux()
	l.Server = httptest.NewServer(mux)
	t.Cleanup(l.Close)
	answer := func(path string, what func(r *http.Request) any) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(what(r)) // the test fails by what is missing
		})
	}
	answer("/.well-known/openid-configuration", func(*http.Request) any {
		return claims{"issuer": l.URL, "authorization_endpoint": l.URL + "/authorize", "token_endpoint": l.URL + "/token",
			"userinfo_endpoint": l.URL + "/userinfo", "jwks_uri": l.URL + "/keys",
			"token_endpoint_auth_methods_supported": []string{"client_secret_post"}}
	})
	answer("/keys", func(*http.Request) any {
		return jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: l.key.Public(), KeyID: "k", Algorithm: "RS256"}}}
	})
	answer("/token", func(r *http.Request) any {
		_ = r.ParseForm()
		l.sent = r.PostForm
		return claims{"access_token": "an access token", "token_type": "bearer", "id_token": l.sign(t)}
	})
	answer("/userinfo", func(*http.Request) any { return l.userInfo })
	l.idToken = claims{"iss": l.URL, "aud": "client", "sub": "h1", "exp": time.Now().Add(time.Hour).Unix()}
	return l
}

func newKey(t *testing.T) *rsa.PrivateKey {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	dbtest.Must(t, err)
	return key
}

func (l *liar) sign(t *testing.T) string {
	t.Helper()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.RS256,
		Key: jose.JSONWebKey{Key: l.signer, KeyID: "k"}}, nil)
	dbtest.Must(t, err)
	signed, err := jwt.Signed(signer).Claims(l.idToken).Serialize()
	dbtest.Must(t, err)
	return signed
}

// signIn goes through a sign-in. say is called when the provider is about to answer, with the nonce that it was sent.
func (l *liar) signIn(t *testing.T, c Config, say func(nonce string)) (identity.Claims, error) {
	t.Helper()
	c.Name, c.Issuer, c.ClientID, c.ClientSecret = "test", l.URL, "client", "a secret"
	s := NewService([]Config{c}, token.Secrets{"a secret of the site"}, time.Now, slog.New(slog.DiscardHandler))
	address, sealed, err := s.Begin(t.Context(), "test", back, "/wallet")
	dbtest.Must(t, err)
	at, err := url.Parse(address)
	dbtest.Must(t, err)
	q := at.Query()
	say(q.Get("nonce"))
	said, next, err := s.Finish(t.Context(), "test",
		Return{Sealed: sealed, State: q.Get("state"), Code: "a code", Back: back})
	if next != "/wallet" {
		t.Errorf("goes on at %s", next)
	}
	return said, err
}

// Only what the provider itself has signed, for us and for this browser, and lately, is believed.
func TestFinish_BelievesNoLies(t *testing.T) {
	t.Parallel()
	for name, lie := range map[string]func(t *testing.T, l *liar){
		"none":               func(*testing.T, *liar) {},
		"another's key":      func(t *testing.T, l *liar) { l.signer = newKey(t) },
		"for another site":   func(_ *testing.T, l *liar) { l.idToken["aud"] = "another" },
		"of another issuer":  func(_ *testing.T, l *liar) { l.idToken["iss"] = "https://another.example" },
		"too old":            func(_ *testing.T, l *liar) { l.idToken["exp"] = time.Now().Add(-time.Hour).Unix() },
		"another nonce":      func(_ *testing.T, l *liar) { l.idToken["nonce"] = "another" },
		"no nonce":           func(_ *testing.T, l *liar) { delete(l.idToken, "nonce") },
		"nobody":             func(_ *testing.T, l *liar) { delete(l.idToken, "sub") },
		"userinfo of others": func(_ *testing.T, l *liar) { l.userInfo["sub"] = "h2" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLiar(t)
			l.userInfo = claims{"sub": "h1", "email": "haneul@example.org", "email_verified": true}
			said, err := l.signIn(t, Config{}, func(nonce string) {
				l.idToken["nonce"] = nonce
				lie(t, l)
			})
			if name == "none" {
				if err != nil || said.Subject != "h1" || said.Email != "haneul@example.org" || !said.EmailVerified {
					t.Errorf("%+v, %v", said, err)
				}
			} else if !errors.Is(err, ErrFailed) {
				t.Errorf("%+v, %v", said, err)
			}
		})
	}
}

// What Kakao and Naver answer, by their published documents, is understood: Kakao says in its userinfo that an address
// is confirmed; Naver wraps that answer, has no nonce, and says it of none. Both take the secret in the form.
func TestFinish_KakaoAndNaver(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		provider       Config
		token, info    claims
		want           identity.Claims
		isWithoutNonce bool
	}{
		"Kakao": {provider: Kakao("", ""), token: claims{"nickname": "하늘", "email": "haneul@example.org"},
			info: claims{"sub": "h1", "email": "haneul@example.org", "email_verified": true,
				"phone_number": "+82 10-1234-5678"},
			want: identity.Claims{Email: "haneul@example.org", EmailVerified: true, Name: "하늘",
				Phone: "+82 10-1234-5678"}},
		"Naver": {provider: Naver("", ""), isWithoutNonce: true,
			info: claims{"resultcode": "00", "message": "success", "response": claims{"id": "n1", "name": "김하늘",
				"email": "haneul@naver.com", "mobile": "010-1234-5678"}},
			want: identity.Claims{Email: "haneul@naver.com", Name: "김하늘", Phone: "010-1234-5678"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLiar(t)
			maps.Copy(l.idToken, c.token)
			l.userInfo = c.info
			said, err := l.signIn(t, c.provider, func(nonce string) {
				if !c.isWithoutNonce {
					l.idToken["nonce"] = nonce
				}
			})
			dbtest.Must(t, err)
			c.want.Identity = identity.Identity{Issuer: l.URL, Subject: "h1"}
			if said != c.want {
				t.Errorf("%+v, want %+v", said, c.want)
			}
			if l.sent.Get("client_secret") != "a secret" || l.sent.Get("code_verifier") == "" ||
				l.sent.Get("redirect_uri") != back {
				t.Errorf("sent: %v", l.sent)
			}
		})
	}
}
