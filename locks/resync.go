package locks

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"
)

// rejoinSize bounds the tickets of one call, so that none keeps Redis busy for long.
const rejoinSize = 250

// probes is how often in a beat a silent Redis is asked: once it answers, whoever waits in memory waits for the next
// time.
const probes = 4

// watch asks Redis for an answer until the tickets are back there.
func (p *partition) watch() {
	ctx := p.client.ctx
	tick := time.NewTicker(p.client.cfg.Beat / probes)
	defer tick.Stop()
	for p.resync(ctx, p.probe(ctx)) != nil {
		select {
		case <-tick.C:
		case <-p.turnEnded:
		case <-ctx.Done():
			return
		}
	}
}

// probe asks Redis for its time, and whether it takes writes.
func (p *partition) probe(ctx context.Context) error {
	_, err := p.send(ctx, p.session("").newCommand(opRejoin, []any{0}))
	return err
}

// session returns a session that only sends calls.
func (p *partition) session(key string) *session {
	return newSession(&Line{client: p.client, name: Name{p.name, key}})
}

// send sends Redis a call while the partition sends no others.
func (p *partition) send(ctx context.Context, c command) (reply, error) {
	ctx, cancel := context.WithTimeout(ctx, p.client.cfg.Beat)
	defer cancel()
	c.expiry = p.expiry(c.op)
	_, r, err := p.exchange(ctx, p.session(c.session), c)
	return r, err
}

// resync brings everything back to Redis that is in memory, unless Redis is unreached. The partition carries no
// operation out meanwhile. Returns errTurn while a turn goes on in memory: the next one is for Redis to give.
func (p *partition) resync(ctx context.Context, unreached error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.advance()
	p.server.Expire()
	p.waiting = unreached == nil && p.hasTurn()
	if unreached != nil {
		return unreached
	}
	if p.waiting {
		p.opensAt = p.now() + 3*p.client.cfg.Beat.Microseconds() // by then resync has been here again
		return errTurn
	}
	err := p.flushPending(ctx)
	if err == nil {
		err = p.rejoin(ctx)
	}
	if err != nil {
		p.suspend() // some of it may be there
		return err
	}
	if p.alone {
		p.report(CameBack)
	}
	p.outage = outage{}
	p.state.Store(connected)
	now, _ := p.clock.Read(p.client.clock())
	p.client.start(func() { p.client.reconnected(p.name, now) })
	return nil
}

// hasTurn reports whether a turn goes on in memory. Holds mu.
func (p *partition) hasTurn() bool {
	for _, k := range p.lines {
		if p.heldInMemory(k) {
			return true
		}
	}
	return false
}

// heldInMemory reports whether a turn goes on in a line. Holds mu.
func (p *partition) heldInMemory(k keys) bool {
	return p.server.Call("HGET", k.record(), "ticket") != "" &&
		integer(p.server.Call("HGET", k.record(), "end")) > p.now()
}

// flushPending sends Redis what was done with tickets that may still live there. Holds mu.
func (p *partition) flushPending(ctx context.Context) error {
	for ; len(p.pending) > 0; p.pending = p.pending[1:] {
		call := p.pending[0]
		r, err := p.send(ctx, call.command)
		if err != nil {
			return err
		}
		if call.op != opRelease || r.status != 0 {
			continue
		}
		for _, ticket := range call.party { // served, but Redis has ended the turn and they wait again
			if _, err := p.send(ctx, p.session(call.session).newCommand(opLeave, []any{ticket})); err != nil {
				return err
			}
		}
	}
	return nil
}

// rejoin puts the tickets that stand in memory in their places in Redis, and takes out those that have been served or
// left here. Holds mu.
func (p *partition) rejoin(ctx context.Context) error {
	for key, tickets := range p.toRejoin() {
		for run := range slices.Chunk(tickets, rejoinSize) {
			args := []any{p.highest}
			for _, t := range run {
				args = append(args, t.id, t.arrival, t.work, commitment(t.id))
			}
			if _, err := p.send(ctx, p.session(key).newCommand(opRejoin, args)); err != nil {
				return err
			}
		}
	}
	return nil
}

// memoryTicket is a ticket that is in memory.
type memoryTicket struct {
	id      string
	arrival int64 // 0 if it is done
	work    string
}

// toRejoin lists the tickets in memory in order, and those done here that Redis may know, by the key of their session.
// Holds mu.
func (p *partition) toRejoin() map[string][]memoryTicket {
	sessions, listed := map[string][]memoryTicket{}, map[[2]string]bool{}
	for line, k := range p.lines {
		for _, set := range []string{k.waiting(), k.taken()} {
			members, _ := p.server.Call("ZRANGE", set, 0, -1, "WITHSCORES").([]any)
			for ; len(members) > 1; members = members[2:] {
				t := memoryTicket{id: text(members[0]), arrival: integer(members[1])}
				owner, work, _ := strings.Cut(text(p.server.Call("HGET", k.tickets(), t.id)), workSeparator)
				_, key, joint := strings.Cut(owner, separator)
				if !joint {
					key = line
				}
				t.work = work
				id := [2]string{key, t.id} // a ticket of a joint line stands in several
				if !listed[id] && p.client.hasTicket(Name{p.name, key}, t.id) {
					listed[id] = true
					sessions[key] = append(sessions[key], t)
				}
			}
		}
	}
	for _, tickets := range sessions {
		slices.SortFunc(tickets, func(a, b memoryTicket) int { return cmp.Compare(a.arrival, b.arrival) })
	}
	for ticket, key := range p.inRedis {
		if !listed[[2]string{key, ticket}] {
			sessions[key] = append(sessions[key], memoryTicket{id: ticket})
		}
	}
	return sessions
}

// hasTicket reports whether a session has a ticket.
func (c *Client) hasTicket(n Name, ticket string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.sessions[n]
	return s != nil && s.has(ticket)
}

// reconnected makes every line of a partition ask Redis how its tickets are. What they learnt in memory at moments that
// Redis' clock has not reached counts as learnt now.
func (c *Client) reconnected(partition string, now int64) {
	for _, s := range c.sessionsOf(partition) {
		s.mu.Lock()
		for _, e := range s.tickets {
			e.knownAt, e.goneAt = min(e.knownAt, now), min(e.goneAt, now)
		}
		s.closedAt = min(s.closedAt, now)
		s.mu.Unlock()
	}
	c.requestBeats(partition)
}
