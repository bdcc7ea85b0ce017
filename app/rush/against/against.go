// Package against has small servers of the designs that LunchGo replaces, so that a rush can compare them: the same
// crowd over the same HTTP, on the same Redis and PostgreSQL. Each takes its turns and its waits as the system did that
// it stands for, and leaves out everything that the comparison does not need, which makes it cheaper than that was.
package against

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/app/rush"
)

// press is a request for seats.
type press struct {
	UserID       string `json:"-"`
	RestaurantID int64  `json:"restaurantId"`
	Date         string `json:"date"`
	Time         string `json:"time"`
	PartySize    int    `json:"partySize"`
}

// What a press is refused for.
var (
	errSoldOut   = errors.New("sold_out")
	errDuplicate = errors.New("duplicate")
	errBusy      = errors.New(rush.CodeBusy) // it has waited for as long as the design lets it
)

// design is one way to give a press its seats.
type design interface {
	// reserve returns the id of the reservation, errSoldOut, errDuplicate or errBusy.
	reserve(p press) (string, error)
}

// tools are what designs are made of.
type tools struct {
	seats   *seats
	redis   redis.UniversalClient
	tries   redis.UniversalClient // of locks: who has one must not queue for a connection behind all who want it
	keys    keys
	wakeups *wakeups
}

// designs are those of rush.Designs.
var designs = map[string]func(t tools) design{
	"retry":      newRetry,
	"rowlock":    newRowLock,
	"spin":       newSpin,
	"wakeall":    newWakeAll,
	"cachefirst": newCacheFirst,
}

// RetryOf is how browsers repeat a press for a design.
func RetryOf(name string) rush.Retry {
	if name == "retry" {
		return browserRetry
	}
	return rush.Retry{}
}

// Times of the shop's lock.
const (
	lockTTL  = 3 * time.Second
	lockWait = 5 * time.Second
)

// lockOf is a lock that somebody wants. Its end is published where channel names a channel.
func (t tools) lockOf(key, channel string) lock {
	return lock{redis: t.redis, tries: t.tries, key: key, channel: channel, token: rand.Text(), ttl: lockTTL}
}

// background is the context of calls that are part of a press. Nobody withdraws a press, and a context that never ends
// costs the drivers less than one that may.
var background = context.Background()
