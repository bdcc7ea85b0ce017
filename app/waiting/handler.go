package waiting

import (
	"context"

	"lunchgo/locks"
)

// LineIDs gives lines their public ids.
type LineIDs interface {
	// LineID is the id of a line, safe in a URL. A joint line has that of its first.
	LineID(line locks.Name) string
	// ParseLineID returns the line that an id names. Returns ErrUnknownTicket for any other text.
	ParseLineID(id string) (locks.Name, error)
}

// Handler does the work of a line's turns.
type Handler interface {
	LineIDs

	// Precheck refuses a request that cannot come true anyway, from what is cached; false lets it enter the line.
	Precheck(ctx context.Context, req Request) (Result, bool)
	// CheckLimits refuses a request of somebody who was served lately and has as much as a limit allows: they need not
	// wait for that answer. False lets it enter the line, where the same is decided.
	CheckLimits(ctx context.Context, req Request) (Result, bool)
	// Serve serves a batch of requests, in arrival order, under the turn's fence, in as few transactions as it can. The
	// results are in the order of the batch; closings are the lines, of those that the turn's line is made of, in which
	// nobody can be served any more, with the result of everyone behind. ctx ends when the turn is lost. Returns
	// ErrOvertaken or ErrUnavailable where another try may do; after any other error the room serves the requests one
	// by one. With an error, results are those of the first requests of the batch whose transactions are committed. A
	// result in the state Waiting leaves its request in its place: the line stands still.
	//
	// A request may come again after it was served, when a process could not hear of that because Redis was away: the
	// handler knows it by its user, line and key, and answers what it came to.
	Serve(ctx context.Context, turn Turn, batch []QueuedRequest) (results []Result, closings []Closing, err error)
	// Remaining returns what is left for the requests of a line, from what is cached; false when that is not known.
	// Whoever is behind them gets a result when those ahead have taken what is left, and waits no longer than that.
	Remaining(ctx context.Context, line locks.Name) (Remaining, bool)
	// Steering returns what staff have set of a line, from what is cached. A line without anything set goes on.
	Steering(ctx context.Context, line locks.Name) Steering
	// FindResult finds the result of a ticket in the database, where Redis has lost it. Returns ErrUnknownTicket.
	FindResult(ctx context.Context, line locks.Name, ticket string) (Result, error)
	// FindEarlier finds in the database what earlier requests of the same persons in the same lines under the same keys
	// came to, in their order. A request may have no Payload: the one that it finds has. Returns an error that is
	// refusal.Unavailable where the database does not answer.
	FindEarlier(ctx context.Context, requests []Request) ([]Earlier, error)
	// Outline returns what is kept of a request beside its result, as little as will do to know a repeat.
	Outline(req Request) Request
}

// Remaining is what is left for the requests of a line.
type Remaining struct {
	Requests int // that can come true, at most
	// Seats that they share, and how many the smallest request takes; 0 where seats have names, and the fit decides.
	Seats, Smallest int
}

// QueuedRequest is a request whose turn has come.
type QueuedRequest struct {
	Request
	Ticket  string // the id, not the signed token
	Arrival int64  // the line's arrival number
	Watched bool   // somebody watched for the result here when the turn came
	foreign bool   // it is a ticket of another process
}

// Turn names the line in which a batch is served, and the fence under which.
type Turn struct {
	Line  locks.Name
	Fence int64
}

// Closing is the result of everyone who waits in a line, alone or together with others.
type Closing struct {
	Line   locks.Name
	Result Result
}
