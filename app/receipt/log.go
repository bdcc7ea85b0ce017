package receipt

import (
	"encoding/json"
	"fmt"
	"time"
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
	From      int       `json:"from"`           // index of the first of Entries
	Next      int       `json:"next,omitempty"` // index from which to ask for more; 0: there are no more
	Entries   []string  `json:"entries"`

	// ReadAt is when the log was read. A receipt from shortly before that may not be in it yet. Zero: all have to be.
	ReadAt time.Time `json:"-"`
}

// lag is how long what has ended may take to be published.
const lag = time.Minute

// complete says whether the log must hold what a receipt commits to.
func (l Log) complete(r Receipt) bool {
	return l.State == Ended && (l.ReadAt.IsZero() || r.Time.Add(lag).Before(l.ReadAt))
}

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
