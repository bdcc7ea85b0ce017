package dbtest

import (
	"fmt"
	"strings"
	"sync/atomic"
	"time"
)

// Replacing puts another text in the place of a part of a statement. It panics when the statement has no such part: a
// control would take no guard away.
func Replacing(part, with string) func(string) string {
	return func(query string) string {
		if !strings.Contains(query, part) {
			panic(fmt.Sprintf("no %q in %s", part, query))
		}
		return strings.Replace(query, part, with, 1)
	}
}

// Meeting holds those who come to a statement until n are there: all have read by then, and none has written. Those who
// come later, and those who wait in vain for long, go on.
func Meeting(n int64) func(string) string {
	var here atomic.Int64
	full := make(chan struct{})
	return func(query string) string {
		if here.Add(1) == n {
			close(full)
		}
		select {
		case <-full:
		case <-time.After(10 * time.Second):
		}
		return query
	}
}

// Instead runs another statement with the same arguments.
func Instead(query string) func(string) string { return func(string) string { return query } }

// Intact leaves a guard as it is.
func Intact(query string) string { return query }

// Closed says whether a channel is closed.
func Closed(c <-chan struct{}) func() bool {
	return func() bool {
		select {
		case <-c:
			return true
		default:
			return false
		}
	}
}
