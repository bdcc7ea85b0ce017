package waiting

import (
	"encoding/json"
	"fmt"

	"lunchgo/app/booking"
	"lunchgo/locks"
)

// Request is a person's piece of work that waits for its turn in a line.
type Request struct {
	Line           locks.Name
	UserID         string
	IdempotencyKey string
	Payload        json.RawMessage // what the Handler of the line needs to serve it
	Seats          int             `json:",omitempty"` // that it takes besides those that its person has
	HoldsSeats     bool            `json:",omitempty"` // it can come true also when the line is closed
	Since          int64           `json:",omitempty"` // ms since the epoch, when it came to a line that stood still
	Fingerprint    string          `json:",omitempty"` // of the booking, once the ticket is settled and the rest is gone

	booking *booking.Request // what Payload says, where it was just written; to be read only
}

// BookingRequest returns what a request in the line of a slot, or of a stay, asks for; of that of a settled ticket only the
// slots, the party size and the reservation that it was to change.
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
