package locks

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// row is one line as it has to be in Redis: the reference that histories are held against, and what is read back.
type row struct {
	born, until int64            // of its record
	ended       map[string]int64 // fence of the last turn that each node released or gave back
	holder      *seat
	waiting     map[string]int64 // ticket -> arrival, like the next two
	taken       map[string]int64
	parked      map[string]int64
	alive       map[string]int64 // ticket -> deadline
	lent        map[string]loan
	work        map[string]string
}

// seat is a turn.
type seat struct {
	ticket        string
	fence         int64 // 0 in the reference until Redis has drawn it
	arrival       int64
	by            loan // node and desk that have it
	acquired, end int64
	claimed       bool
}

// loan says which node lends a ticket, and at which desk.
type loan struct{ node, desk string }

func newRow() *row {
	return &row{
		ended: map[string]int64{}, waiting: map[string]int64{}, taken: map[string]int64{}, parked: map[string]int64{},
		alive: map[string]int64{}, lent: map[string]loan{}, work: map[string]string{},
	}
}

// order is a set of tickets by their arrivals.
func (r *row) order(set map[string]int64) []string {
	return slices.SortedFunc(maps.Keys(set), func(a, b string) int { return cmp.Compare(set[a], set[b]) })
}

// has tells whether the ticket has the turn.
func (r *row) has(ticket string) bool { return r.holder != nil && r.holder.ticket == ticket }

func (r *row) lend(ticket string, by loan, deadline int64) {
	r.lent[ticket], r.alive[ticket] = by, deadline
}

// drop takes a ticket out of everything but its turn.
func (r *row) drop(ticket string) {
	for _, set := range []map[string]int64{r.waiting, r.taken, r.parked, r.alive} {
		delete(set, ticket)
	}
	delete(r.lent, ticket)
	delete(r.work, ticket)
}

// standAgain puts back those whom the holder served along, and frees the line.
func (r *row) standAgain() {
	maps.Copy(r.waiting, r.taken)
	clear(r.taken)
	r.holder = nil
}

// unseat ends a turn that was not released. A holder that another node lends by now stands again.
func (r *row) unseat() {
	if h := r.holder; r.alive[h.ticket] != 0 {
		r.waiting[h.ticket] = h.arrival
	} else {
		delete(r.work, h.ticket)
	}
	r.standAgain()
}

// bury drops the dead.
func (r *row) bury(now int64) {
	for ticket, deadline := range r.alive {
		if deadline <= now {
			r.drop(ticket)
		}
	}
}

func (r *row) reap(now int64) {
	if r.holder != nil && r.holder.end <= now {
		r.unseat()
	}
	r.bury(now)
}

// witness lets the line wait for older tickets if the caller knows of one that is older than the line.
func (r *row) witness(now, known, pause int64) {
	if r.born == 0 {
		r.born = now
	}
	if known != 0 && known < r.born && r.born+pause > now {
		r.until = r.born + pause
	}
}

// position of a waiting ticket: parked ones ahead count.
func (r *row) position(ticket string) int64 {
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

// place is a desk seen by an operation of a node: the lines it touches.
type place struct {
	by    loan
	lines []*row
	now   int64
}

func (w *world) at(node, desk string) place {
	p := place{by: loan{node, desk}, now: w.now}
	for key := range strings.SplitSeq(desk, between) {
		if w.rows[key] == nil {
			w.rows[key] = newRow()
		}
		p.lines = append(p.lines, w.rows[key])
	}
	return p
}

// seat gives a line to a ticket; the node that asks claims its own grants at once.
func (p place) seat(r *row, ticket string) {
	by, arrival := r.lent[ticket], r.waiting[ticket]
	delete(r.waiting, ticket)
	delete(r.alive, ticket)
	delete(r.lent, ticket)
	r.holder = &seat{
		ticket: ticket, arrival: arrival, by: by, acquired: p.now, end: p.now + historyTimes.ClaimWindow.Microseconds(),
		claimed: by == p.by,
	}
}

// promote gives free lines to their heads; a joint one only to the first of all its lines, and only at its own desk.
func (p place) promote(keys []string) {
	ready := len(p.lines) > 1
	first := ""
	for i, r := range p.lines {
		order := r.order(r.waiting)
		free := r.holder == nil && r.until <= p.now
		if free && len(order) > 0 && r.lent[order[0]].desk == keys[i] {
			p.seat(r, order[0])
			free = false
		}
		if i == 0 && len(order) > 0 {
			first = order[0]
		}
		ready = ready && free && len(order) > 0 && order[0] == first && r.lent[first].desk == p.by.desk
	}
	for _, r := range p.lines {
		if ready {
			p.seat(r, first)
		}
	}
}

// finish is what ends every operation: promote, and the caller claims what its own desk was granted.
func (p place) finish() {
	p.promote(strings.Split(p.by.desk, between))
	p.claim()
}

func (p place) claim() {
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
