package waiting

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strings"

	"lunchgo/locks"
)

// Request is a person's piece of work that waits for its turn in a line.
type Request struct {
	Line           locks.Name
	UserID         string // whose place it is; for staff see StaffPerson
	IdempotencyKey string
	Payload        json.RawMessage // what the Handler of the line needs to serve it
	Seats          int             `json:",omitempty"` // that it takes besides those that its person has
	HoldsSeats     bool            `json:",omitempty"` // it can come true also when the line is closed
	Since          int64           `json:",omitempty"` // ms since the epoch, when it came to a line that stood still
	// of what is asked for, once the ticket is settled and the rest is gone
	Fingerprint string `json:",omitempty"`
	// of the HTTP request that made the ticket, for the log of its turn
	RequestID string `json:",omitempty"`
	Trace     string `json:",omitempty"` // that the ticket's turn goes on with, where it is recorded

	Written any `json:"-"` // what Payload says, where the Handler has just written it; to be read only
}

const (
	staffMark    = "#" // no id of a user has it
	keyHashBytes = 12
)

// StaffPerson returns who stands in a line for a request of staff under a key: each such request stands for itself.
func StaffPerson(userID, key string) string {
	sum := sha256.Sum256([]byte(key))
	return userID + staffMark + base64.RawURLEncoding.EncodeToString(sum[:keyHashBytes])
}

// isOf returns whether the place of a person is a user's: their own, or one that they took as staff.
func isOf(person, userID string) bool {
	own, _, asStaff := strings.Cut(person, staffMark)
	return person == userID || asStaff && own == userID && userID != ""
}

// StaffOf returns the member of staff who stands in the line with a request; false for one of a diner.
func StaffOf(req Request) (userID string, asStaff bool) {
	userID, _, asStaff = strings.Cut(req.UserID, staffMark)
	return userID, asStaff
}

// settled returns the request as it is kept beside its result.
func (r Request) settled(handler Handler) Request {
	r.RequestID, r.Trace = "", ""
	return handler.Outline(r)
}
