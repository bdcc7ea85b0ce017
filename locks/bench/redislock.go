package main

import (
	"context"
	"time"

	"github.com/bsm/redislock"
	"github.com/redis/go-redis/v9"
)

// retryPause is that of redislock's own example. A shorter one buys quicker hand-offs with more of Redis' time.
const retryPause = 100 * time.Millisecond

// bsmRedislock waits as its ExampleClient_Obtain_customDeadline does: a linear retry for as long as the context lasts.
var bsmRedislock = library{
	name:   "redislock",
	module: "github.com/bsm/redislock",
	waits:  "tries again every " + retryPause.String() + ", as in its example",
	open: func(s site) (node, error) {
		rdb, err := s.connect()
		if err != nil {
			return nil, err
		}
		return &redislockNode{rdb, redislock.New(rdb), s.lease}, nil
	},
}

type redislockNode struct {
	rdb    *redis.Client
	client *redislock.Client
	lease  time.Duration
}

func (n *redislockNode) lock(ctx context.Context, name string) (unlock, error) {
	options := &redislock.Options{RetryStrategy: redislock.LinearBackoff(retryPause)}
	lock, err := n.client.Obtain(ctx, name, n.lease, options)
	if err != nil {
		return nil, err
	}
	return lock.Release, nil
}

func (n *redislockNode) close() { n.rdb.Close() }
