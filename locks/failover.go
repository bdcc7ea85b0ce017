package locks

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/locks/internal/memory"
)

// States of a partition.
const (
	connected int32 = iota // Redis carries the operations out
	uncertain              // Redis is silent; tickets are in memory, and nobody gets a turn
	alone                  // tickets are in memory and get turns there
)

// partition carries the operations of one partition out in Redis, or in memory while Redis is silent, or answers that
// it cannot work (Config.Fallback; see IsAway). Below, silent means both.
//
// A ticket may have a turn in memory only when it can have none through Redis any more. Therefore every call expires a
// beat after it is sent, so that none that lay in a connection takes effect late. Once Redis has been silent for a
// beat, the node sends nothing but the calls that bring the tickets back. It gives turns in memory a patience later:
// by then every turn it had in Redis has ended with its lease, and it counts as dead there, so that no other can begin.
// Its tickets still stand in Redis; those that have been served or left here are taken out of there when it answers
// again.
type partition struct {
	client    *Client
	name      string
	clock     *memory.Clock // of Redis
	state     atomic.Int32
	turnEnded chan struct{} // the turn has ended that resync waits for

	users int       // sessions; guarded by client.mu, like idle
	idle  time.Time // since when there are none

	mu          sync.Mutex // guards what follows; held during resync
	silentSince time.Time  // zero while Redis answers
	highest     int64      // the highest number seen or drawn
	outage                 // zero while connected
}

// outage is what a partition keeps while Redis is silent.
type outage struct {
	server  *memory.Server
	now     func() int64 // µs; goes on from Redis' clock, whatever Redis shows later
	opensAt int64        // µs; no turn begins in memory before
	lines   map[string]keys
	inRedis map[string]string // tickets that may stand there, with the keys of their sessions
	pending []pendingCall
	alone   bool // turns are, or were, given in memory
	waiting bool // Redis answers, and resync waits for the end of a turn in memory
}

// pendingCall is a call that Redis has to get if it answers before the tickets have expired there.
type pendingCall struct {
	command
	party []string // of a turn that was released
}

// patience returns how long after Redis fell silent the node gives turns in memory.
func patience(cfg Config) time.Duration { return cfg.Beat + max(cfg.TTL, cfg.Lease, cfg.ClaimWindow) }

// partition returns a partition, nil without Config.Fallback. It forgets partitions without a session after the life of
// a counter in Redis. Holds mu.
func (c *Client) partition(name string) *partition {
	if !c.cfg.Fallback {
		return nil
	}
	if p := c.partitions[name]; p != nil {
		return p
	}
	for other, p := range c.partitions {
		if p.users == 0 && p.state.Load() == connected && -c.until(p.idle) > c.keyLife {
			delete(c.partitions, other)
		}
	}
	p := &partition{client: c, name: name, clock: c.serverClock, turnEnded: make(chan struct{}, 1)}
	if _, single := c.rdb.(*redis.Client); !single {
		p.clock = &memory.Clock{} // every master has a clock of its own
	}
	c.partitions[name] = p
	return p
}

// Away returns how many partitions this node serves in memory because it cannot reach Redis (Config.Fallback).
func (c *Client) Away() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for _, p := range c.partitions {
		if p.state.Load() == alone {
			n++
		}
	}
	return n
}

// Why an operation has to be tried again.
var (
	errConnected = errors.New("locks: Redis carries operations out")
	errSuspended = errors.New("locks: Redis gets no calls")
	errExpired   = errors.New("locks: call expired on its way")
	errTurn      = errors.New("locks: a turn in memory goes on")
)

// expired is the status that reject_late_call.lua answers.
const expired = -2

// run carries an operation out and reports whether it did so in memory.
func (p *partition) run(ctx context.Context, s *session, c command) (values []any, local bool, err error) {
	first := p.client.clock()
	for {
		if p.state.Load() == connected {
			sent := p.client.clock()
			values, err = p.ask(ctx, s, c)
			switch {
			case err == errExpired || err == errSuspended:
				continue
			case err == nil || !p.isUnanswered(err):
				return values, false, err
			case p.isAway(first, sent, err):
				p.markUncertain()
			case !sleep(ctx, p.client.cfg.Beat/10):
				return nil, false, err
			default:
				continue
			}
		}
		if values, err = p.serve(s, c); err != errConnected {
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

// markUncertain notes that Redis is silent. From now on tickets are in memory, also those that were in Redis. Beats
// bring the tickets there that Redis had not answered for.
func (p *partition) markUncertain() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.server != nil {
		return
	}
	begun := p.client.clock()
	at, _ := p.clock.Read(begun)
	now := func() int64 { return at - p.client.until(begun).Microseconds() }
	p.outage = outage{server: memory.New(now), now: now, lines: map[string]keys{}, inRedis: map[string]string{}}
	p.server.Call("SET", lineKeys(p.client.cfg.Prefix, Name{Partition: p.name}).counter(), p.highest, "PX",
		p.client.keyLife.Milliseconds())
	p.suspend()
	p.load()
	p.client.start(p.watch)
}

// suspend starts the patience anew after which nothing of this node is left in Redis. Holds mu.
func (p *partition) suspend() {
	p.opensAt = p.now() + p.client.patience.Microseconds()
	p.state.Store(uncertain)
}

// load puts the tickets of the sessions in their places in memory, except those that are being served. Holds mu.
func (p *partition) load() {
	for _, s := range p.client.sessionsOf(p.name) {
		var args []any
		s.mu.Lock()
		for _, e := range s.tickets { // in any order
			if e.knownAt > 0 && e.arrival > 0 && e.turn == nil {
				args = append(args, e.ticket, e.arrival, e.work, "")
			}
		}
		s.mu.Unlock()
		if _, err := p.evaluate(s, s.newCommand(opRestore, args)); err != nil {
			p.client.cfg.Logger.Error("locks: load tickets failed", "line", s.name, "error", err)
		}
	}
}

// advance lets turns begin in memory once the patience is over. Holds mu.
func (p *partition) advance() {
	if p.state.Load() != uncertain || p.now() < p.opensAt {
		return
	}
	p.pending = nil // turns that Redis gave have ended there
	p.state.Store(alone)
	if !p.alone {
		p.alone = true
		p.report(WentAway)
	}
}

func (p *partition) report(event Event) {
	p.client.cfg.Logger.Warn("locks: "+string(event), "partition", p.name)
	if o := p.client.cfg.Observer; o != nil {
		o.Happened(Name{Partition: p.name}, event, 1)
	}
}

// serve carries an operation out in memory. Returns errConnected if Redis is to be asked.
func (p *partition) serve(s *session, c command) (values []any, err error) {
	p.mu.Lock()
	if p.server == nil {
		p.mu.Unlock()
		return nil, errConnected
	}
	p.advance()
	if p.state.Load() == uncertain {
		values, err = p.whileUncertain(s, c)
	}
	if values == nil && err == nil {
		values, err = p.evaluate(s, c)
	}
	published := p.server.Published
	p.server.Published = nil
	if p.waiting && !p.hasTurn() {
		signal(p.turnEnded)
	}
	p.mu.Unlock()
	for _, payload := range published {
		p.client.onMessage(p.name, payload, true)
	}
	return values, err
}

// evaluate runs the script of an operation in memory. Holds mu.
func (p *partition) evaluate(s *session, c command) ([]any, error) {
	for i := 1; c.op == opEnter && i < len(c.args); i += entryFields {
		// Redis may have answered it and the memory may not know it.
		if known := s.arrivalOf(text(c.args[i])); known > 0 && integer(c.args[i+1]) == 0 {
			c.args[i+1] = known
		}
	}
	for _, key := range s.name.Lines() {
		k := lineKeys(p.client.cfg.Prefix, Name{p.name, key})
		p.lines[key] = k
		if p.opensAt > p.now() && p.opensAt > integer(p.server.Call("HGET", k.record(), "until")) {
			p.server.Call("HSET", k.record(), "until", p.opensAt)
		}
	}
	if c.op == opRestore && p.state.Load() == uncertain {
		for i := 0; i < len(c.args); i += restoredFields {
			p.inRedis[text(c.args[i])] = s.name.Key
		}
	}
	values, err := p.server.Run(memoryScripts()[c.op], s.keys.names, s.arguments(c, plainPublish)...)
	p.highest = max(p.highest, integer(p.server.Call("GET", s.keys.counter())))
	return values, err
}

// whileUncertain takes care of what may still live in Redis. Turns that Redis gave can end, but not be renewed, and
// Redis gets later what it has to know. Returns nothing if the operation is to be carried out in memory. Holds mu.
func (p *partition) whileUncertain(s *session, c command) ([]any, error) {
	turn, party := s.turnOfRedis()
	ofRedis := turn != nil && len(c.args) > 1 && turn.fence == integer(c.args[1])
	answer := func(status int64, more ...any) []any {
		return append([]any{status, p.now(), int64(0), int64(0), []any{}}, more...)
	}
	switch c.op {
	case opLeave:
		if slices.Contains(party, text(c.args[0])) {
			return answer(2), nil
		}
		p.inRedis[text(c.args[0])] = s.name.Key
		p.pending = append(p.pending, pendingCall{command: c})
	case opClose:
		p.pending = append(p.pending, pendingCall{command: c})
	case opRelease, opReturn:
		if ofRedis {
			p.pending = append(p.pending, pendingCall{c, party})
			for _, ticket := range party {
				p.inRedis[ticket] = s.name.Key
			}
			if c.op == opReturn {
				return answer(1), nil
			}
			return answer(1, max(p.now()-turn.acquired, 0)), nil
		}
	case opEvict, opHold, opTake:
		if ofRedis || c.op == opEvict {
			return nil, fmt.Errorf("line %s: %s: %w", s.name, c.op, ErrAway)
		}
	}
	return nil, nil
}
