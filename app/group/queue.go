// Package group lets what arrives while a call is under way go together in the next call, so that a crowd costs a
// fraction of a round trip each.
package group

import "sync"

// Queue hands items to Send in groups, in the order in which they were added. An item that comes alone is sent at once;
// those that come while Calls calls are under way go together. Its methods may be called at once from many goroutines.
type Queue[T any] struct {
	Send  func(items []T) // makes one call; the items learn from it what came of them
	Most  int             // items in a call
	Calls int             // under way at once

	mu       sync.Mutex
	waiting  []T
	underway int
}

// Add has an item sent, and does not wait for that.
func (q *Queue[T]) Add(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = append(q.waiting, item)
	if q.underway < q.Calls {
		q.underway++
		go q.send()
	}
}

// Do is Add for a caller who waits for the item anyway: it makes the call by itself, if none is in the way.
func (q *Queue[T]) Do(item T) {
	q.mu.Lock()
	q.waiting = append(q.waiting, item)
	if q.underway >= q.Calls {
		q.mu.Unlock()
		return
	}
	q.underway++
	q.mu.Unlock()
	if items := q.next(); len(items) > 0 {
		q.Send(items)
		q.goOn()
	}
}

// goOn leaves what has come meanwhile to a goroutine.
func (q *Queue[T]) goOn() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) == 0 {
		q.waiting = nil
		q.underway--
		return
	}
	go q.send()
}

// send sends what waits until nothing does.
func (q *Queue[T]) send() {
	for items := q.next(); len(items) > 0; items = q.next() {
		q.Send(items)
	}
}

// next takes the next group off the queue. Without one, the caller's calls are over.
func (q *Queue[T]) next() []T {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := min(len(q.waiting), q.Most)
	if n == 0 {
		q.waiting = nil
		q.underway--
		return nil
	}
	items := q.waiting[:n:n]
	q.waiting = q.waiting[n:]
	return items
}
