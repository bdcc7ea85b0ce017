package locks

import (
	"context"
	"maps"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// maxTake bounds the tickets that one Take adds.
const maxTake = 256

// Turn is the right to work on a line's resource, until Release or until the lease ends. A watchdog renews the lease
// while the turn lasts. It is safe for concurrent use.
type Turn struct {
	*heldTurn
	released sync.Once // counts a handle once, however often it is released
}

// heldTurn is what all handles on one turn share.
type heldTurn struct {
	line           *Line
	ticket         string
	fence, arrival int64
	acquired       int64  // µs of Redis' clock
	work           string // of a ticket that was adopted with the turn
	local          bool   // given in memory, not by Redis
	ctx            context.Context
	cancel         context.CancelCauseFunc

	// Guarded by the session's mu.
	alone   bool            // nobody waited behind it when it was granted
	party   []string        // the holder and the tickets taken along
	foreign map[string]bool // the tickets taken along that other nodes own
	unsure  bool            // a Take failed: Redis may have taken tickets along that nobody here knows of

	mu       sync.Mutex // guards what follows
	handles  int        // Turns that have not been released
	deadline time.Time  // of the lease, by the monotonic clock
	over     bool       // no renewal and no loss any more
	ended    bool       // Redis has confirmed its end
	expiry   *time.Timer
	renewal  *time.Timer
}

func newHeldTurn(l *Line, g grant, deadline time.Time) *heldTurn {
	t := &heldTurn{line: l, ticket: g.ticket, fence: g.fence, arrival: g.arrival, deadline: deadline}
	t.acquired, t.local, t.alone = g.acquired, g.local, g.alone
	t.party, t.foreign = []string{g.ticket}, map[string]bool{}
	t.ctx, t.cancel = context.WithCancelCause(l.client.ctx)
	t.mu.Lock() // timers may fire before they are assigned
	defer t.mu.Unlock()
	left := l.client.until(deadline)
	t.expiry = time.AfterFunc(left, t.expire)
	t.renewal = time.AfterFunc(left/3, func() { l.client.spawn(l, t.renew) })
	return t
}

// newHandle makes a Turn to hand out.
func (t *heldTurn) newHandle() *Turn {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.handles++
	return &Turn{heldTurn: t}
}

// Ticket whose turn it is.
func (t *heldTurn) Ticket() string { return t.ticket }

// Fence of the turn. Later turns of the line have higher ones; whatever the turn writes must refuse a lower fence
// after a higher one, because a lease can end while its holder works.
func (t *heldTurn) Fence() int64 { return t.fence }

// Work is the Entry.Work of the turn's own ticket when its node has died and this one serves it instead; else empty.
// Turn.Release takes a Result for such a ticket.
func (t *heldTurn) Work() string { return t.work }

// Arrival is the number the ticket drew when it entered the line.
func (t *heldTurn) Arrival() int64 { return t.arrival }

// Since is how long after an arrival number was drawn the turn began, by Redis' clock. A Fence does not tell: it may be
// ahead of the clock.
func (t *heldTurn) Since(arrival int64) time.Duration { return micros(t.acquired - arrival) }

// Context ends when the turn does: released, or lost because its lease was not renewed in time or Config.MaxHold has
// passed (the cause is ErrLeaseLost), judged on the monotonic clock; or because the client was closed.
func (t *heldTurn) Context() context.Context { return t.ctx }

// Reenter returns the turn once more, for a part of the work that takes and releases it by itself. The turn ends when
// every Turn of it is released; the context, the fence and the lease are shared. Returns ErrStale if the turn is over.
func (t *heldTurn) Reenter() (*Turn, error) {
	t.mu.Lock()
	over := t.over
	t.mu.Unlock()
	if over {
		return nil, ErrStale
	}
	return t.newHandle(), nil
}

// Release ends the turn; the line goes to the next live ticket in the same step. served is how many tickets were
// served in it: it feeds the estimate (0: nobody, measure nothing). results are for tickets taken along from other
// nodes. Releasing again is no error. Returns ErrStale if the turn was over before; then nothing was changed. After an
// error of Redis the lease is not renewed any more and Release may be repeated.
func (t *Turn) Release(ctx context.Context, served int, results ...Result) error {
	return t.ReleaseWith(ctx, nil, served, results...)
}

// ReleaseWith is Release with further commands in the same round trip to Redis. along adds them; it is called again if
// the release has to be sent again, and not at all where that takes place in memory (Config.Fallback) or the turn goes
// on.
func (t *Turn) ReleaseWith(ctx context.Context, along func(redis.Pipeliner), served int, results ...Result) error {
	t.released.Do(func() {
		t.mu.Lock()
		t.handles--
		t.mu.Unlock()
	})
	t.mu.Lock()
	shared := t.handles > 0
	t.mu.Unlock()
	if shared {
		return nil
	}
	return t.finish(func(s *session) error { return s.release(ctx, t.heldTurn, along, served, results) })
}

// finish ends the turn once, by a call of its session.
func (t *heldTurn) finish(call func(*session) error) error {
	t.stop()
	if t.hasEnded() {
		return nil
	}
	defer t.cancel(context.Canceled)
	s, err := t.line.client.session(t.line)
	if err != nil {
		return err
	}
	defer s.client.endUse(s)
	return call(s)
}

// release ends a turn in Redis and on the session.
func (s *session) release(ctx context.Context, t *heldTurn, along func(redis.Pipeliner), served int,
	results []Result) error {
	c := s.newCommand(opRelease, s.releaseArgs(t, served, results))
	c.along = along
	r, err := s.callWith(ctx, c)
	if err != nil {
		s.endTurn(t, released, math.MaxInt64)
		return err
	}
	err = s.confirmEnd(t, released, r)
	if o := s.client.cfg.Observer; o != nil && r.status == 1 {
		o.Released(s.name, micros(r.integer(0)), served)
	}
	return err
}

// releaseArgs are the arguments of a release. They name those taken along where Redis may have taken others too.
func (s *session) releaseArgs(t *heldTurn, served int, results []Result) []any {
	s.mu.Lock()
	defer s.mu.Unlock()
	args := []any{t.ticket, t.fence, max(served, 0), 0}
	if t.unsure {
		args[3] = 1
		for _, ticket := range slices.AppendSeq(slices.Clone(t.party), maps.Keys(t.foreign)) { // in any order
			args = append(args, ticket, "")
		}
	}
	for _, r := range results {
		if t.foreign[r.Ticket] {
			args = append(args, r.Ticket, r.Value)
		}
	}
	return args
}

// confirmEnd takes a turn off the session whose end Redis has answered. Returns ErrStale if the turn was over before.
func (s *session) confirmEnd(t *heldTurn, how turnEnd, r reply) error {
	if r.status == 0 {
		s.observe(StaleFence, 1)
		s.endTurn(t, lost, 0)
		return ErrStale
	}
	t.end()
	s.endTurn(t, how, r.now)
	return nil
}

// end notes that Redis has confirmed the turn's end.
func (t *heldTurn) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ended = true
}

func (t *heldTurn) hasEnded() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.ended
}

// turnOfRedis returns the present turn, if Redis gave it and its lease has not ended, and the tickets that it serves.
func (s *session) turnOfRedis() (t *heldTurn, party []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t = s.current
	if t == nil || t.local || t.timeLeft() <= 0 {
		return nil, nil
	}
	return t, slices.AppendSeq(slices.Clone(t.party), maps.Keys(t.foreign))
}

// Local reports whether this node gave the turn in memory because Redis could not be reached (Config.Fallback).
func (t *heldTurn) Local() bool { return t.local }
