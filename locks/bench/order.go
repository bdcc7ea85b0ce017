package main

import "time"

// outOfOrder counts the turns that came while somebody was still waiting who had asked earlier. ranks are the turns as
// they came, each by its waiter's rank of request. The first waiters, inOrder of them, asked one after another; the
// others asked at the same moment and share the rank after them.
func outOfOrder(ranks []int, inOrder int) int {
	served := make([]bool, inOrder)
	count, first := 0, 0 // first is the earliest that still waits
	for _, rank := range ranks {
		if rank > first {
			count++
		}
		if rank < inOrder {
			served[rank] = true
		}
		for first < inOrder && served[first] {
			first++
		}
	}
	return count
}

// percentile of sorted durations, by the nearest rank.
func percentile(sorted []time.Duration, p int) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[(len(sorted)*p+99)/100-1]
}
