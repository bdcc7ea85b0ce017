package waiting

import (
	"encoding/base64"
	"strconv"
	"strings"

	"lunchgo/app/token"
	"lunchgo/locks"
)

// Token is a ticket as it is handed to its diner: which line, whose, and the place in it, signed so that nobody can
// make one up, move forward with it, or use another person's.
type Token struct {
	Line    locks.Name
	Ticket  string
	UserID  string
	Arrival int64 // the place; 0 when it was never in the line
}

// Signer signs tokens and reads them back. Every server process must have the same secrets.
type Signer struct{ signer token.Signer }

// NewSigner derives the signing keys for tokens from the installation's secrets.
func NewSigner(secrets token.Secrets) Signer {
	return Signer{token.NewSigner(secrets, "lunchgo ticket pass v1", token.Short)}
}

const tokenFields = 5

// Sign returns the token as text that is safe in a URL.
func (s Signer) Sign(t Token) string {
	return s.signer.SignOpaque(strings.Join([]string{
		t.Line.Partition, t.Line.Key, t.Ticket, t.UserID, strconv.FormatInt(t.Arrival, 36)}, "|"))
}

// Read returns what was signed, for the person it belongs to. Returns ErrUnknownTicket for anything else: a forged
// token, another person's and one that never was look the same.
func (s Signer) Read(text, userID string) (Token, error) {
	payload, ok := s.signer.VerifyOpaque(text)
	f := strings.Split(payload, "|")
	if !ok || len(f) != tokenFields || !isOf(f[3], userID) {
		return Token{}, ErrUnknownTicket
	}
	arrival, err := strconv.ParseInt(f[4], 36, 64)
	if err != nil {
		return Token{}, ErrUnknownTicket
	}
	return Token{Line: locks.Name{Partition: f[0], Key: f[1]}, Ticket: f[2], UserID: f[3], Arrival: arrival}, nil
}

// SameTicket says whether two signed tokens are of the same ticket: a token changes with the place that it carries. It
// does not say whether either is genuine.
func SameTicket(a, b string) bool { return a == b || ticketOf(a) != "" && ticketOf(a) == ticketOf(b) }

// ticketOf reads the line and the id of a token, unverified.
func ticketOf(signed string) string {
	head, _, _ := strings.Cut(signed, ".")
	payload, err := base64.RawURLEncoding.DecodeString(head)
	if f := strings.Split(string(payload), "|"); err == nil && len(f) == tokenFields {
		return strings.Join(f[:3], "|")
	}
	return ""
}
