// Package locks is a fair, first-come-first-served lock on Redis whose place belongs to a ticket.
package locks

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

var errUnbuilt = errors.New("locks: being built")

// Client is one node's access to lines.
type Client struct{}

// NewClient returns a client.
func NewClient(rdb redis.UniversalClient, cfg Config) *Client { return &Client{} }

// Close ends every goroutine and subscription. Tickets stay in Redis for their TTL so that another node can adopt them.
func (c *Client) Close(ctx context.Context) error { return errUnbuilt }

// Line returns the line; the same pointer while it is in use.
func (c *Client) Line(n Name) *Line { return &Line{} }

// Lengths says how many stand in each line: those who wait, the holder, and those served in its turn.
func (c *Client) Lengths(ctx context.Context, names []Name) ([]int, error) { return nil, errUnbuilt }

// Line is one first-come-first-served line.
type Line struct{}

// Name of the line.
func (l *Line) Name() Name { return Name{} }

// Enter takes a place, or finds the one the ticket has.
func (l *Line) Enter(ctx context.Context, e Entry) (Place, error) { return Place{}, errUnbuilt }

// Next waits for the next grant of any ticket this node lends in this line.
func (l *Line) Next(ctx context.Context) (*Turn, error) { return nil, errUnbuilt }

// Lock enters and waits for the ticket's own turn.
func (l *Line) Lock(ctx context.Context, ticket string) (*Turn, error) { return nil, errUnbuilt }

// Leave gives the ticket's place up.
func (l *Line) Leave(ctx context.Context, ticket string) error { return errUnbuilt }

// Close empties the line.
func (l *Line) Close(ctx context.Context, reason string) (int, error) { return 0, errUnbuilt }

// Progress reads the whole line.
func (l *Line) Progress(ctx context.Context) (Progress, error) { return Progress{}, errUnbuilt }

// Estimate is how long a ticket at the position has to wait.
func (p Progress) Estimate(position int) time.Duration { return 0 }

// Turn is the right to work.
type Turn struct{}

// Ticket whose turn it is.
func (t *Turn) Ticket() string { return "" }

// Fence of the turn.
func (t *Turn) Fence() int64 { return 0 }

// Arrival number of the ticket.
func (t *Turn) Arrival() int64 { return 0 }

// Context ends with the lease.
func (t *Turn) Context() context.Context { return nil }

// Take adds up to n waiting tickets of this node to the turn.
func (t *Turn) Take(ctx context.Context, n int) ([]Taken, error) { return nil, errUnbuilt }

// Release ends the turn.
func (t *Turn) Release(ctx context.Context, served int) error { return errUnbuilt }
