package locks

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
)

// How things stand between a node and the Redis of a partition.
const (
	linked   int32 = iota // operations go to Redis
	doubtful              // Redis is silent: tickets stand in memory, but nobody gets a turn
	away                  // they get turns in memory
)

// link carries the operations of one partition to Redis, or out in memory while Redis is away (Config.Fallback).
//
// A ticket may have a turn in memory only when it can have none through Redis any more. Therefore calls carry when they
// expire, a beat after they are sent, so that none acts late that lay in a connection. Once Redis has been silent for a
// beat, none is sent but those that bring the tickets back. And turns are given in memory only a patience later: by then
// every ticket that this node lent has died in Redis, and every turn it had there has ended with its lease.
type link struct {
	client    *Client
	partition string
	far       *farClock
	state     atomic.Int32
	nudge     chan struct{} // a turn has ended for which the return to Redis waits

	users int       // desks; guarded by client.mu, like idle
	idle  time.Time // since when there are none

	mu      sync.Mutex // guards what follows; held while tickets are brought back
	heard   time.Time  // when Redis last answered
	mute    time.Time  // since when it does not; zero while it does
	highest int64      // number that was seen or drawn
	memory             // nothing in it while linked
}

// memory is what a link keeps while Redis is away.
type memory struct {
	engine  *engine
	begun   time.Time
	begunAt int64 // µs of Redis' clock, which the engine's goes on from, whatever Redis says later
	owed    []debt
	gone    bool // turns are, or were, given
	held    bool // Redis can be reached, and a turn in memory has to end before the return
}

// patience is how long after Redis fell silent turns are given in memory.
func patience(cfg Config) time.Duration { return cfg.Beat + max(cfg.TTL, cfg.Lease, cfg.ClaimWindow) }

// link returns the link of a partition; nil when there is no fallback. Those that are not used are forgotten after the life of
// a counter in Redis. Holds mu.
func (c *Client) link(partition string) *link {
	if !c.cfg.Fallback {
		return nil
	}
	if l := c.links[partition]; l != nil {
		return l
	}
	for name, old := range c.links {
		if old.users == 0 && old.state.Load() == linked && -c.until(old.idle) > c.keyLife {
			delete(c.links, name)
		}
	}
	l := &link{client: c, partition: partition, far: c.far, nudge: make(chan struct{}, 1)}
	if _, one := c.rdb.(*redis.Client); !one {
		l.far = &farClock{} // every master has a clock of its own
	}
	c.links[partition] = l
	return l
}

// Away says how many partitions this node serves by itself because it cannot reach Redis (Config.Fallback).
func (c *Client) Away() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for _, l := range c.links {
		if l.state.Load() == away {
			n++
		}
	}
	return n
}

// What keeps an operation from being carried out here or there: it is tried again.
var (
	errLinked   = errors.New("locks: Redis is to be asked")
	errUnlinked = errors.New("locks: Redis is not to be asked")
	errExpired  = errors.New("locks: call expired on its way")
)

// expired is the status that expiry.lua answers.
const expired = -2

// run carries an operation out, in Redis or in memory; it tells which.
func (l *link) run(ctx context.Context, d *desk, c command) (values []any, local bool, err error) {
	for {
		if l.state.Load() == linked {
			sent := l.client.clock()
			values, err = l.ask(ctx, d, c)
			switch {
			case err == errExpired || err == errUnlinked:
				continue
			case err == nil || !l.broken(err):
				return values, false, err
			case l.silent(sent):
				l.doubt()
			case !sleep(ctx, l.client.cfg.Beat/10):
				return nil, false, err
			default:
				continue
			}
		}
		values, err = l.serve(d, c)
		if err != errLinked {
			return values, true, err
		}
	}
}

// sleep waits for d; false if ctx ended first.
func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}

// ask sends an operation to Redis and waits for a beat at most.
func (l *link) ask(ctx context.Context, d *desk, c command) ([]any, error) {
	ctx, cancel := context.WithTimeout(ctx, l.client.cfg.Beat)
	defer cancel()
	if _, known := l.far.read(l.client.clock()); !known {
		if err := l.probe(ctx); err != nil {
			return nil, err
		}
	}
	if err := l.expiring(&c); err != nil {
		return nil, err
	}
	sent := l.client.clock()
	values, err := d.send(ctx, c)
	if err != nil {
		return nil, err
	}
	return values, l.learn(c.op, sent, values)
}

// expiring notes when a call expires that is sent now. Returns errUnlinked if none may be sent.
func (l *link) expiring(c *command) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.engine != nil {
		return errUnlinked
	}
	if c.op != opState { // it changes nothing, and answers nothing but the state
		c.expiry = l.expiry()
	}
	return nil
}

func (l *link) expiry() int64 {
	now, _ := l.far.read(l.client.clock())
	return now + l.client.cfg.Beat.Microseconds()
}

// learn notes what an answer says of Redis' clock and numbers. Returns errExpired if the call had.
func (l *link) learn(op operation, sent time.Time, values []any) error {
	got := l.client.clock()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.heard, l.mute = got, time.Time{}
	r, err := decode(values)
	if op == opState || err != nil {
		return nil // the caller finds out
	}
	l.far.learn(sent, got, r.now)
	if r.status == expired {
		return errExpired
	}
	if r.turn != nil {
		l.highest = max(l.highest, r.turn.fence)
	}
	if op == opEnter {
		l.highest = max(l.highest, r.integer(0), r.integer(1))
	}
	return nil
}

// broken tells whether an error means that Redis cannot be reached. A caller that gives up means nothing; one whose time is
// over does.
func (l *link) broken(err error) bool {
	if l.client.ctx.Err() != nil || errors.Is(err, context.Canceled) || errors.Is(err, redis.ErrClosed) {
		return false
	}
	var answer redis.Error
	if !errors.As(err, &answer) {
		return true
	}
	for _, prefix := range []string{
		"LOADING", "MASTERDOWN", "CLUSTERDOWN", "TRYAGAIN", "READONLY", "NOREPLICAS", "MISCONF",
	} {
		if redis.HasErrorPrefix(err, prefix) {
			return true
		}
	}
	return false
}

// silent notes a call that was not answered, and tells whether none was for a beat.
func (l *link) silent(sent time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.mute.IsZero() {
		l.mute = sent
		if l.heard.After(sent) {
			l.mute = l.heard
		}
	}
	return -l.client.until(l.mute) >= l.client.cfg.Beat
}

// start runs work in a goroutine that Close waits for. Once closed it does nothing.
func (c *Client) start(work func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		c.busy.Go(work)
	}
}

// desksOf lists the desks of a partition.
func (c *Client) desksOf(partition string) []*desk {
	c.mu.Lock()
	defer c.mu.Unlock()
	var desks []*desk
	for name, d := range c.desks {
		if name.Partition == partition {
			desks = append(desks, d)
		}
	}
	return desks
}
