package main

import (
	"context"
	"time"
)

// breakage is one way to break an installation.
type breakage struct {
	name, what string
	lasts      time.Duration
	cutsOff    bool // one instance from the line that the others have
	make       func(b *breakable)
	mend       func(ctx context.Context, b *breakable) error // what make broke; it returns when that serves again
}

// breakages are all faults, in the order in which they are made.
var breakages = []breakage{
	{"server", "kill -9 of one instance, started again 3 s later", 3 * time.Second, false,
		func(b *breakable) { b.instances[0].Kill() },
		func(ctx context.Context, b *breakable) error { return b.instances[0].Restart(ctx) }},
	{"redis", "kill -9 of Redis, started again 3 s later", 3 * time.Second, false,
		func(b *breakable) { b.redis.Kill() },
		func(ctx context.Context, b *breakable) error { return b.redis.Revive(ctx) }},
	{"postgres", "kill -9 of PostgreSQL, started again 3 s later", 3 * time.Second, false,
		func(b *breakable) { b.postgres.Kill() },
		func(ctx context.Context, b *breakable) error { return b.postgres.Revive(ctx) }},
	{"network", "silence for 10 s between one instance and Redis and PostgreSQL", 10 * time.Second, true,
		func(b *breakable) {
			for _, wire := range b.wires {
				wire.Freeze()
			}
		},
		func(_ context.Context, b *breakable) error {
			for _, wire := range b.wires {
				wire.Thaw()
			}
			return nil
		}},
}
