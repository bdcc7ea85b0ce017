package waiting

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"strings"

	"lunchgo/locks"
)

// Token is a ticket as it is handed to its diner: which line, whose, and the place in it, signed so that nobody can make
// one up, move forward with it, or use another person's.
type Token struct {
	Line    locks.Name
	Ticket  string
	UserID  string
	Arrival int64 // the place; 0 when it was never in the line
}

// Signer signs tokens and reads them back. Every server process must have the same key.
type Signer struct{ key []byte }

// NewSigner derives the signing key for tokens from the installation's secret.
func NewSigner(secret []byte) Signer {
	return Signer{key: mac(secret, "lunchgo ticket pass v1")}
}

const passFields = 5

// Sign returns the token as text that is safe in a URL.
func (s Signer) Sign(token Token) string {
	body := strings.Join([]string{token.Line.Partition, token.Line.Key, token.Ticket, token.UserID, strconv.FormatInt(token.Arrival, 36)}, "|")
	enc := base64.RawURLEncoding
	return enc.EncodeToString([]byte(body)) + "." + enc.EncodeToString(mac(s.key, body)[:16])
}

// Read returns what was signed, for the person it belongs to. Returns ErrUnknownTicket for anything else: a forged
// token, another person's and one that never was look the same.
func (s Signer) Read(text, userID string) (Token, error) {
	head, tail, _ := strings.Cut(text, ".")
	enc := base64.RawURLEncoding.Strict()
	body, err := enc.DecodeString(head)
	sum, err2 := enc.DecodeString(tail)
	if err != nil || err2 != nil || !hmac.Equal(sum, mac(s.key, string(body))[:16]) {
		return Token{}, ErrUnknownTicket
	}
	f := strings.Split(string(body), "|")
	if len(f) != passFields || f[3] != userID {
		return Token{}, ErrUnknownTicket
	}
	arrival, err := strconv.ParseInt(f[4], 36, 64)
	if err != nil {
		return Token{}, ErrUnknownTicket
	}
	return Token{Line: locks.Name{Partition: f[0], Key: f[1]}, Ticket: f[2], UserID: f[3], Arrival: arrival}, nil
}

func mac(key []byte, body string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(body))
	return h.Sum(nil)
}
