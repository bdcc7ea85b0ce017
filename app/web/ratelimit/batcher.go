package ratelimit

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/app/group"
)

// Bounds of a batcher.
const (
	mostBatches  = 2   // under way at once
	largestBatch = 128 // scripts
	batchTimeout = 2 * time.Second
)

// batcher runs scripts in Redis. Those that come while others are under way go together in one round trip.
type batcher struct {
	rdb   redis.Cmdable
	queue group.ServerQueues[*group.AwaitedCall]
}

func newBatcher(rdb redis.Cmdable) *batcher {
	b := &batcher{rdb: rdb}
	b.queue = group.ServerQueues[*group.AwaitedCall]{Redis: rdb, Send: b.send, Most: largestBatch, Calls: mostBatches,
		Key: func(c *group.AwaitedCall) string { return c.Keys[0] }}
	return b
}

// run runs a script that returns a whole number. Returns the error of Redis, or ctx's when that ends first; the script
// may run all the same.
func (b *batcher) run(ctx context.Context, script *redis.Script, keys []string, args []any) (int64, error) {
	ctx, cancel := context.WithTimeout(ctx, batchTimeout)
	defer cancel()
	c := group.NewAwaitedCall(group.Call{Script: script, Keys: keys, Args: args})
	b.queue.Do(c)
	select {
	case <-c.Done:
		return c.Answer.Int64()
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

// post runs a script whose result nobody has to wait for.
func (b *batcher) post(script *redis.Script, keys []string, args []any) {
	b.queue.Add(group.NewAwaitedCall(group.Call{Script: script, Keys: keys, Args: args}))
}

func (b *batcher) send(batch []*group.AwaitedCall) {
	ctx, cancel := context.WithTimeout(context.Background(), batchTimeout)
	defer cancel()
	group.RunAwaited(ctx, b.rdb, batch)
}
