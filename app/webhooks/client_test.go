package webhooks

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"lunchgo/app/token"
)

// received is a request as a restaurant's program sees it.
type received struct {
	header http.Header
	body   []byte
}

// isSignedWith checks a request by the specification's words, without the code that signs.
func (r received) isSignedWith(secret Secret) bool {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(string(secret), "whsec_"))
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(r.header.Get("webhook-id") + "." + r.header.Get("webhook-timestamp") + "."))
	mac.Write(r.body)
	want := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for one := range strings.SplitSeq(r.header.Get("webhook-signature"), " ") {
		if one == want {
			return true
		}
	}
	return false
}

// local is a client that reaches servers of tests.
func local() *Client { return NewClient(ClientConfig{PrivateNetworks: true}) }

func TestClient_SignsWhatItSends(t *testing.T) {
	t.Parallel()
	var got received
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = received{r.Header, body}
		w.WriteHeader(http.StatusAccepted)
	}))
	defer server.Close()
	old, fresh, other := NewSecret(), NewSecret(), NewSecret()
	at := time.Date(2026, 11, 22, 19, 0, 0, 5000, time.FixedZone("", 9*3600))
	m := Message{ID: "evt_7", Type: "lunchgo.reservation.held", At: at, Data: []byte(`{"partySize": 2, "name": "<한>"}`)}
	if try := local().Send(t.Context(), server.URL, []Secret{fresh, old}, m); !try.Delivered() || try.Took <= 0 {
		t.Fatalf("%+v", try)
	}
	if !got.isSignedWith(old) || !got.isSignedWith(fresh) || got.isSignedWith(other) {
		t.Errorf("signatures: %q", got.header.Get("webhook-signature"))
	}
	if got.header.Get("webhook-id") != "evt_7" || got.header.Get("Content-Type") != "application/json" {
		t.Errorf("%v", got.header)
	}
	var body struct {
		Type      string
		Timestamp time.Time
		Data      struct {
			PartySize int
			Name      string
		}
	}
	if err := json.Unmarshal(got.body, &body); err != nil || body.Type != m.Type || !body.Timestamp.Equal(at) ||
		body.Data.PartySize != 2 || body.Data.Name != "<한>" {
		t.Errorf("%s: %v", got.body, err)
	}
	if !bytes.Contains(got.body, []byte(`"timestamp":"2026-11-22T10:00:00.000005Z"`)) {
		t.Errorf("the time does not sort as text: %s", got.body)
	}
	tampered := received{got.header, bytes.Replace(got.body, []byte("2"), []byte("3"), 1)}
	if tampered.isSignedWith(fresh) {
		t.Error("another body has the same signature")
	}
}

// Whatever an endpoint does, a try ends with a status or a failure, and little of the answer is kept.
func TestClient_OutcomesOfTries(t *testing.T) {
	t.Parallel()
	block := make(chan struct{})
	mux := http.NewServeMux()
	mux.HandleFunc("/fails", func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "no\x00 seats\n\n here", 500)
	})
	mux.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
	})
	mux.HandleFunc("/elsewhere", func(http.ResponseWriter, *http.Request) { t.Error("a redirect was followed") })
	mux.HandleFunc("/much", func(w http.ResponseWriter, _ *http.Request) {
		for range 64 {
			_, _ = io.WriteString(w, strings.Repeat("가", 1024))
		}
	})
	mux.HandleFunc("/never", func(http.ResponseWriter, *http.Request) { <-block })
	server := httptest.NewServer(mux)
	secure := httptest.NewUnstartedServer(mux)
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	defer secure.Close()
	defer server.Close()
	defer close(block)
	refusing := httptest.NewServer(mux)
	refusing.Close()
	client, hasty := local(), NewClient(ClientConfig{PrivateNetworks: true, Timeout: 300 * time.Millisecond})
	for name, test := range map[string]struct {
		url  string
		want Try
	}{
		"an error":      {server.URL + "/fails", Try{Status: 500, Excerpt: "no seats here"}},
		"a redirect":    {server.URL + "/moved", Try{Status: 307}},
		"no answer":     {server.URL + "/never", Try{Failure: FailureTimeout}},
		"nobody":        {refusing.URL, Try{Failure: FailureConnect}},
		"a certificate": {secure.URL, Try{Failure: FailureTLS}},
		"no TLS":        {"https" + strings.TrimPrefix(server.URL, "http"), Try{Failure: FailureTLS}},
	} {
		sender := client
		if test.want.Failure == FailureTimeout {
			sender = hasty
		}
		got := sender.Send(t.Context(), test.url, []Secret{NewSecret()}, anyMessage)
		if got.Took = 0; got != test.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
	much := local().Send(t.Context(), server.URL+"/much", []Secret{NewSecret()}, anyMessage)
	if n := utf8.RuneCountInString(much.Excerpt); much.Status != 200 || n != maxExcerpt+1 {
		t.Errorf("status %d, %d runes", much.Status, n)
	}
	bad := local().Send(t.Context(), server.URL, []Secret{"whsec_?"}, anyMessage)
	if bad.Failure != FailureSecret {
		t.Errorf("%+v", bad)
	}
}

func TestVault_OpensForItsEndpointOnly(t *testing.T) {
	t.Parallel()
	vault, err := NewVault(token.Secrets{"one installation"})
	if err != nil {
		t.Fatal(err)
	}
	other, err := NewVault(token.Secrets{"another installation"})
	if err != nil {
		t.Fatal(err)
	}
	secret := NewSecret()
	sealed := vault.Seal("A", secret)
	if got, err := vault.Open("A", sealed); err != nil || got != secret {
		t.Errorf("%q, %v", got, err)
	}
	if bytes.Contains(sealed, []byte(secret)[len(secretPrefix):]) {
		t.Error("the secret stands in what is stored")
	}
	if _, err := vault.Open("B", sealed); err != ErrSecret {
		t.Errorf("for another endpoint: %v", err)
	}
	if _, err := other.Open("A", sealed); err != ErrSecret {
		t.Errorf("at another installation: %v", err)
	}
}
