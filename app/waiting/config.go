package waiting

import (
	"context"
	"log/slog"
	"runtime"
	"time"

	"lunchgo/app/receipt"
	"lunchgo/app/telemetry"
	"lunchgo/locks"
)

// Config sets a room's limits. Zero values mean the defaults.
type Config struct {
	Prefix         string        // of every key in Redis
	UserLock       time.Duration // how long another request of the same person is "in progress"; 5 s
	MaxWait        time.Duration // the longest time in a line; 30 min
	Repeats        time.Duration // how long a repeat of a settled request finds its result; 15 min
	MaxLine        int           // the longest line; 50,000
	MaxLines       int           // how many lines of one evening a person may wait in; 5
	BatchSize      int           // how many requests one turn serves at most; 64
	MaxTurns       int           // how many turns are served at once; twice the processors
	MaxConcurrent  int           // how many people may enter, come back or leave at once; 128: a group
	AcquireTimeout time.Duration // how long the others wait for that; 6 s
	Lines          locks.Config  // leases, beats and time-outs of the line
	Receipts       receipt.Signer
	Logs           receipt.Store // of lines that have ended; nil: they are not published

	// Tallies adds how many requests ended how to what is stored, every TallyEvery. nil: nobody wants to know.
	Tallies    func(ctx context.Context, counted []Tally) error
	TallyEvery time.Duration // 5 s

	noOrphans bool // tests show what becomes of them then

	// ServedSince says, by the fences in the database, whether a turn was served after a moment. nil: nobody knows, and
	// each Redis server whose data are younger than Repeats may have lost some.
	ServedSince func(ctx context.Context, since time.Time) (bool, error)

	// Seen stores that diners have got reservations for whom nobody watched when their turn came
	// (QueuedRequest.Watched). nil: nobody wants to know.
	Seen func(ctx context.Context, reservationIDs []string) error
	Log  *slog.Logger

	Tracer *telemetry.Tracer // nil: no traces
}

func (c Config) withDefaults() Config {
	set := func(d *time.Duration, to time.Duration) {
		if *d == 0 {
			*d = to
		}
	}
	setInt := func(n *int, to int) {
		if *n == 0 {
			*n = to
		}
	}
	set(&c.UserLock, 5*time.Second)
	set(&c.MaxWait, 30*time.Minute)
	set(&c.Repeats, 15*time.Minute)
	set(&c.TallyEvery, tallyEvery)
	setInt(&c.MaxLine, 50_000)
	setInt(&c.MaxLines, 5)
	setInt(&c.BatchSize, 64)
	setInt(&c.MaxTurns, 2*runtime.GOMAXPROCS(0))
	setInt(&c.MaxConcurrent, mostPeople)
	set(&c.AcquireTimeout, 6*time.Second)
	if c.Log == nil {
		c.Log = slog.Default()
	}
	return c
}
