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

//go:embed giveback.lua
var giveBackLua string

var (
	takeScript     = redis.NewScript(takeLua)
	onceScript     = redis.NewScript(onceLua)
	giveBackScript = redis.NewScript(giveBackLua)
)

// counter counts in Redis, for all processes together. While Redis cannot count, whatever the reason, each process
// counts for itself. Its methods may be called at once from many goroutines.
type counter struct {
	calls  *batcher
	prefix string
	memory *memory
	seen   *memory // who came in the last minute
	crowd  crowd   // of those who press
	log    *slog.Logger
	warned atomic.Int64 // when it was last said that Redis does not count, in ns of the Unix time
}

// seenOnce is how long a person is known to have come.
var seenOnce = pace{burst: 1, every: time.Minute}

// warnEvery is how often the log says that Redis does not count.
const warnEvery = time.Minute

func newCounter(rdb redis.UniversalClient, prefix string, log *slog.Logger) *counter {
	return &counter{calls: newBatcher(rdb), prefix: prefix, memory: newMemory(), seen: newMemory(), log: log}
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

// takeOnce takes one from the bucket first for a mark that is new, and one from the bucket repeat for a mark of before,
// in one round trip. It returns 0, or how long it takes until there is one. Marks are distinct by their key; a mark
// holds one, for as long as it lives.
//
// In a crowd, whoever comes to this process for the first time in a minute passes and is not counted: a rush, in which
// everybody presses once, costs Redis nothing. So a bucket may give one more a minute and process, and only then.
func (r *counter) takeOnce(ctx context.Context, mark, first, repeat bucket) (wait time.Duration) {
	if isNew := r.seen.take(bucket{first.key, seenOnce}) == 0; isNew && r.crowd.comes() {
		return 0
	}
	keys := r.keys([]bucket{mark, first, repeat})
	args := []any{mark.every.Milliseconds(), first.burst, first.every.Microseconds(), repeat.burst,
		repeat.every.Microseconds()}
	wait, err := r.run(ctx, onceScript, keys, args)
	if err != nil {
		return r.memory.takeOnce(mark, first, repeat)
	}
	return wait
}

// giveBack undoes a take.
func (r *counter) giveBack(ctx context.Context, buckets ...bucket) {
	var args []any
	for _, b := range buckets {
		r.memory.giveBack(b)
		args = append(args, b.every.Microseconds())
	}
	_, _ = r.run(ctx, giveBackScript, r.keys(buckets), args) // a try that is not given back comes back by itself
}

// forgive undoes a take and fills the first bucket.
func (r *counter) forgive(ctx context.Context, full bucket, others ...bucket) {
	r.memory.forget(full)
	full.every = 0
	r.giveBack(ctx, append(others, full)...)
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
		r.log.Warn("limits are counted by each process for itself", "error", err)
	}
}
