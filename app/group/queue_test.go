package group_test

import (
	"slices"
	"testing"
	"testing/synctest"

	"lunchgo/app/group"
)

// What comes alone is sent at once; what comes meanwhile goes together, in order, so many in a call.
func TestQueue_SendsTogetherWhatComesMeanwhile(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		answer := make(chan struct{})
		var groups [][]int
		queue := group.Queue[int]{Most: 3, Calls: 1, Send: func(items []int) {
			groups = append(groups, slices.Clone(items))
			<-answer
		}}
		for item := range 6 {
			queue.Add(item)
			synctest.Wait()
		}
		for range 3 {
			answer <- struct{}{}
			synctest.Wait()
		}
		queue.Add(6) // nothing is under way any more
		synctest.Wait()
		close(answer)
		want := [][]int{{0}, {1, 2, 3}, {4, 5}, {6}}
		if !slices.EqualFunc(groups, want, slices.Equal) {
			t.Errorf("sent %v, want %v", groups, want)
		}
	})
}

func TestQueue_CallsUnderWayAreBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		answer := make(chan struct{})
		calls := make(chan []int, 100)
		queue := group.Queue[int]{Most: 100, Calls: 2, Send: func(items []int) {
			calls <- items
			<-answer
		}}
		for item := range 10 {
			queue.Add(item)
			synctest.Wait()
		}
		if n := len(calls); n != 2 {
			t.Errorf("%d calls are under way", n)
		}
		close(answer)
		synctest.Wait()
		sent := 0
		for range len(calls) {
			sent += len(<-calls)
		}
		if sent != 10 {
			t.Errorf("%d of 10 were sent", sent)
		}
	})
}
