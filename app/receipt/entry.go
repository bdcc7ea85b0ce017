package receipt

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrEntry is the error of a text that is no entry of a log.
var ErrEntry = errors.New("receipt: no entry of a log")

// Kind says what an entry records.
type Kind string

// The kinds of entries; the package's documentation explains them.
const (
	Born   Kind = "born"
	Enter  Kind = "enter"
	Turn   Kind = "turn"
	Left   Kind = "left"
	Closed Kind = "closed"
	Lost   Kind = "lost"
	Again  Kind = "again"
)

// maxNumber bounds arrival numbers, fences and times: scripts and browsers count exactly up to there.
const maxNumber = 1<<53 - 1

// commitmentBytes is how much of a ticket's hash stands in a log.
const commitmentBytes = 16

// Commitment stands for a ticket whose id it does not disclose.
type Commitment [commitmentBytes]byte

// Commit returns the commitment of a ticket's id.
func Commit(ticket string) Commitment {
	sum := sha256.Sum256([]byte(ticket))
	return Commitment(sum[:commitmentBytes])
}

// String returns the commitment as logs spell it: 32 hexadecimal digits.
func (c Commitment) String() string { return hex.EncodeToString(c[:]) }

// MarshalText implements encoding.TextMarshaler.
func (c Commitment) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, c[:]), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (c *Commitment) UnmarshalText(text []byte) error { return decodeHex(c[:], string(text)) }

// Ticket is a ticket as a log shows it: its arrival number, and in entries that take it into the line its commitment.
type Ticket struct {
	Arrival    int64
	Commitment Commitment
}

// Entry is one entry of a log.
type Entry struct {
	Kind    Kind
	Number  int64    // the fence of a turn, the time of born (µs)
	Tickets []Ticket // in the order of the text; none of born
}

// takesIn says whether the entry takes tickets into the line, and so names their commitments.
func (e Entry) takesIn() bool { return e.Kind == Enter || e.Kind == Again }

// ParseEntry reads an entry. There is one spelling of each. Returns ErrEntry for any other text.
func ParseEntry(text string) (Entry, error) {
	kind, rest, _ := strings.Cut(text, " ")
	e := Entry{Kind: Kind(kind)}
	var err error
	switch e.Kind {
	case Born:
		e.Number, err = parseNumber(rest)
		return e, err
	case Turn:
		fence, served, _ := strings.Cut(rest, " ")
		if e.Number, err = parseNumber(fence); err != nil {
			return Entry{}, err
		}
		rest = served
	case Enter, Again, Left, Closed, Lost:
	default:
		return Entry{}, fmt.Errorf("%w: %.40q", ErrEntry, text)
	}
	e.Tickets = make([]Ticket, 0, strings.Count(rest, ",")+1)
	for part := range strings.SplitSeq(rest, ",") {
		t, err := e.parseTicket(part)
		if err != nil {
			return Entry{}, err
		}
		e.Tickets = append(e.Tickets, t)
	}
	return e, nil
}

func (e Entry) parseTicket(text string) (t Ticket, err error) {
	if e.takesIn() {
		arrival, commitment, _ := strings.Cut(text, ":")
		if err := decodeHex(t.Commitment[:], commitment); err != nil {
			return Ticket{}, err
		}
		text = arrival
	}
	t.Arrival, err = parseNumber(text)
	return t, err
}

// String returns the entry as it stands in the log.
func (e Entry) String() string {
	var b strings.Builder
	b.WriteString(string(e.Kind))
	separator := byte(' ')
	if e.Kind == Born || e.Kind == Turn {
		b.WriteByte(' ')
		b.WriteString(strconv.FormatInt(e.Number, 10))
	}
	for _, t := range e.Tickets {
		b.WriteByte(separator)
		b.WriteString(strconv.FormatInt(t.Arrival, 10))
		if e.takesIn() {
			b.WriteByte(':')
			b.WriteString(t.Commitment.String())
		}
		separator = ','
	}
	return b.String()
}

// parseNumber reads a positive number in its shortest spelling.
func parseNumber(text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n <= 0 || n > maxNumber || text[0] == '+' || text[0] == '0' {
		return 0, fmt.Errorf("%w: number %.40q", ErrEntry, text)
	}
	return n, nil
}

// decodeHex reads exactly len(to) bytes in lower case digits.
func decodeHex(to []byte, text string) error {
	if len(text) != hex.EncodedLen(len(to)) || strings.ContainsAny(text, "ABCDEF") {
		return fmt.Errorf("%w: digits %.80q", ErrEntry, text)
	}
	if _, err := hex.Decode(to, []byte(text)); err != nil {
		return fmt.Errorf("%w: digits %.80q", ErrEntry, text)
	}
	return nil
}
