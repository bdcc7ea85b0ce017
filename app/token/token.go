// Package token signs short texts that leave the program and come back: sessions, tickets, links. Whoever has one can read it,
// but nobody without the installation's secret can make or change one.
package token

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strings"
)

// Lengths of signatures, in bytes.
const (
	Long  = sha256.Size // of what opens an account
	Short = 16          // of what is handed around in addresses; 128 bits nobody guesses
)

// Signer signs payloads for one purpose. A token that was signed for another purpose does not verify. It is safe for
// concurrent use.
type Signer struct {
	key    []byte
	length int
}

// NewSigner derives a purpose's key from the installation's secret, so every process of it signs alike. The purpose names a
// version ("lunchgo session v1"): with a new one, all older tokens end. length is Long or Short.
func NewSigner(secret []byte, purpose string, length int) Signer {
	return Signer{key: mac(secret, purpose), length: length}
}

// Sign returns the payload and its signature, safe in a URL where the payload is. The payload stays readable.
func (s Signer) Sign(payload string) string {
	return payload + "." + base64.RawURLEncoding.EncodeToString(mac(s.key, payload)[:s.length])
}

// Verify returns the payload of a token that Sign returned; false for any other text, another spelling of the same signature
// included. It takes as long whichever part of the
// signature is wrong.
func (s Signer) Verify(token string) (payload string, ok bool) {
	at := strings.LastIndexByte(token, '.')
	if at < 0 {
		return "", false
	}
	payload = token[:at]
	if !hmac.Equal([]byte(token), []byte(s.Sign(payload))) {
		return "", false
	}
	return payload, true
}

// SignOpaque is Sign for a payload of any bytes: it is encoded first.
func (s Signer) SignOpaque(payload string) string {
	enc := base64.RawURLEncoding
	return enc.EncodeToString([]byte(payload)) + "." + enc.EncodeToString(mac(s.key, payload)[:s.length])
}

// VerifyOpaque returns the payload of a token that SignOpaque returned; false for any other text.
func (s Signer) VerifyOpaque(token string) (payload string, ok bool) {
	head, _, _ := strings.Cut(token, ".")
	body, err := base64.RawURLEncoding.DecodeString(head)
	if err != nil || !hmac.Equal([]byte(token), []byte(s.SignOpaque(string(body)))) {
		return "", false
	}
	return string(body), true
}

func mac(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}
