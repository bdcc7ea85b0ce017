package waiting

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"lunchgo/locks"
)

// Request is a person's piece of work that waits for its turn in a line.
type Request struct {
	Line           locks.Name
	UserID         string
	IdempotencyKey string
	Payload        json.RawMessage // what the Server of the line needs to serve it
	Seats          int             `json:",omitempty"` // that it takes besides those that its person has
	HoldsSeats     bool            `json:",omitempty"` // it can come true also when the line is closed
}

// Served is a wish whose turn has come.
type Served struct {
	Request
	Ticket  string // id, not the signed pass
	Arrival int64  // the line's arrival number
	foreign bool   // another process lends the ticket
}

// State is where a ticket stands.
type State string

// The states of a ticket. All but Waiting are final.
const (
	Waiting  State = "waiting"
	Reserved State = "reserved" // the wish came true
	Rejected State = "rejected" // the turn came, and the answer was no; Code says why
	Left     State = "left"     // the diner left the line, or was away for longer than the grace
)

// Codes of results that the room itself gives.
const (
	CodeLeft        = "left"
	CodeWaitTimeout = "wait_timeout" // stood in line for longer than Config.MaxWait
	CodeUnavailable = "unavailable"  // could not be served, again and again
)

// Result is the final answer to a wish. It is stored with the ticket for browsers that come back.
type Result struct {
	State         State  `json:"state"`
	Code          string `json:"code,omitempty"`
	ReservationID string `json:"reservationId,omitempty"`
	ClaimID       string `json:"claimId,omitempty"`   // of a coupon
	Changed       bool   `json:"changed,omitempty"`   // the wish was to change the reservation
	Amount        int64  `json:"amount,omitempty"`    // won that a change costs by now, for CodeAmountChanged
	Remaining     int    `json:"remaining,omitempty"` // seats left when it was refused
	OnHold        int    `json:"onHold,omitempty"`    // seats that wait for payment and may return
	Detail        string `json:"detail,omitempty"`    // what else the Server says of it, as it wrote that
}

// Status is what a watcher is told.
type Status struct {
	State    State
	Position int // people ahead in the line plus one; 0 while the turn is being served
	Count    int // how many wait in the line
	Estimate time.Duration
	// SeatsAhead is how many seats those ahead ask for, in all processes, those being served among them. Where
	// SeatsAheadKnown is false, it may be more.
	SeatsAhead      int
	SeatsAheadKnown bool
	Local           bool   // the line cannot be asked: places are kept by each process for itself until it can
	Result          Result // once State is final
	Reconnect       bool   // the process is about to end: come back in a moment, the place is kept
}

// Handler does the work of a line's turns.
type Handler interface {
	// Precheck answers a wish that cannot come true anyway, from what is cached; false lets it enter the line.
	Precheck(ctx context.Context, w Request) (Result, bool)
	// Serve does the work of a run of wishes, in arrival order, under the turn's fence, in one transaction. The results
	// are in the order of the run; closings are the lines, of those that the turn's line is made of, in which nobody can
	// still be served, with the answer to everyone behind.
	// ctx ends when the turn is lost. Returns ErrOvertaken or ErrUnavailable where another try may do; after any other
	// error the wishes are served one by one.
	Serve(ctx context.Context, turn Turn, run []Served) (results []Result, closings []Closing, err error)
	// Remaining is how many more wishes of a line can come true at most, from what is cached; false when that is not known.
	// Whoever stands behind them is answered when those ahead have taken what is left, and waits no longer than that.
	Remaining(ctx context.Context, line locks.Name) (int, bool)
	// FindResult finds the result of a ticket in the database, for the case that all else was lost. Returns ErrUnknownTicket.
	FindResult(ctx context.Context, line locks.Name, ticket string) (Result, error)
}

// Closing is the answer to everyone who stands in a line, alone or together with others.
type Closing struct {
	Line   locks.Name
	Result Result
}

// Turn names the line a run is served in, and the fence it is served under.
type Turn struct {
	Line  locks.Name
	Fence int64
}

// What can go wrong in the waiting room.
var (
	ErrInProgress    = errors.New("waiting: the same person's other press is in progress")
	ErrCrowded       = errors.New("waiting: too many come at once")
	ErrTooMany       = errors.New("waiting: the person stands in too many lines")
	ErrLineFull      = errors.New("waiting: the line is at its longest")
	ErrUnknownTicket = errors.New("waiting: no such ticket")
	ErrClosing       = errors.New("waiting: the server is about to end")
	ErrOvertaken     = errors.New("waiting: a later turn was served before")
	ErrUnavailable   = errors.New("waiting: cannot be served just now")
)
