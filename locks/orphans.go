package locks

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// keptLines bounds the lines of one call to the registry, so that none keeps Redis busy for long.
const keptLines = 500

// registry is the client's view of the lines whose tickets any node can serve (Entry.Work). Nodes answer for their
// lines in Redis every beat; whoever finds one that nobody answers for any more looks after it (Config.Orphans).
type registry struct {
	client *Client

	mu     sync.Mutex // guards what follows
	script *redis.Script
	empty  []string           // lines that were found, and their deadlines, and turned out to be empty
	kept   map[Name]time.Time // when the client last answered for a line
}

func newRegistry(c *Client) *registry {
	return &registry{client: c, script: c.scripts[opLines], kept: map[Name]time.Time{}}
}

// run answers for the client's lines and looks for others, every beat.
func (g *registry) run() {
	c := g.client
	tick := time.NewTicker(c.cfg.Beat)
	defer tick.Stop()
	failing := false
	for {
		select {
		case <-tick.C:
		case <-c.ctx.Done():
			return
		}
		g.callForTurns()
		err := g.beat() // it has a beat: turns are called for in each
		if err != nil && !failing && c.ctx.Err() == nil {
			c.cfg.Logger.Warn("locks: read registry of lines failed", "error", err)
		}
		failing = err != nil
	}
}

// beat makes the calls of one beat.
func (g *registry) beat() error {
	ctx, cancel := context.WithTimeout(g.client.ctx, g.client.cfg.Beat)
	defer cancel()
	kept, empty := g.plan()
	for len(kept) > keptLines {
		if _, err := g.call(ctx, 0, kept[:keptLines], nil); err != nil {
			return err
		}
		kept = kept[keptLines:]
	}
	found, err := g.call(ctx, g.client.cfg.Beat, kept, empty)
	for ; len(found) > 1; found = found[2:] {
		line, deadline := found[0], found[1]
		partition, key, _ := strings.Cut(line, workSeparator)
		g.client.spawn(&Line{client: g.client, name: Name{partition, key}}, func(s *session) {
			g.look(s, line, deadline)
		})
	}
	return err
}

// plan lists the lines to answer for, and those that were found empty.
func (g *registry) plan() (kept, empty []string) {
	g.client.mu.Lock()
	defer g.client.mu.Unlock()
	g.mu.Lock()
	defer g.mu.Unlock()
	maps.DeleteFunc(g.kept, func(_ Name, last time.Time) bool { return !g.isFresh(last) })
	for name, s := range g.client.sessions { // in any order
		if s.hasWork() {
			kept = append(kept, registered(name))
			g.kept[name] = g.client.clock()
		}
	}
	empty, g.empty = g.empty, nil
	return kept, empty
}

// call keeps lines in the registry and returns what it found there, if it is to look: line, deadline, line, ...
func (g *registry) call(ctx context.Context, find time.Duration, kept, empty []string) ([]string, error) {
	cfg := g.client.cfg
	args := []any{cfg.TTL.Microseconds(), find.Microseconds(), g.client.keyLife.Milliseconds(), len(kept)}
	for _, text := range slices.Concat(kept, empty) {
		args = append(args, text)
	}
	g.mu.Lock()
	script := g.script
	g.mu.Unlock()
	return script.Run(ctx, g.client.rdb, []string{cfg.Prefix + ":lines"}, args...).StringSlice()
}

// look looks after a line that nobody answers for. The answer brings its turn to this node if it is free; else one of
// the next beats does.
func (g *registry) look(s *session, line, deadline string) {
	standing, ok := s.beatTickets(nil)
	switch {
	case !ok:
	case standing > 0:
		g.client.cfg.Orphans(s.name)
	default:
		g.mu.Lock()
		g.empty = append(g.empty, line, deadline)
		g.mu.Unlock()
	}
}

// callForTurns tells of turns that nobody has asked for with Next.
func (g *registry) callForTurns() {
	var lines []Name
	g.client.mu.Lock()
	for name, s := range g.client.sessions { // in any order
		if s.isUnattended() {
			lines = append(lines, name)
		}
	}
	g.client.mu.Unlock()
	for _, line := range lines {
		g.client.cfg.Orphans(line)
	}
}

// registerTime is how long an entry waits for the registry, which in a Cluster may be with another, silent master.
const registerTime = 500 * time.Millisecond

// answerFor keeps a line in the registry before the first of its tickets that other nodes can serve stands in it. If
// that fails, the next beat does it.
func (s *session) answerFor(ctx context.Context) {
	g := s.client.registry
	if g == nil || !g.isDue(s.name) {
		return
	}
	short, cancel := context.WithTimeout(ctx, registerTime)
	defer cancel()
	if _, err := g.call(short, 0, []string{registered(s.name)}, nil); err != nil && ctx.Err() == nil {
		s.client.cfg.Logger.Warn("locks: register line failed; will retry", "line", s.name, "error", err)
	}
}

// isDue reports whether it is a while since the client answered for a line.
func (g *registry) isDue(line Name) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if last, known := g.kept[line]; known && g.isFresh(last) {
		return false
	}
	g.kept[line] = g.client.clock()
	return true
}

// isFresh reports whether a line is still in the registry for long that the client answered for at a moment.
func (g *registry) isFresh(last time.Time) bool { return -g.client.until(last) < g.client.cfg.TTL/2 }

func registered(n Name) string { return n.Partition + workSeparator + n.Key }

// hasWork reports whether other nodes could serve any of the session's tickets.
func (s *session) hasWork() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.tickets {
		if e.work != "" {
			return true
		}
	}
	return false
}

// isUnattended reports whether the session has a turn that nobody waits for.
func (s *session) isUnattended() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.ready) > 0 && s.nexts == 0
}

// adopt notes a ticket that this node serves because its own is dead. Holds mu.
func (s *session) adopt(g grant, now int64) *localTicket {
	e := &localTicket{ticket: g.ticket, arrival: g.arrival, work: g.work, knownAt: now}
	s.tickets[g.ticket] = e
	return e
}
