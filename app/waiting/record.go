package waiting

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"lunchgo/locks"
)

// storedTicket is a ticket's record, as it is stored in Redis.
type storedTicket struct {
	Ticket  string
	At      time.Time // of Redis' clock: when it was made, or got its result
	Request Request   // of a ticket with a result only Request.settled
	Arrival int64     // of a ticket with a result; 0 when that is not known
	Result  *Result   // nil while it waits
}

// enteredAt is when the ticket's person came.
func (s storedTicket) enteredAt() time.Time {
	if s.Request.Since > 0 {
		return time.UnixMilli(s.Request.Since)
	}
	return s.At
}

// The states of a record, for scripts.
const (
	stateWaits = "w"
	stateDone  = "d"
)

// recordFields is how many lines a record's text has. A record is written as lines, so that scripts need not read JSON:
// state, ms since the epoch, partition and key of the line, idempotency key, and a recordBody.
const recordFields = 6

// recordBody is what scripts need not know of a record, as JSON.
type recordBody struct {
	Payload     json.RawMessage `json:"payload,omitempty"`
	Seats       int             `json:"seats,omitempty"`
	HoldsSeats  bool            `json:"holdsSeats,omitempty"`
	Since       int64           `json:"since,omitempty"`
	Fingerprint string          `json:"fingerprint,omitempty"`
	RequestID   string          `json:"requestId,omitempty"`
	Trace       string          `json:"trace,omitempty"`
	Arrival     int64           `json:"arrival,omitempty"`
	Result      *Result         `json:"result,omitempty"`
}

// fields returns the lines of a record's text from the line's partition on.
func (s storedTicket) fields() ([]string, error) {
	body, err := json.Marshal(recordBody{Payload: s.Request.Payload, Seats: s.Request.Seats,
		HoldsSeats: s.Request.HoldsSeats, Since: s.Request.Since, Fingerprint: s.Request.Fingerprint,
		Arrival: s.Arrival, Result: s.Result, RequestID: s.Request.RequestID, Trace: s.Request.Trace})
	if err != nil {
		return nil, fmt.Errorf("waiting: write a ticket: %w", err)
	}
	key := strconv.Quote(s.Request.IdempotencyKey) // whatever the client chose, it is one line
	return []string{s.Request.Line.Partition, s.Request.Line.Key, key, string(body)}, nil
}

// text returns the text of a record, as admit.lua and settle.lua write it.
func (s storedTicket) text() (string, error) {
	state := stateWaits
	if s.Result != nil {
		state = stateDone
	}
	fields, err := s.fields()
	return strings.Join(append([]string{state, strconv.FormatInt(s.At.UnixMilli(), 10)}, fields...), "\n"), err
}

// readRecord reads the text of a ticket's record.
func readRecord(userID, ticket, text string) (storedTicket, error) {
	f := strings.SplitN(text, "\n", recordFields)
	if len(f) != recordFields || f[0] != stateWaits && f[0] != stateDone {
		return storedTicket{}, fmt.Errorf("waiting: the record of a ticket is not one")
	}
	at, err := strconv.ParseInt(f[1], 10, 64)
	if err != nil {
		return storedTicket{}, fmt.Errorf("waiting: read a ticket: %w", err)
	}
	key, err := strconv.Unquote(f[4])
	if err != nil {
		return storedTicket{}, fmt.Errorf("waiting: read a ticket: %w", err)
	}
	var body recordBody
	if err := json.Unmarshal([]byte(f[5]), &body); err != nil {
		return storedTicket{}, fmt.Errorf("waiting: read a ticket: %w", err)
	}
	if (f[0] == stateDone) != (body.Result != nil) {
		return storedTicket{}, fmt.Errorf("waiting: the record of a ticket contradicts itself")
	}
	return storedTicket{Ticket: ticket, At: time.UnixMilli(at), Arrival: body.Arrival, Result: body.Result,
		Request: Request{Line: locks.Name{Partition: f[2], Key: f[3]}, UserID: userID, IdempotencyKey: key,
			Payload: body.Payload, Seats: body.Seats, HoldsSeats: body.HoldsSeats, Since: body.Since,
			Fingerprint: body.Fingerprint, RequestID: body.RequestID, Trace: body.Trace}}, nil
}
