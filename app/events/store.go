package events

import (
	"context"
	"time"
)

// Lease is what one process at a time has of the feed to Kafka.
type Lease struct {
	Holder string        // of this process
	For    time.Duration // until somebody else may take it, unless it is renewed
	Wanted time.Duration // how long events are written from now on, also while no process asks for them
}

// Backlog is what waits to be sent; of very many, as many as are counted.
type Backlog struct {
	Waiting int
	Oldest  time.Duration // how long the first of them waits
}

// Waiting are events that wait to be sent to a topic.
type Waiting struct {
	Kind   string   // what their types begin with: lunchgo.reservation
	Except []string // keys
	Limit  int
}

// Start is where a replay or a Follow begins: both hold.
type Start struct {
	ID int64
	At time.Time
}

// Store keeps the events.
type Store interface {
	// Hold asks for events to be written for a while, and takes or renews the lease by the database's clock. It returns
	// false while another process has it.
	Hold(ctx context.Context, lease Lease) (bool, error)
	// Release ends the lease of a holder, if it is theirs.
	Release(ctx context.Context, holder string) error
	// Want asks for events to be written for a while from now on, as Hold does, and takes no lease.
	Want(ctx context.Context, wanted time.Duration) error
	// ListWaiting returns the first events that wait to be sent, those of each key in their order.
	ListWaiting(ctx context.Context, w Waiting) ([]Event, error)
	// MarkSent notes that events do not wait any more. Whoever has sent them may do so, with the lease or without it.
	MarkSent(ctx context.Context, ids []int64) error
	// AnnounceSlots writes the events of slots that sold out or have seats again, and returns how many. Any process may
	// do so.
	AnnounceSlots(ctx context.Context) (int, error)
	// Backlog returns what waits for each topic.
	Backlog(ctx context.Context) (map[string]Backlog, error)
	// Trim deletes some of the events that nobody waits for and that were written longer ago than keep, and returns how
	// many.
	Trim(ctx context.Context, keep time.Duration, limit int) (int, error)
	// ListSent returns kept events that do not wait from a start on, in the order of their ids.
	ListSent(ctx context.Context, from Start, limit int) ([]Event, error)
	// ListFrom returns kept events from a start on, in the order of their ids, whether they wait or not.
	ListFrom(ctx context.Context, from Start, limit int) ([]Event, error)
}
