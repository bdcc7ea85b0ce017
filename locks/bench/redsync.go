package main

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/go-redsync/redsync/v4"
	"github.com/go-redsync/redsync/v4/redis/goredis/v9"
	"github.com/redis/go-redis/v9"
)

// goRedsync waits by its default pauses; only the number of tries, 32 by default, is raised so that it does not give
// up, and the expiry, 8 s by default, so that the lock outlasts the queueing.
var goRedsync = library{
	name:   "redsync",
	module: "github.com/go-redsync/redsync/v4",
	waits:  "tries again after 50 to 250 ms, its default, without end",
	open: func(s site) (node, error) {
		rdb, err := s.connect()
		if err != nil {
			return nil, err
		}
		return &redsyncNode{rdb, redsync.New(goredis.NewPool(rdb)), s.lease}, nil
	},
}

type redsyncNode struct {
	rdb   *redis.Client
	sync  *redsync.Redsync
	lease time.Duration
}

func (n *redsyncNode) lock(ctx context.Context, name string) (unlock, error) {
	mutex := n.sync.NewMutex(name, redsync.WithTries(math.MaxInt), redsync.WithExpiry(n.lease))
	if err := mutex.LockContext(ctx); err != nil {
		return nil, err
	}
	return func(ctx context.Context) error {
		ok, err := mutex.UnlockContext(ctx)
		if err == nil && !ok {
			err = errors.New("redsync: the lock was not held")
		}
		return err
	}, nil
}

func (n *redsyncNode) close() { n.rdb.Close() }
