package receipt

import (
	"context"
	"time"

	"lunchgo/app/refusal"
)

// ErrUnknownLog says that no such log is published.
var ErrUnknownLog = refusal.NotFound.Because("receipt: no such log")

// PageSize is how many entries of a log are answered at once, at most.
const PageSize = 1000

// Part is a part of a log.
type Part struct {
	Line    string
	LogID   string
	From    int // index of the first entry
	Entries []string
}

// Store keeps the published logs.
type Store interface {
	// StorePart adds the entries that are not stored yet. Those before the part have to be.
	StorePart(ctx context.Context, p Part) error
	// FindPart returns up to PageSize entries from an index on, of one log of a line, or with an empty logID of the one
	// that was stored last; and the index of what follows, 0 at the end. Returns ErrUnknownLog.
	FindPart(ctx context.Context, line, logID string, from int) (part Part, next int, err error)
	// DeleteBefore forgets some of the logs to which nothing was added since a time.
	DeleteBefore(ctx context.Context, before time.Time) error
}
