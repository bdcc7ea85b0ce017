package db

import (
	"fmt"
	"strings"
	"sync/atomic"
	"time"
)

type rewrite = func(query string) string

// replacing puts another text in the place of a part of a statement. It panics when the statement has no such part: a
// control would take no guard away.
func replacing(part, with string) rewrite {
	return func(query string) string {
		if !strings.Contains(query, part) {
			panic(fmt.Sprintf("no %q in %s", part, query))
		}
		return strings.Replace(query, part, with, 1)
	}
}

// instead runs another statement with the same arguments.
func instead(query string) rewrite { return func(string) string { return query } }

// meeting holds those who come to a statement until n are there: all have read by then, and none has written. Those who
// come later, and those who wait in vain for long, go on.
func meeting(n int64) rewrite {
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

// intact leaves a guard as it is.
func intact(query string) string { return query }

// closed says whether a channel is closed.
func closed(c <-chan struct{}) func() bool {
	return func() bool {
		select {
		case <-c:
			return true
		default:
			return false
		}
	}
}
