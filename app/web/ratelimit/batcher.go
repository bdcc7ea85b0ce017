package ratelimit

import (
	"context"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// Bounds of a batcher.
const (
	mostBatches  = 2   // under way at once
	largestBatch = 128 // scripts
	batchTimeout = 2 * time.Second
)

// batcher runs scripts in Redis. A script that comes alone is sent at once; those that come while others are under way go
// together in one round trip, so that a crowd costs a fraction of one round trip each. Its zero value with a client is ready.
type batcher struct {
	rdb redis.UniversalClient

	mu     sync.Mutex
	queue  []*scriptCall
	flying int
}

// scriptCall is one run of a script. Value and err are set when done closes.
type scriptCall struct {
	script *redis.Script
	keys   []string
	args   []any
	done   chan struct{}
	value  int64
	err    error
}

// run runs a script that returns a whole number. Returns the error of Redis, or ctx's when that ends first; the script may run
// all the same.
func (b *batcher) run(ctx context.Context, script *redis.Script, keys []string, args []any) (int64, error) {
	ctx, cancel := context.WithTimeout(ctx, batchTimeout)
	defer cancel()
	c := b.post(script, keys, args)
	select {
	case <-c.done:
		return c.value, c.err
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

// post runs a script whose result nobody has to wait for.
func (b *batcher) post(script *redis.Script, keys []string, args []any) *scriptCall {
	c := &scriptCall{script: script, keys: keys, args: args, done: make(chan struct{})}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.queue = append(b.queue, c)
	if b.flying < mostBatches {
		b.flying++
		go b.flush()
	}
	return c
}

// flush sends what is queued until nothing is.
func (b *batcher) flush() {
	for {
		b.mu.Lock()
		n := min(len(b.queue), largestBatch)
		if n == 0 {
			b.flying--
			b.mu.Unlock()
			return
		}
		batch := b.queue[:n:n]
		b.queue = b.queue[n:]
		b.mu.Unlock()
		b.send(batch)
	}
}

func (b *batcher) send(batch []*scriptCall) {
	ctx, cancel := context.WithTimeout(context.Background(), batchTimeout)
	defer cancel()
	replies := make([]*redis.Cmd, len(batch))
	_, _ = b.rdb.Pipelined(ctx, func(pipe redis.Pipeliner) error { // each reply has its own error
		for i, c := range batch {
			replies[i] = c.script.EvalSha(ctx, pipe, c.keys, c.args...)
		}
		return nil
	})
	for i, c := range batch {
		if redis.HasErrorPrefix(replies[i].Err(), "NOSCRIPT") { // this sends it, for the next ones too
			replies[i] = c.script.Eval(ctx, b.rdb, c.keys, c.args...)
		}
		c.value, c.err = replies[i].Int64()
		close(c.done)
	}
}
