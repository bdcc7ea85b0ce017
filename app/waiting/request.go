package waiting

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"lunchgo/app/booking"
	"lunchgo/locks"
)

// Request is a person's piece of work that waits for its turn in a line.
type Request struct {
	Line           locks.Name
	UserID         string // whose place it is; for staff see personOf
	IdempotencyKey string
	Payload        json.RawMessage // what the Handler of the line needs to serve it
	Seats          int             `json:",omitempty"` // that it takes besides those that its person has
	HoldsSeats     bool            `json:",omitempty"` // it can come true also when the line is closed
	Since          int64           `json:",omitempty"` // ms since the epoch, when it came to a line that stood still
	// of the booking, once the ticket is settled and the rest is gone
	Fingerprint string `json:",omitempty"`
	// of the HTTP request that made the ticket, for the log of its turn
	RequestID string `json:",omitempty"`
	Trace     string `json:",omitempty"` // that the ticket's turn goes on with, where it is recorded

	booking *booking.Request // what Payload says, where it was just written; to be read only
}

// personOf returns whose place in the line a booking takes. A member of staff books for one guest after another, in the
// same line too, so that each such request stands for itself.
func personOf(req booking.Request) string {
	if req.IsByStaff() {
		return StaffPerson(req.UserID, req.IdempotencyKey)
	}
	return req.UserID
}

const (
	staffMark    = "#" // no id of a user has it
	keyHashBytes = 12
)

// StaffPerson returns who stands in a line for a request of staff under a key.
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

// BookingRequest returns what a request in the line of a slot, or of a stay, asks for; of that of a settled ticket only
// the slots, the party size and the reservation that it was to change.
func (r Request) BookingRequest() (booking.Request, error) {
	if r.booking != nil {
		return *r.booking, nil
	}
	var req booking.Request
	if err := json.Unmarshal(r.Payload, &req); err != nil {
		return booking.Request{}, fmt.Errorf("waiting: read the request of a ticket: %w", err)
	}
	return req, nil
}

// BookingFingerprint returns booking.Request.Fingerprint of what a request asks for; empty if it cannot be read.
func (r Request) BookingFingerprint() string {
	if r.Fingerprint != "" {
		return r.Fingerprint
	}
	req, err := r.BookingRequest()
	if err != nil {
		return ""
	}
	return req.Fingerprint()
}
