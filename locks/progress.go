package locks

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// Estimates before anything was measured.
const (
	unmeasuredPerson = 3 * time.Second
	unmeasuredEmpty  = 5 * time.Second // when nobody is ahead
)

// stateFields is how many values state.lua answers for each line.
const stateFields = 8

// Progress reads the whole line in one call that changes nothing. Call it once a line and tick, not once a ticket. Of a
// joint line it covers the tickets that wait in all lines, by the line in which each has most ahead of it.
func (l *Line) Progress(ctx context.Context) (Progress, error) {
	s, err := l.client.session(l)
	if err != nil {
		return Progress{}, err
	}
	defer l.client.endUse(s)
	lines, local, err := s.run(ctx, s.newCommand(opState, nil))
	if err != nil {
		return Progress{}, err
	}
	var joint Progress
	for i, v := range lines {
		p, err := readState(v)
		if err != nil {
			return Progress{}, fmt.Errorf("line %s: %w", l.name, err)
		}
		if i == 0 {
			joint = p
		} else {
			joint = joint.with(p)
		}
	}
	joint.Local = local
	return joint, nil
}

// readState reads what state.lua answers for one line.
func readState(answer any) (Progress, error) {
	v, _ := answer.([]any)
	if len(v) != stateFields {
		return Progress{}, fmt.Errorf("unexpected answer of %d values", len(v))
	}
	share, err := strconv.ParseFloat(text(v[4]), 64)
	if err != nil {
		return Progress{}, fmt.Errorf("share: %w", err)
	}
	waiting, _ := v[5].([]any)
	p := Progress{
		Count:         len(waiting),
		Holder:        integer(v[0]) == 1,
		HoldElapsed:   micros(integer(v[1])),
		HoldSize:      int(integer(v[2])),
		HoldPerPerson: micros(integer(v[3])),
		LeaveShare:    share,
		Settling:      integer(v[6]) == 1,
		Suspended:     micros(integer(v[7])),
		Positions:     make(map[string]int, len(waiting)),
	}
	for i, ticket := range waiting {
		p.Positions[text(ticket)] = i + 1
	}
	return p, nil
}

// with joins the progress of two lines for tickets that stand in both: the slower one counts.
func (p Progress) with(other Progress) Progress {
	joint := p
	if other.Estimate(other.Count+1) > p.Estimate(p.Count+1) {
		joint = other
	}
	joint.Settling = p.Settling || other.Settling
	joint.Suspended = later(p.Suspended, other.Suspended)
	joint.Positions = make(map[string]int)
	for ticket, position := range p.Positions {
		if there, both := other.Positions[ticket]; both {
			joint.Positions[ticket] = max(position, there)
		}
	}
	return joint
}

// Estimate is how long a ticket at the position (1: next after the current holder) still has to wait: what is left of
// the present turn, and the measured time a person for those ahead who will not leave. Before anything was measured it
// is 3 s a person ahead, and 5 s when nobody is.
func (p Progress) Estimate(position int) time.Duration {
	waiting := time.Duration(max(position-1, 0))
	serving := time.Duration(p.HoldSize)
	if p.HoldPerPerson == 0 {
		if waiting+serving == 0 {
			return unmeasuredEmpty
		}
		return (waiting + serving) * unmeasuredPerson
	}
	left := max(serving*p.HoldPerPerson-p.HoldElapsed, 0)
	return left + time.Duration(float64(waiting*p.HoldPerPerson)*(1-p.LeaveShare))
}

// Lengths says how many tickets stand in each line, in one pipeline a server: those that wait, the holder, and those
// served in its turn. Of lines that are in memory (Config.Fallback) it counts this node's tickets. Returns Redis's
// error with 0 for the lines that it concerns: in a Cluster the other lines are counted all the same.
func (c *Client) Lengths(ctx context.Context, names []Name) ([]int, error) {
	lengths := make([]int, len(names))
	var asked []Name
	var at []int // index of each in names
	for i, name := range names {
		n, here := c.lengthInMemory(name)
		if lengths[i] = n; !here {
			asked, at = append(asked, name), append(at, i)
		}
	}
	if len(asked) == 0 {
		return lengths, nil
	}
	ctx, cancel := context.WithTimeout(ctx, c.cfg.Beat/2) // nobody waits longer for a number, be a master silent
	defer cancel()
	answers, err := c.lengths(ctx, asked)
	for i, n := range answers {
		lengths[at[i]] = n
	}
	return lengths, err
}

// lengths asks Redis: in a Cluster each master by itself, since one that is silent would fail a common pipeline.
func (c *Client) lengths(ctx context.Context, names []Name) ([]int, error) {
	servers := map[redis.Cmdable][]int{} // indexes of the lines that each has
	for i, name := range names {
		server := c.serverOf(ctx, name)
		servers[server] = append(servers[server], i)
	}
	lengths := make([]int, len(names))
	var mu sync.Mutex
	var failed error
	var asking sync.WaitGroup
	for server, lines := range servers {
		asking.Go(func() {
			err := c.lengthsAt(ctx, server, names, lines, lengths)
			mu.Lock()
			defer mu.Unlock()
			failed = errors.Join(failed, err)
		})
	}
	asking.Wait()
	if failed != nil {
		c.checkServer()
		return lengths, fmt.Errorf("line lengths: %w", failed)
	}
	return lengths, nil
}

// serverOf returns the client of the server that has a line, as far as that is known.
func (c *Client) serverOf(ctx context.Context, name Name) redis.Cmdable {
	if cluster, ok := c.rdb.(*redis.ClusterClient); ok {
		if master, err := cluster.MasterForKey(ctx, lineKeys(c.cfg.Prefix, name).record()); err == nil {
			return master
		}
	}
	return c.rdb
}

// lengthsAt sets the lengths of those lines that a server has.
func (c *Client) lengthsAt(ctx context.Context, server redis.Cmdable, names []Name, has, lengths []int) error {
	pipe := server.Pipeline()
	clock := pipe.Time(ctx)
	type sizes struct {
		waiting, taken *redis.IntCmd
		turn           *redis.SliceCmd
	}
	lines := make([]sizes, len(has))
	for i, at := range has {
		k := lineKeys(c.cfg.Prefix, names[at])
		lines[i] = sizes{
			waiting: pipe.ZCard(ctx, k.waiting()), taken: pipe.ZCard(ctx, k.taken()),
			turn: pipe.HMGet(ctx, k.record(), "ticket", "end"),
		}
	}
	if _, err := pipe.Exec(ctx); err != nil && err != redis.Nil {
		return err
	}
	for i, s := range lines {
		n := int(s.waiting.Val() + s.taken.Val())
		if turn := s.turn.Val(); text(turn[0]) != "" && integer(turn[1]) > clock.Val().UnixMicro() { // else it is over
			n++
		}
		lengths[has[i]] = n
	}
	return nil
}

// lengthInMemory counts the tickets of a line that are in memory; false if Redis is to be asked.
func (c *Client) lengthInMemory(n Name) (int, bool) {
	c.mu.Lock()
	p := c.partitions[n.Partition]
	c.mu.Unlock()
	if p == nil {
		return 0, false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.server == nil {
		return 0, false
	}
	k, length := lineKeys(c.cfg.Prefix, n), int64(0)
	for _, set := range []string{k.waiting(), k.taken()} {
		length += integer(p.server.Call("ZCARD", set))
	}
	if p.heldInMemory(k) {
		length++
	}
	return int(length), true
}
