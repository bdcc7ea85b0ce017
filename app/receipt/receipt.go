package receipt

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"
)

// ErrReceipt is the error of a text that is no receipt.
var ErrReceipt = errors.New("receipt: no receipt")

// MaxSize bounds a receipt as a file, in bytes.
const MaxSize = 8 << 10

// maxPath bounds the path of a receipt.
const maxPath = 16

// Receipt is what the server signed for one ticket: at Time, the first Entries entries of the log LogID of Line had the
// head Head, and the ticket was among them with the number Arrival. A ticket of a joint line stands in the logs of all
// its lines; its receipt names the first.
type Receipt struct {
	// The line's id; of a ticket in several lines that of the first.
	Line string `json:"line"`
	// Names the log: the beginning of the hash of its first entry.
	LogID   string     `json:"log"`
	Arrival int64      `json:"arrival"` // the ticket's number in the line
	Ticket  Commitment `json:"ticket"`  // the beginning of the SHA-256 of the ticket's id
	Entries int        `json:"entries"`
	// SHA-256 over the head of the entries before and the last entry; that of none is over the line's id.
	Head Hash      `json:"head"`
	Time time.Time `json:"time"`
	Key  string    `json:"key"` // names the key that signed: the beginning of its SHA-256
	// Hashes that lead from this receipt to the root that was signed for several at once.
	Path      []Hash    `json:"path,omitempty"`
	Signature Signature `json:"signature"` // Ed25519
}

// Signature is Ed25519's.
type Signature [ed25519.SignatureSize]byte

// MarshalText implements encoding.TextMarshaler.
func (s Signature) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, s[:]), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *Signature) UnmarshalText(text []byte) error { return decodeHex(s[:], string(text)) }

// Parse reads a receipt file. Returns ErrReceipt for any other text.
func Parse(text []byte) (Receipt, error) {
	if len(text) > MaxSize {
		return Receipt{}, fmt.Errorf("%w: %d bytes", ErrReceipt, len(text))
	}
	var r Receipt
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&r); err != nil {
		return Receipt{}, fmt.Errorf("%w: %w", ErrReceipt, err)
	}
	if decoder.More() || r.Line == "" || r.LogID == "" || r.Entries <= 0 || r.Arrival <= 0 || len(r.Path) > maxPath {
		return Receipt{}, ErrReceipt
	}
	return r, nil
}

// File returns the receipt as a file to keep: JSON, indented.
func (r Receipt) File() ([]byte, error) {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("receipt: write a receipt: %w", err)
	}
	return append(text, '\n'), nil
}

// statement is what the signature says of the receipt, in one spelling.
func (r Receipt) statement() []byte {
	b := make([]byte, 0, 384)
	b = append(b, "lunchgo receipt v1\nline "...)
	b = strconv.AppendQuote(b, r.Line)
	b = append(b, "\nlog "...)
	b = strconv.AppendQuote(b, r.LogID)
	b = append(b, "\narrival "...)
	b = strconv.AppendInt(b, r.Arrival, 10)
	b = append(b, "\nticket "...)
	b = append(b, r.Ticket.String()...)
	b = append(b, "\nentries "...)
	b = strconv.AppendInt(b, int64(r.Entries), 10)
	b = append(b, "\nhead "...)
	b = append(b, r.Head.String()...)
	b = append(b, "\ntime "...)
	b = strconv.AppendInt(b, r.Time.UnixMicro(), 10)
	return append(b, '\n')
}

// leaf is the receipt's node in the tree that is signed.
func (r Receipt) leaf() Hash { return sha256.Sum256(append([]byte{0}, r.statement()...)) }

// SignedBy says whether key signed the receipt as it is.
func (r Receipt) SignedBy(key PublicKey) bool {
	node := r.leaf()
	for _, beside := range r.Path {
		node = parent(node, beside)
	}
	return ed25519.Verify(key[:], signedText(node), r.Signature[:])
}
