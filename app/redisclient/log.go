package redisclient

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
)

// logEvery is how often the Redis client is heard: while a server is away, it says so at every attempt to connect.
const logEvery = time.Second

// clientLog passes on what the Redis client has to say, a line a second at most, with the number of those left out.
type clientLog struct {
	log  *slog.Logger
	next atomic.Int64 // when the next line may come, in ns of the Unix time
	left atomic.Int64
}

// LogTo makes the Redis client log to log. The client has one log for the whole process.
func LogTo(log *slog.Logger) { redis.SetLogger(&clientLog{log: log}) }

// Printf takes a line of the client.
func (r *clientLog) Printf(ctx context.Context, format string, args ...any) {
	now, next := time.Now().UnixNano(), r.next.Load()
	if now < next || !r.next.CompareAndSwap(next, now+int64(logEvery)) {
		r.left.Add(1)
		return
	}
	r.log.WarnContext(ctx, "the Redis client reports", "message", fmt.Sprintf(format, args...), "left_out",
		r.left.Swap(0))
}
