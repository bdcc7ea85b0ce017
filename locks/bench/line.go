package main

import (
	"context"
	"crypto/rand"
	"log/slog"

	"github.com/redis/go-redis/v9"

	"lunchgo/locks"
)

// line is ours: each waiter has a ticket of its own and calls Line.Lock. Leases and beats are as by default.
var line = library{
	name:  "lunchgo/locks",
	waits: "one ticket a waiter; the turn comes by itself",
	open: func(s site) (node, error) {
		rdb, err := s.connect()
		if err != nil {
			return nil, err
		}
		client := locks.NewClient(rdb, locks.Config{
			MaxHold: s.lease,
			Logger:  slog.New(slog.DiscardHandler), // what goes wrong comes back from the calls too, and is counted
		})
		return &lineNode{rdb, client}, nil
	},
}

type lineNode struct {
	rdb    *redis.Client
	client *locks.Client
}

func (n *lineNode) lock(ctx context.Context, name string) (unlock, error) {
	turn, err := n.client.Line(locks.Name{Partition: "bench", Key: name}).Lock(ctx, rand.Text())
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) error { return turn.Release(ctx, 1) }, nil
}

func (n *lineNode) close() {
	n.client.Close(context.Background())
	n.rdb.Close()
}
