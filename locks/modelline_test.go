package locks

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// modelLine is one line as it has to be in Redis: the reference that histories are held against, and what is read back.
type modelLine struct {
	born, until int64            // of its record
	doubt       int64            // arrival of the last who may have been served
	ended       map[string]int64 // fence of the last turn that each node released or gave back
	nodes       map[string]int64 // node -> deadline, negative if it serves no orphans
	holder      *modelTurn
	waiting     map[string]int64 // ticket -> arrival, like the next
	taken       map[string]int64
	tickets     map[string]modelTicket
	log         []string
}

// modelTurn is a turn.
type modelTurn struct {
	ticket        string
	fence         int64 // 0 in the reference until Redis has drawn it
	arrival       int64
	by            modelOwner // node and session that have it
	acquired, end int64
	adopted       bool // from a dead node
}

// modelOwner says which node owns a ticket, and at which session.
type modelOwner struct{ node, session string }

// modelTicket is what is kept of a ticket.
type modelTicket struct {
	by   modelOwner
	work string
}

func newModelLine() *modelLine {
	return &modelLine{
		ended: map[string]int64{}, nodes: map[string]int64{}, waiting: map[string]int64{}, taken: map[string]int64{},
		tickets: map[string]modelTicket{},
	}
}

// byArrival is a set of tickets by their arrivals.
func (r *modelLine) byArrival(set map[string]int64) []string {
	return slices.SortedFunc(maps.Keys(set), func(a, b string) int { return cmp.Compare(set[a], set[b]) })
}

// has reports whether the ticket has the turn.
func (r *modelLine) has(ticket string) bool { return r.holder != nil && r.holder.ticket == ticket }

// logf notes what happened.
func (r *modelLine) logf(format string, args ...any) {
	r.log = append(r.log, fmt.Sprintf(format, args...))
}

// drop takes a ticket out of the line.
func (r *modelLine) drop(ticket string) {
	delete(r.waiting, ticket)
	delete(r.taken, ticket)
	delete(r.tickets, ticket)
}

func (r *modelLine) waitUntil(till, now int64) {
	if till > now && till > r.until {
		r.until = till
	}
}

// detectLoss lets the line wait for older tickets if the caller knows of one that is older than the line.
func (r *modelLine) detectLoss(now, known int64) {
	if r.born == 0 {
		r.born = now
	}
	if known != 0 && known < r.born {
		r.waitUntil(r.born+pause, now)
	}
}

// position of a waiting ticket.
func (r *modelLine) position(ticket string) int64 {
	arrival, waits := r.waiting[ticket]
	if !waits {
		return 0
	}
	n := int64(1)
	for _, other := range r.waiting {
		if other < arrival {
			n++
		}
	}
	return n
}

// modelSession is a session seen by an operation of a node: the lines it touches.
type modelSession struct {
	by    modelOwner
	keys  []string
	lines []*modelLine
	now   int64
}

func (w *model) at(node, session string) modelSession {
	p := modelSession{by: modelOwner{node, session}, keys: strings.Split(session, separator), now: w.now}
	for _, key := range p.keys {
		if w.rows[key] == nil {
			w.rows[key] = newModelLine()
		}
		p.lines = append(p.lines, w.rows[key])
	}
	return p
}

func abs(n int64) int64 { return max(n, -n) }

// serving says which nodes of a world serve orphans.
var serving = map[string]bool{"n": true, "m": false}

// beats reports whether a node is alive.
func (p modelSession) beats(r *modelLine, node string) bool {
	return node == p.by.node || abs(r.nodes[node]) > p.now
}

// adopter is who serves an orphan, if anybody.
func (p modelSession) adopter(r *modelLine) (node string, found bool) {
	if serving[p.by.node] {
		return p.by.node, true
	}
	latest := p.now
	for name, deadline := range r.nodes { // in any order
		if deadline > latest {
			node, found, latest = name, true, deadline
		}
	}
	return node, found
}

// keepNode notes that the calling node is alive.
func (p modelSession) keepNode(r *modelLine) {
	own, others := r.nodes[p.by.node], len(r.nodes)
	late := own != 0 && abs(own) <= p.now
	if own != 0 {
		others--
	}
	for name, deadline := range r.nodes {
		if name == p.by.node {
			continue
		}
		if abs(deadline) > p.now {
			late = false
		}
		if abs(deadline) <= p.now-ttl/2 {
			delete(r.nodes, name)
		}
	}
	r.nodes[p.by.node] = p.now + ttl
	if !serving[p.by.node] {
		r.nodes[p.by.node] *= -1
	}
	if late && others > 0 && len(r.waiting) > 0 {
		r.waitUntil(p.now+pause, p.now)
	}
}

func (p modelSession) keepNodeIfDue(r *modelLine) {
	if abs(r.nodes[p.by.node]) < p.now+ttl/2 {
		p.keepNode(r)
	}
}

// endTurn ends a turn that was not released; its ticket waits again if it may.
func (r *modelLine) endTurn(may bool) {
	h := r.holder
	r.doubt = max(r.doubt, h.arrival)
	for _, arrival := range r.taken {
		r.doubt = max(r.doubt, arrival)
	}
	maps.Copy(r.waiting, r.taken)
	clear(r.taken)
	r.holder = nil
	if may {
		r.waiting[h.ticket] = h.arrival
	} else {
		r.drop(h.ticket)
		r.logf("lost %d", h.arrival)
	}
}

func (p modelSession) reap(r *modelLine) {
	h := r.holder
	if h == nil || h.end > p.now {
		return
	}
	t := r.tickets[h.ticket]
	unclaimed := h.end == h.acquired+historyTimes.ClaimWindow.Microseconds()
	again := t.work != "" || p.beats(r, t.by.node) && (t.by.node != h.by.node || unclaimed && t.by.node == p.by.node)
	if unclaimed && t.work != "" && t.by.node == h.by.node && t.by.node != p.by.node {
		t.by.node = "" // it was given a turn, and nothing has been heard of it
		r.tickets[h.ticket] = t
	}
	r.endTurn(again)
}

// findHead is the first in line and the node that is to serve it; those that nobody can serve go.
func (p modelSession) findHead(r *modelLine) (ticket string, by modelOwner, found bool) {
	for _, ticket := range r.byArrival(r.waiting) {
		t := r.tickets[ticket]
		if p.beats(r, t.by.node) {
			return ticket, t.by, true
		}
		if t.work != "" {
			node, found := p.adopter(r)
			return ticket, modelOwner{node, t.by.session}, found
		}
		r.logf("lost %d", r.waiting[ticket])
		r.drop(ticket)
	}
	return "", modelOwner{}, false
}

// setHolder gives a line to a ticket.
func (p modelSession) setHolder(r *modelLine, ticket string, by modelOwner) {
	t := r.tickets[ticket]
	r.holder = &modelTurn{
		ticket: ticket, arrival: r.waiting[ticket], by: by, acquired: p.now,
		end: p.now + historyTimes.ClaimWindow.Microseconds(), adopted: t.by != by,
	}
	r.tickets[ticket] = modelTicket{by, t.work}
	delete(r.waiting, ticket)
}

// promote is what ends every operation: it gives free lines to their heads; a joint one only to the first of all its
// lines, and only at its own session.
func (p modelSession) promote() {
	heads, free := make([]string, len(p.lines)), make([]bool, len(p.lines))
	var by modelOwner
	for i, r := range p.lines {
		if r.holder != nil || r.until > p.now {
			continue
		}
		ticket, owner, found := p.findHead(r)
		if found && owner.session == p.keys[i] {
			p.setHolder(r, ticket, owner)
			continue
		}
		heads[i], free[i] = ticket, found && owner.session == p.by.session
		if i == 0 {
			by = owner
		}
	}
	if len(p.lines) == 1 || slices.Contains(free, false) || len(slices.Compact(slices.Clone(heads))) > 1 {
		return
	}
	for i, r := range p.lines {
		p.setHolder(r, heads[i], by)
		r.holder.adopted = p.lines[0].holder.adopted
	}
}
