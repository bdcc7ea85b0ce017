package ratelimit

import (
	"context"
	_ "embed"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
)

//go:embed take.lua
var takeLua string

//go:embed once.lua
var onceLua string

//go:embed undo_take.lua
var undoTakeLua string

var (
	takeScript     = redis.NewScript(takeLua)
	onceScript     = redis.NewScript(onceLua)
	undoTakeScript = redis.NewScript(undoTakeLua)
)

// counter counts in Redis, for all processes together. While Redis cannot count, whatever the reason, each process
// counts for itself. Its methods may be called at once from many goroutines.
type counter struct {
	calls  *batcher
	prefix string
	memory *memory
	firsts firsts
	log    *slog.Logger
	warned atomic.Int64 // when it was last said that Redis does not count, in ns of the Unix time
}

// warnEvery is how often the log says that Redis does not count.
const warnEvery = time.Minute

func newCounter(rdb redis.Cmdable, prefix string, log *slog.Logger) *counter {
	return &counter{calls: newBatcher(rdb), prefix: prefix, memory: newMemory(), log: log}
}

// take takes one from each of the buckets, or none from any of them, in one round trip. It returns 0, or how long it
// takes until all have one.
func (r *counter) take(ctx context.Context, buckets ...bucket) (wait time.Duration) {
	var args []any
	for _, b := range buckets {
		args = append(args, b.burst, b.every.Microseconds())
	}
	wait, err := r.run(ctx, takeScript, r.keys(buckets), args)
	if err != nil {
		return r.memory.take(buckets...)
	}
	return wait
}

// once is one to take from the bucket first for a mark that is new, or from the bucket repeat for a mark of before.
// Marks are distinct by their key; a mark holds one, for as long as it lives.
type once struct{ mark, first, repeat bucket }

// takeOnce takes it in one round trip. It returns 0, or how long it takes until there is one.
//
// Somebody's first for this process in a minute passes, and is counted when a second comes: a press like most, and a
// rush in which everybody presses once, costs Redis nothing. So a bucket may give one more a minute and process.
func (r *counter) takeOnce(ctx context.Context, one once) (wait time.Duration) {
	before, isFirst := r.firsts.note(one)
	if isFirst {
		return 0
	}
	if before != nil {
		r.count(ctx, *before)
	}
	return r.count(ctx, one)
}

func (r *counter) count(ctx context.Context, one once) (wait time.Duration) {
	args := []any{one.mark.every.Milliseconds(), one.first.burst, one.first.every.Microseconds(), one.repeat.burst,
		one.repeat.every.Microseconds()}
	wait, err := r.run(ctx, onceScript, r.keys([]bucket{one.mark, one.first, one.repeat}), args)
	if err != nil {
		return r.memory.takeOnce(one.mark, one.first, one.repeat)
	}
	return wait
}

// undoTake undoes a take.
func (r *counter) undoTake(ctx context.Context, buckets ...bucket) {
	var args []any
	for _, b := range buckets {
		r.memory.undoTake(b)
		args = append(args, b.every.Microseconds())
	}
	_, _ = r.run(ctx, undoTakeScript, r.keys(buckets), args) // a try that is not given back comes back by itself
}

// forgive undoes a take and fills the first bucket.
func (r *counter) forgive(ctx context.Context, full bucket, others ...bucket) {
	r.memory.forget(full)
	full.every = 0
	r.undoTake(ctx, append(others, full)...)
}

func (r *counter) keys(buckets []bucket) []string {
	keys := make([]string, 0, len(buckets))
	for _, b := range buckets {
		keys = append(keys, r.prefix+b.key)
	}
	return keys
}

func (r *counter) run(ctx context.Context, script *redis.Script, keys []string, args []any) (time.Duration, error) {
	micros, err := r.calls.run(ctx, script, keys, args)
	if err != nil {
		r.warn(err)
	}
	return time.Duration(micros) * time.Microsecond, err
}

func (r *counter) warn(err error) {
	now, last := time.Now().UnixNano(), r.warned.Load()
	if now-last > int64(warnEvery) && r.warned.CompareAndSwap(last, now) {
		r.log.Warn("count limits in Redis failed; each process counts by itself", "error", err)
	}
}
