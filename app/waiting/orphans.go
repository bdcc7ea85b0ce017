package waiting

import "lunchgo/locks"

// serveOrphans implements locks.Config.Orphans: a line has tickets of processes that died, and this one serves it until
// it has none.
func (r *Room) serveOrphans(line locks.Name) {
	r.mu.Lock()
	defer r.mu.Unlock()
	q := r.openQueue(line)
	if q == nil {
		return
	}
	r.attend(q)
	q.mu.Lock()
	defer q.mu.Unlock()
	q.orphans++
}

// orphaned returns how often this process was given the line for its orphans, 0 when it has none.
func (q *queue) orphaned() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.orphans
}

// openQueue returns the queue of a line and opens it if there is none; nil while the room closes. Holds mu.
func (r *Room) openQueue(line locks.Name) *queue {
	select {
	case <-r.closing:
		return nil
	default:
	}
	q := r.queues[line]
	if q == nil {
		q = newQueue(r, line)
		r.queues[line] = q
	}
	return q
}
