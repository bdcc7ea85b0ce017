package locks

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// modelLine is one line as it has to be in Redis: the reference that histories are held against, and what is read back.
type modelLine struct {
	born, until int64            // of its record
	ended       map[string]int64 // fence of the last turn that each node released or gave back
	holder      *modelTurn
	waiting     map[string]int64 // ticket -> arrival, like the next two
	taken       map[string]int64
	parked      map[string]int64
	alive       map[string]int64 // ticket -> deadline
	owners      map[string]modelOwner
	work        map[string]string
}

// modelTurn is a turn.
type modelTurn struct {
	ticket        string
	fence         int64 // 0 in the reference until Redis has drawn it
	arrival       int64
	by            modelOwner // node and session that have it
	acquired, end int64
	claimed       bool
}

// modelOwner says which node owns a ticket, and at which session.
type modelOwner struct{ node, session string }

func newModelLine() *modelLine {
	return &modelLine{
		ended: map[string]int64{}, waiting: map[string]int64{}, taken: map[string]int64{}, parked: map[string]int64{},
		alive: map[string]int64{}, owners: map[string]modelOwner{}, work: map[string]string{},
	}
}

// byArrival is a set of tickets by their arrivals.
func (r *modelLine) byArrival(set map[string]int64) []string {
	return slices.SortedFunc(maps.Keys(set), func(a, b string) int { return cmp.Compare(set[a], set[b]) })
}

// has reports whether the ticket has the turn.
func (r *modelLine) has(ticket string) bool { return r.holder != nil && r.holder.ticket == ticket }

func (r *modelLine) setOwner(ticket string, by modelOwner, deadline int64) {
	r.owners[ticket], r.alive[ticket] = by, deadline
}

// drop takes a ticket out of everything but its turn.
func (r *modelLine) drop(ticket string) {
	for _, set := range []map[string]int64{r.waiting, r.taken, r.parked, r.alive} {
		delete(set, ticket)
	}
	delete(r.owners, ticket)
	delete(r.work, ticket)
}

// requeueTaken puts back those whom the holder served along, and frees the line.
func (r *modelLine) requeueTaken() {
	maps.Copy(r.waiting, r.taken)
	clear(r.taken)
	r.holder = nil
}

// endTurn ends a turn that was not released. A holder that another node owns by now waits again.
func (r *modelLine) endTurn() {
	if h := r.holder; r.alive[h.ticket] != 0 {
		r.waiting[h.ticket] = h.arrival
	} else {
		delete(r.work, h.ticket)
	}
	r.requeueTaken()
}

// dropExpired drops the dead.
func (r *modelLine) dropExpired(now int64) {
	for ticket, deadline := range r.alive {
		if deadline <= now {
			r.drop(ticket)
		}
	}
}

func (r *modelLine) reap(now int64) {
	if r.holder != nil && r.holder.end <= now {
		r.endTurn()
	}
	r.dropExpired(now)
}

// detectLoss lets the line wait for older tickets if the caller knows of one that is older than the line.
func (r *modelLine) detectLoss(now, known, pause int64) {
	if r.born == 0 {
		r.born = now
	}
	if known != 0 && known < r.born && r.born+pause > now {
		r.until = r.born + pause
	}
}

// position of a waiting ticket: parked ones ahead count.
func (r *modelLine) position(ticket string) int64 {
	arrival, waits := r.waiting[ticket]
	if !waits {
		return 0
	}
	n := int64(1)
	for _, set := range []map[string]int64{r.waiting, r.parked} {
		for _, other := range set {
			if other < arrival {
				n++
			}
		}
	}
	return n
}

// modelSession is a session seen by an operation of a node: the lines it touches.
type modelSession struct {
	by    modelOwner
	lines []*modelLine
	now   int64
}

func (w *model) at(node, session string) modelSession {
	p := modelSession{by: modelOwner{node, session}, now: w.now}
	for key := range strings.SplitSeq(session, separator) {
		if w.rows[key] == nil {
			w.rows[key] = newModelLine()
		}
		p.lines = append(p.lines, w.rows[key])
	}
	return p
}

// setHolder gives a line to a ticket; the node that asks claims its own grants at once.
func (p modelSession) setHolder(r *modelLine, ticket string) {
	by, arrival := r.owners[ticket], r.waiting[ticket]
	delete(r.waiting, ticket)
	delete(r.alive, ticket)
	delete(r.owners, ticket)
	r.holder = &modelTurn{
		ticket: ticket, arrival: arrival, by: by, acquired: p.now, end: p.now + historyTimes.ClaimWindow.Microseconds(),
		claimed: by == p.by,
	}
}

// promote gives free lines to their heads; a joint one only to the first of all its lines, and only at its own session.
func (p modelSession) promote(keys []string) {
	ready := len(p.lines) > 1
	first := ""
	for i, r := range p.lines {
		order := r.byArrival(r.waiting)
		free := r.holder == nil && r.until <= p.now
		if free && len(order) > 0 && r.owners[order[0]].session == keys[i] {
			p.setHolder(r, order[0])
			free = false
		}
		if i == 0 && len(order) > 0 {
			first = order[0]
		}
		ready = ready && free && len(order) > 0 && order[0] == first && r.owners[first].session == p.by.session
	}
	for _, r := range p.lines {
		if ready {
			p.setHolder(r, first)
		}
	}
}

// finish is what ends every operation: promote, and the caller claims what its own session was granted.
func (p modelSession) finish() {
	p.promote(strings.Split(p.by.session, separator))
	p.claim()
}

func (p modelSession) claim() {
	h := p.lines[0].holder
	if h == nil || h.by != p.by || h.claimed {
		return
	}
	for _, r := range p.lines {
		if r.holder != nil && r.holder.fence == h.fence && r.holder.ticket == h.ticket {
			r.holder.claimed, r.holder.end = true, p.now+historyTimes.ClaimWindow.Microseconds()
		}
	}
}
