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
	rdb   redis.UniversalClient
	queue group.ServerQueues[*scriptCall]
}

func newBatcher(rdb redis.UniversalClient) *batcher {
	b := &batcher{rdb: rdb}
	b.queue = group.ServerQueues[*scriptCall]{Redis: rdb, Key: func(c *scriptCall) string { return c.Keys[0] },
		Send: b.send, Most: largestBatch, Calls: mostBatches}
	return b
}

// scriptCall is one run of a script. Value and err are set when done closes.
type scriptCall struct {
	group.Call
	done  chan struct{}
	value int64
	err   error
}

// run runs a script that returns a whole number. Returns the error of Redis, or ctx's when that ends first; the script
// may run all the same.
func (b *batcher) run(ctx context.Context, script *redis.Script, keys []string, args []any) (int64, error) {
	ctx, cancel := context.WithTimeout(ctx, batchTimeout)
	defer cancel()
	c := newScriptCall(script, keys, args)
	b.queue.Do(c)
	select {
	case <-c.done:
		return c.value, c.err
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

// post runs a script whose result nobody has to wait for.
func (b *batcher) post(script *redis.Script, keys []string, args []any) *scriptCall {
	c := newScriptCall(script, keys, args)
	b.queue.Add(c)
	return c
}

func newScriptCall(script *redis.Script, keys []string, args []any) *scriptCall {
	return &scriptCall{Call: group.Call{Script: script, Keys: keys, Args: args}, done: make(chan struct{})}
}

func (b *batcher) send(batch []*scriptCall) {
	ctx, cancel := context.WithTimeout(context.Background(), batchTimeout)
	defer cancel()
	calls := make([]group.Call, len(batch))
	for i, c := range batch {
		calls[i] = c.Call
	}
	for i, answer := range group.RunScripts(ctx, b.rdb, calls) {
		batch[i].value, batch[i].err = answer.Int64()
		close(batch[i].done)
	}
}
