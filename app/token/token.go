// Package token signs short texts that leave the program and come back: sessions, tickets, links. Whoever has one can
// read it, but nobody without the installation's secret can make or change one.
package token

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"hash"
	"io"
	"strings"
	"sync"
)

// Lengths of signatures, in bytes.
const (
	Long  = sha256.Size // of what opens an account
	Short = 16          // of what is handed around in addresses; 128 bits nobody guesses
)

// Secrets are an installation's: the first signs, and what any of them has signed verifies. There are two while one
// takes the place of the other.
type Secrets []string

// Signer signs payloads for one purpose. A token that was signed for another purpose does not verify. It is safe for
// concurrent use.
type Signer struct {
	keys   []*sync.Pool // of *keyed, the first signs: to key a hash costs as much as to sign with it
	length int
}

// keyed is a hash with its key, and room for what it says.
type keyed struct {
	hash hash.Hash
	sum  [sha256.Size]byte
}

// NewSigner derives a purpose's keys from the installation's secrets, so every process of it signs alike. The purpose
// names a version ("lunchgo session v1"): with a new one, all older tokens end. length is Long or Short.
func NewSigner(secrets Secrets, purpose string, length int) Signer {
	s := Signer{length: length}
	for _, secret := range secrets {
		key := sumOf([]byte(secret), purpose)
		s.keys = append(s.keys, &sync.Pool{New: func() any { return &keyed{hash: hmac.New(sha256.New, key)} }})
	}
	return s
}

// Sign returns the payload and its signature, safe in a URL where the payload is. The payload stays readable.
func (s Signer) Sign(payload string) string {
	return string(s.sign(s.keys[0], payload))
}

// Verify returns the payload of a token that Sign returned; false for any other text, another spelling of the same
// signature included. It takes as long whichever part of the signature is wrong.
func (s Signer) Verify(token string) (payload string, ok bool) {
	at := strings.LastIndexByte(token, '.')
	if at < 0 {
		return "", false
	}
	payload = token[:at]
	for _, key := range s.keys {
		if hmac.Equal([]byte(token), s.sign(key, payload)) {
			return payload, true
		}
	}
	return "", false
}

func (s Signer) sign(key *sync.Pool, payload string) []byte {
	signed := make([]byte, 0, len(payload)+1+base64.RawURLEncoding.EncodedLen(s.length))
	return s.appendSignature(key, append(signed, payload...), payload)
}

// SignOpaque is Sign for a payload of any bytes: it is encoded first.
func (s Signer) SignOpaque(payload string) string {
	return string(s.signOpaque(s.keys[0], payload))
}

// VerifyOpaque returns the payload of a token that SignOpaque returned; false for any other text.
func (s Signer) VerifyOpaque(token string) (payload string, ok bool) {
	head, _, _ := strings.Cut(token, ".")
	body, err := base64.RawURLEncoding.DecodeString(head)
	if err != nil {
		return "", false
	}
	for _, key := range s.keys {
		if hmac.Equal([]byte(token), s.signOpaque(key, string(body))) {
			return string(body), true
		}
	}
	return "", false
}

func (s Signer) signOpaque(key *sync.Pool, payload string) []byte {
	enc := base64.RawURLEncoding
	signed := make([]byte, 0, enc.EncodedLen(len(payload))+1+enc.EncodedLen(s.length))
	return s.appendSignature(key, enc.AppendEncode(signed, []byte(payload)), payload)
}

// appendSignature appends a dot and the signature of a payload.
func (s Signer) appendSignature(key *sync.Pool, to []byte, payload string) []byte {
	mac := key.Get().(*keyed)
	defer key.Put(mac)
	mac.hash.Reset()
	_, _ = io.WriteString(mac.hash, payload)
	return base64.RawURLEncoding.AppendEncode(append(to, '.'), mac.hash.Sum(mac.sum[:0])[:s.length])
}
