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
	Line  string `json:"line"`
	LogID string `json:"log,omitempty"` // names the log; absent while none is published
	// open: somebody waits in the line, and what follows is not published yet; ended: nobody does.
	State     State     `json:"state"`
	PublicKey PublicKey `json:"publicKey"` // Ed25519; checks the receipts
	// Check receipts that were given before the key was changed; absent if it was not.
	OldPublicKeys []PublicKey `json:"oldPublicKeys,omitempty"`
	From          int         `json:"from"` // index of the first of the entries
	// From where to ask for more; absent at the end.
	Next int `json:"next,omitempty"`
	// `born µs`, `enter arrival:ticket,…`, `turn fence arrival,…`, `left arrival`, `closed arrival,…`, `lost
	// arrival`, `again arrival:ticket,…`.
	Entries []string `json:"entries"`
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
