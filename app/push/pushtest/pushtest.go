// Package pushtest is a fake push service with its browsers, held to the published contracts: RFC 8030 for what it is
// sent, RFC 8292 for who sends it, RFC 8188 and 8291 for what only the browser reads.
package pushtest

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"lunchgo/app/push"
)

var base64url = base64.RawURLEncoding

// Received is what a browser was pushed.
type Received struct {
	push.Message
	Endpoint, TTL, Urgency string
}

// Service is the fake. It is safe for concurrent use.
type Service struct {
	*httptest.Server

	mu       sync.Mutex
	browsers map[string]browser // by path
	status   int                // of each answer; 0: what the contract says
	received []Received
	asked    int
}

type browser struct {
	private *ecdh.PrivateKey
	auth    []byte
	key     string // that the subscription was made with
}

// Start starts a service that ends with the test.
func Start(t testing.TB) *Service {
	s := &Service{browsers: map[string]browser{}}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

// Subscribe returns a new browser's subscription, made with a key of the site.
func (s *Service) Subscribe(t testing.TB, key string) push.Subscription {
	t.Helper()
	private, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	b := browser{private, make([]byte, 16), key}
	_, _ = rand.Read(b.auth) // never fails
	path := "/" + rand.Text()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.browsers[path] = b
	return push.Subscription{Endpoint: s.URL + path, P256dh: base64url.EncodeToString(private.PublicKey().Bytes()),
		Auth: base64url.EncodeToString(b.auth), Key: key}
}

// Answer has the service answer with a status from now on; 0: as the contract says.
func (s *Service) Answer(status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.status = status
}

// Received returns what browsers were pushed so far, and how often the service was asked.
func (s *Service) Received() (messages []Received, asked int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append(messages, s.received...), s.asked
}

// ServeHTTP implements http.Handler.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked++
	if s.status != 0 {
		w.WriteHeader(s.status)
		return
	}
	b, ok := s.browsers[r.URL.Path]
	if !ok {
		w.WriteHeader(http.StatusGone)
		return
	}
	if err := s.checkSender(r, b.key); err != nil {
		http.Error(w, err.Error(), http.StatusForbidden)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err == nil {
		body, err = b.decrypt(body)
	}
	got := Received{Endpoint: s.URL + r.URL.Path, TTL: r.Header.Get("TTL"), Urgency: r.Header.Get("Urgency")}
	if err = errors.Join(err, json.Unmarshal(body, &got.Message)); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.received = append(s.received, got)
	w.WriteHeader(http.StatusCreated)
}

// checkSender is RFC 8292, 2 and 4.2.
func (s *Service) checkSender(r *http.Request, key string) error {
	var token, sentKey string
	_, err := fmt.Sscanf(r.Header.Get("Authorization"), "vapid t=%s k=%s", &token, &sentKey)
	token = strings.TrimSuffix(token, ",")
	parts := strings.Split(token, ".")
	if err != nil || len(parts) != 3 || sentKey != key {
		return errors.New("no token of the subscription's key")
	}
	point, _ := base64url.DecodeString(key)
	public, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), point)
	if err != nil {
		return err
	}
	signature, _ := base64url.DecodeString(parts[2])
	digest := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	if len(signature) != 64 || !ecdsa.Verify(public, digest[:], new(big.Int).SetBytes(signature[:32]),
		new(big.Int).SetBytes(signature[32:])) {
		return errors.New("the signature is wrong")
	}
	var claims struct {
		Audience string `json:"aud"`
		Expires  int64  `json:"exp"`
		Subject  string `json:"sub"`
	}
	body, _ := base64url.DecodeString(parts[1])
	if err := json.Unmarshal(body, &claims); err != nil {
		return err
	}
	left := time.Until(time.Unix(claims.Expires, 0))
	if claims.Audience != s.URL || left <= 0 || left > 24*time.Hour || !strings.HasPrefix(claims.Subject, "https://") {
		return fmt.Errorf("claims %+v", claims)
	}
	return nil
}

// decrypt is RFC 8188, 2 for one record, with the keys of RFC 8291, 3.4.
func (b browser) decrypt(body []byte) ([]byte, error) {
	const head = 16 + 4 + 1 + 65
	if len(body) < head || body[20] != 65 || len(body) > int(binary.BigEndian.Uint32(body[16:20])) {
		return nil, errors.New("the head is wrong")
	}
	salt, senders := body[:16], body[21:head]
	public, err := ecdh.P256().NewPublicKey(senders)
	if err != nil {
		return nil, err
	}
	shared, err := b.private.ECDH(public)
	if err != nil {
		return nil, err
	}
	info := "WebPush: info\x00" + string(b.private.PublicKey().Bytes()) + string(senders)
	secret, _ := hkdf.Key(sha256.New, shared, b.auth, info, 32)
	key, _ := hkdf.Key(sha256.New, secret, salt, "Content-Encoding: aes128gcm\x00", 16)
	nonce, _ := hkdf.Key(sha256.New, secret, salt, "Content-Encoding: nonce\x00", 12)
	block, _ := aes.NewCipher(key)
	sealer, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	plain, err := sealer.Open(nil, nonce, body[head:], nil)
	plain = []byte(strings.TrimRight(string(plain), "\x00"))
	if err != nil || len(plain) == 0 || plain[len(plain)-1] != 2 {
		return nil, errors.Join(err, errors.New("no last record"))
	}
	return plain[:len(plain)-1], nil
}
