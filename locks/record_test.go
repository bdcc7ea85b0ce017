package locks

import (
	"context"
	"errors"
	"maps"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// observations are what a client has reported.
type observations struct {
	paths    map[Path]int
	events   map[Event]int
	waits    []time.Duration
	handoffs []time.Duration
	served   int
	departed map[string]Departure
}

// recordingObserver records what a client reports. It may report a turn a moment after handing it out.
type recordingObserver struct {
	mu  sync.Mutex
	all observations
}

func newRecordingObserver() *recordingObserver {
	return &recordingObserver{all: observations{paths: map[Path]int{}, events: map[Event]int{},
		departed: map[string]Departure{}}}
}

// attach makes a configuration report to the journal.
func (j *recordingObserver) attach(cfg *Config) {
	cfg.Observer = j
	cfg.Departed = func(_ Name, ticket string, d Departure) {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.all.departed[ticket] = d
	}
}

func (j *recordingObserver) Granted(_ Name, by Path, wait, handoff time.Duration) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.all.paths[by]++
	j.all.waits = append(j.all.waits, wait)
	j.all.handoffs = append(j.all.handoffs, handoff)
}

func (j *recordingObserver) Released(_ Name, _ time.Duration, served int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.all.served += served
}

func (j *recordingObserver) Happened(_ Name, event Event, n int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.all.events[event] += n
}

// read returns a copy of the figures.
func (j *recordingObserver) read() observations {
	j.mu.Lock()
	defer j.mu.Unlock()
	f := j.all
	f.paths, f.events, f.departed = maps.Clone(f.paths), maps.Clone(f.events), maps.Clone(f.departed)
	f.waits, f.handoffs = slices.Clone(f.waits), slices.Clone(f.handoffs)
	return f
}

// turns waits until n turns are reported.
func (j *recordingObserver) turns(t testing.TB, n int) observations {
	t.Helper()
	eventually(t, "the turns are reported", func() bool { return len(j.read().waits) >= n })
	return j.read()
}

func (j *recordingObserver) event(e Event) int { return j.read().events[e] }

func (j *recordingObserver) departures() map[string]Departure { return j.read().departed }

// breakableLink is a connection to Redis that can be cut: then every command fails, as when the network is down.
type breakableLink struct{ cut atomic.Bool }

var errLinkCut = errors.New("the cable is cut")

func (c *breakableLink) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		if c.cut.Load() {
			return nil, errLinkCut
		}
		return next(ctx, network, addr)
	}
}

func (c *breakableLink) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if c.cut.Load() {
			cmd.SetErr(errLinkCut)
			return errLinkCut
		}
		return next(ctx, cmd)
	}
}

func (c *breakableLink) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		if c.cut.Load() {
			return errLinkCut
		}
		return next(ctx, cmds)
	}
}

// repeatingLink sends the calls of every script once, twice, three times, once, ... as go-redis does when connections
// break.
type repeatingLink struct {
	mu    sync.Mutex
	calls map[any]int // by script
}

// times is how often the next call of a script is sent.
func (s *repeatingLink) times(script any) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.calls == nil {
		s.calls = map[any]int{}
	}
	s.calls[script]++
	return 1 + s.calls[script]%3
}

func (s *repeatingLink) DialHook(next redis.DialHook) redis.DialHook { return next }

func (s *repeatingLink) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		times := 1
		if name := cmd.Name(); name == "evalsha" || name == "eval" {
			times = s.times(cmd.Args()[1])
		}
		var err error
		for range times {
			if err = next(ctx, cmd); err != nil {
				return err
			}
		}
		return err
	}
}

func (s *repeatingLink) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}
