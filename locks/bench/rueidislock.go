package main

import (
	"context"

	"github.com/redis/rueidis"
	"github.com/redis/rueidis/rueidislock"
)

// rueidisLock is set up as its README says for one Redis of version 7.0.5 or later. It extends its lock by itself.
var rueidisLock = library{
	name:   "rueidislock",
	module: "github.com/redis/rueidis",
	waits:  "tries again when Redis or its own process says that the lock is free",
	open: func(s site) (node, error) {
		options, err := rueidis.ParseURL(s.url)
		if err != nil {
			return nil, err
		}
		locker, err := rueidislock.NewLocker(rueidislock.LockerOption{
			ClientOption:   options,
			KeyMajority:    1,
			NoLoopTracking: true,
			ClientBuilder: func(o rueidis.ClientOption) (rueidis.Client, error) {
				client, err := rueidis.NewClient(o)
				return watchedRueidis{client, s.calls}, err
			},
		})
		if err != nil {
			return nil, err
		}
		return rueidisNode{locker}, nil
	},
}

type rueidisNode struct{ locker rueidislock.Locker }

func (n rueidisNode) lock(ctx context.Context, name string) (unlock, error) {
	_, cancel, err := n.locker.WithContext(ctx, name)
	if err != nil {
		return nil, err
	}
	return func(context.Context) error {
		cancel() // returns when the lock has been released
		return nil
	}, nil
}

func (n rueidisNode) close() { n.locker.Close() }
