package locks

import (
	"context"
	"math"
	"sync"
	"time"
)

// maxTake bounds the tickets that one Take adds.
const maxTake = 256

// Turn is the right to work on a line's resource, until Release or until the lease ends. A watchdog renews the lease
// while the turn lasts. It is safe for concurrent use.
type Turn struct {
	line           *Line
	ticket         string
	fence, arrival int64
	ctx            context.Context
	cancel         context.CancelCauseFunc

	party []string // the holder and those taken along; guarded by the desk's mu

	mu       sync.Mutex // guards what follows
	deadline time.Time  // of the lease, by the monotonic clock
	over     bool       // no renewal and no loss any more
	released bool
	expiry   *time.Timer
	renewal  *time.Timer
}

func newTurn(l *Line, g grant, deadline time.Time) *Turn {
	t := &Turn{line: l, ticket: g.ticket, fence: g.fence, arrival: g.arrival, deadline: deadline}
	t.party = []string{g.ticket}
	t.ctx, t.cancel = context.WithCancelCause(l.client.ctx)
	t.mu.Lock() // timers may fire before they are assigned
	defer t.mu.Unlock()
	left := time.Until(deadline)
	t.expiry = time.AfterFunc(left, t.expire)
	t.renewal = time.AfterFunc(left/3, func() { l.client.spawn(l, t.renew) })
	return t
}

// Ticket whose turn it is.
func (t *Turn) Ticket() string { return t.ticket }

// Fence of the turn. Later turns of the line have higher ones; whatever the turn writes must refuse a lower fence
// after a higher one, because a lease can end while its holder works.
func (t *Turn) Fence() int64 { return t.fence }

// Arrival is the number the ticket drew when it entered the line.
func (t *Turn) Arrival() int64 { return t.arrival }

// Context ends when the turn does: released, or lost because its lease was not renewed in time or Config.MaxHold has
// passed (the cause is ErrLeaseLost), judged on the monotonic clock; or because the client was closed.
func (t *Turn) Context() context.Context { return t.ctx }

// Take adds up to n (at most 256) further live tickets to the turn, from the head of the line on as long as this node
// lends them, and returns them in arrival order. They are served in this turn: Release ends their place too. If the
// turn is lost instead, those alive stand again where they stood. Returns ErrStale if the turn is over.
func (t *Turn) Take(ctx context.Context, n int) ([]Taken, error) {
	if n <= 0 {
		return nil, nil
	}
	d, err := t.line.client.desk(t.line)
	if err != nil {
		return nil, err
	}
	defer d.client.done(d)
	r, err := d.call(ctx, d.client.scripts.take, t.ticket, t.fence, min(n, maxTake))
	if err != nil {
		return nil, err
	}
	if r.status == 0 {
		d.count(StaleFence, 1)
		return nil, ErrStale
	}
	return d.take(t, r), nil
}

// take notes on the desk who is served in the turn.
func (d *desk) take(t *Turn, r reply) []Taken {
	if len(r.rest) == 0 {
		return nil
	}
	run, _ := r.rest[0].([]any)
	var out []Taken
	d.mu.Lock()
	defer d.mu.Unlock()
	for i := 0; i+1 < len(run); i += 2 {
		taken := Taken{Ticket: text(run[i]), Arrival: integer(run[i+1])}
		e := d.tickets[taken.Ticket]
		if e == nil { // nobody here waits with it any more; its place ends with the turn
			continue
		}
		if d.current == t {
			e.turn, e.elsewhere, e.seen = t, false, max(e.seen, r.now)
			t.party = append(t.party, e.ticket)
		}
		out = append(out, taken)
	}
	return out
}

// Release ends the turn; the line goes to the next live ticket in the same step. served is how many tickets were
// served in it: it feeds the estimate (0: nobody, measure nothing). Releasing again is no error. Returns ErrStale if
// the turn was over before; then nothing was changed. After an error of Redis the lease is not renewed any more and
// Release may be repeated.
func (t *Turn) Release(ctx context.Context, served int) error {
	t.stop()
	if t.wasReleased() {
		return nil
	}
	defer t.cancel(context.Canceled)
	d, err := t.line.client.desk(t.line)
	if err != nil {
		return err
	}
	defer d.client.done(d)
	r, err := d.call(ctx, d.client.scripts.release, t.ticket, t.fence, max(served, 0))
	switch {
	case err != nil:
		d.turnOver(t, released, math.MaxInt64)
		return err
	case r.status == 0:
		d.count(StaleFence, 1)
		d.turnOver(t, lost, 0)
		return ErrStale
	}
	t.mu.Lock()
	t.released = true
	t.mu.Unlock()
	d.turnOver(t, released, r.now)
	if o := d.client.cfg.Observer; o != nil && r.status == 1 {
		o.Released(d.name, micros(r.integer(0)), served)
	}
	return nil
}

func (t *Turn) wasReleased() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.released
}
