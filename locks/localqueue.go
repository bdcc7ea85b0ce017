package locks

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// queue is what a sorted set of tickets by arrival number is in Redis.
type queue struct {
	order []spot // by arrival, then ticket
	at    map[string]int64
}

// spot is a place in a queue.
type spot struct {
	arrival int64
	ticket  string
}

func (s spot) compare(other spot) int {
	return cmp.Or(cmp.Compare(s.arrival, other.arrival), cmp.Compare(s.ticket, other.ticket))
}

func (q *queue) len() int { return len(q.order) }

func (q *queue) has(ticket string) bool {
	_, in := q.at[ticket]
	return in
}

// head is the first, if there is one.
func (q *queue) head() (spot, bool) {
	if len(q.order) == 0 {
		return spot{}, false
	}
	return q.order[0], true
}

func (q *queue) add(ticket string, arrival int64) {
	q.remove(ticket)
	if q.at == nil {
		q.at = make(map[string]int64)
	}
	q.at[ticket] = arrival
	s := spot{arrival, ticket}
	i, _ := slices.BinarySearchFunc(q.order, s, spot.compare)
	q.order = slices.Insert(q.order, i, s)
}

func (q *queue) remove(ticket string) bool {
	arrival, in := q.at[ticket]
	if !in {
		return false
	}
	i, _ := slices.BinarySearchFunc(q.order, spot{arrival, ticket}, spot.compare)
	if i == 0 {
		q.order = q.order[1:] // the usual case: nothing is moved
	} else {
		q.order = slices.Delete(q.order, i, i+1)
	}
	delete(q.at, ticket)
	return true
}

// rank counts those ahead of a ticket in the queue.
func (q *queue) rank(ticket string) (int, bool) {
	arrival, in := q.at[ticket]
	if !in {
		return 0, false
	}
	i, _ := slices.BinarySearchFunc(q.order, spot{arrival, ticket}, spot.compare)
	return i, true
}

// below counts those with a lower arrival number.
func (q *queue) below(arrival int64) int {
	i, _ := slices.BinarySearchFunc(q.order, spot{arrival: arrival}, spot.compare)
	return i
}

// lendings are the tickets that are alive, each with the desk that lends it.
type lendings struct {
	of   map[string]*lending
	soon int64 // no deadline is before it
}

type lending struct {
	desk, work string
	deadline   int64
	entered    bool // it came by enter, not by restore
}

func newLendings() lendings { return lendings{of: make(map[string]*lending), soon: math.MaxInt64} }

// lend notes that a desk lends a ticket until a deadline.
func (l *lendings) lend(ticket, desk string, deadline int64) *lending {
	n := l.of[ticket]
	if n == nil {
		n = &lending{}
		l.of[ticket] = n
	}
	n.desk, n.deadline = desk, deadline
	l.soon = min(l.soon, deadline)
	return n
}

// dead lists tickets past their deadline, at most so many, those that died first. It looks at all tickets only when the
// soonest deadline it knows of has passed, which beats move on: hardly ever.
func (l *lendings) dead(now int64, most int) []string {
	if now < l.soon {
		return nil
	}
	l.soon = math.MaxInt64
	var dead []string
	for ticket, n := range l.of {
		l.soon = min(l.soon, n.deadline)
		if n.deadline <= now {
			dead = append(dead, ticket)
		}
	}
	slices.SortFunc(dead, func(a, b string) int {
		return cmp.Or(cmp.Compare(l.of[a].deadline, l.of[b].deadline), cmp.Compare(a, b))
	})
	return dead[:min(len(dead), most)]
}

// desks lists who lends, each once.
func (l *lendings) desks() []string {
	seen := make(map[string]bool)
	for _, n := range l.of {
		seen[n.desk] = true
	}
	return slices.Sorted(maps.Keys(seen))
}
