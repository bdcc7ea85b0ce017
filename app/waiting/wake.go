package waiting

import "time"

// Watchers are woken in groups, each after a share of the time between two refreshes. Were all of a long line woken at
// once, those whose turn has just been served would wait for their answers behind everybody's new position.
const (
	wakeGroups = 64
	fewTickets = 256 // are woken together
)

// beginWaking begins to wake the watchers of the queue's tickets after a refresh, and returns how long to wait before
// the next step.
func (q *queue) beginWaking(interval time.Duration) time.Duration {
	if q.size() <= fewTickets {
		q.wakeAll()
		return interval
	}
	q.nextWake = 1
	q.wakeGroup(0)
	return interval / wakeGroups
}

// wakeNext wakes the next group of watchers, and returns how many groups there were to wake.
func (q *queue) wakeNext() (left int) {
	left = wakeGroups - q.nextWake
	if left > 0 {
		q.wakeGroup(q.nextWake)
		q.nextWake++
	}
	return left
}

// wakeAll wakes all watchers.
func (q *queue) wakeAll() {
	q.nextWake = wakeGroups
	for group := range wakeGroups {
		q.wakeGroup(group)
	}
}

// wakeGroup has the watchers of a group look again.
func (q *queue) wakeGroup(group int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if waiting := q.refreshed[group]; waiting != nil {
		close(waiting)
		q.refreshed[group] = nil
	}
}
