package receipt

import (
	"crypto/sha256"
	"encoding/hex"
)

// Hash is the head of a chain, or a node over signed statements: a SHA-256.
type Hash [sha256.Size]byte

// String returns the hash in hexadecimal digits.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// MarshalText implements encoding.TextMarshaler.
func (h Hash) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, h[:]), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (h *Hash) UnmarshalText(text []byte) error { return decodeHex(h[:], string(text)) }

// logIDDigits is how many digits of its first head name a log.
const logIDDigits = 16

// Chain is the head of a log and how many entries it commits to.
type Chain struct {
	Line    string // the line's public id
	LogID   string // empty before the first entry
	Entries int
	Head    Hash
}

// NewChain returns the chain of a line's log before its first entry.
func NewChain(line string) Chain {
	return Chain{Line: line, Head: sha256.Sum256([]byte("lunchgo line log v1\n" + line))}
}

// Append adds an entry's text.
func (c *Chain) Append(text string) {
	buffer := make([]byte, 0, 512)
	buffer = append(append(buffer, c.Head[:]...), text...)
	c.Head = sha256.Sum256(buffer)
	if c.Entries == 0 {
		c.LogID = c.Head.String()[:logIDDigits]
	}
	c.Entries++
}

// IsLogID says whether text could be the id of a log.
func IsLogID(text string) bool { return decodeHex(make([]byte, logIDDigits/2), text) == nil }

// LogID returns the id of a line's log that begins with an entry.
func LogID(line, first string) string {
	c := NewChain(line)
	c.Append(first)
	return c.LogID
}
