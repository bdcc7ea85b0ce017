package receipt

import (
	"encoding/json"
	"fmt"
)

// State says how far a line's log is published.
type State string

// The states of a log.
const (
	Open  State = "open"  // somebody waits in the line: there are entries as far as all before are answered
	Ended State = "ended" // nobody waits
)

// Log is a line's log as it is published under /api/lines/{line}/log.
type Log struct {
	Line      string    `json:"line"`
	LogID     string    `json:"log,omitempty"`
	State     State     `json:"state"`
	PublicKey PublicKey `json:"publicKey"`
	// of receipts that were signed before SECRET was changed
	OldPublicKeys []PublicKey `json:"oldPublicKeys,omitempty"`
	From          int         `json:"from"`           // index of the first of Entries
	Next          int         `json:"next,omitempty"` // index from which to ask for more; 0: there are no more
	Entries       []string    `json:"entries"`
}

// PublicKeys returns all keys of the site that published the log.
func (l Log) PublicKeys() []PublicKey { return append([]PublicKey{l.PublicKey}, l.OldPublicKeys...) }

// ParseLog reads a published log. Returns ErrEntry for any other text.
func ParseLog(text []byte) (Log, error) {
	var l Log
	if err := json.Unmarshal(text, &l); err != nil {
		return Log{}, fmt.Errorf("%w: %w", ErrEntry, err)
	}
	if l.Line == "" || l.State != Open && l.State != Ended {
		return Log{}, fmt.Errorf("%w: no log", ErrEntry)
	}
	return l, nil
}
