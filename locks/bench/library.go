package main

import (
	"context"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
)

// library is a lock to compare.
type library struct {
	name   string
	module string // whose version stands beside the name
	waits  string // how it waits for a lock that is held, for the reader of the table
	open   func(site) (node, error)
}

var libraries = []library{line, bsmRedislock, goRedsync, rueidisLock}

// site is where a node works.
type site struct {
	url   string
	lease time.Duration // a lock must outlast the queueing, during which it is held
	calls *atomic.Int64 // counts the commands that the node's libraries send
}

// node is one process' use of a lock: nodes share nothing but Redis.
type node interface {
	// lock waits for the lock of that name until ctx ends.
	lock(ctx context.Context, name string) (unlock, error)
	close()
}

type unlock func(context.Context) error

// poolSize is the number of connections of each node: enough that it is Redis that sets the pace of those that poll.
const poolSize = 64

// connect gives a library on go-redis its connections, all of them open: opening is not what is compared.
func (s site) connect() (*redis.Client, error) {
	options, err := redis.ParseURL(s.url)
	if err != nil {
		return nil, err
	}
	options.PoolSize = poolSize
	rdb := redis.NewClient(options)
	rdb.AddHook(watch{s.calls})
	for range poolSize {
		conn := rdb.Conn() // keeps its connection until it is closed
		defer conn.Close()
		if err := conn.Ping(context.Background()).Err(); err != nil {
			return nil, err
		}
	}
	return rdb, nil
}

// version of the library that was built in; "" for ours.
func (l library) version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, module := range info.Deps {
		if module.Path == l.module {
			return module.Version
		}
	}
	return ""
}
