package waiting

import (
	"encoding/json"

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
}
