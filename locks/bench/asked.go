package main

import (
	"context"
	"net"
	"sync/atomic"

	"github.com/redis/go-redis/v9"
	"github.com/redis/rueidis"
)

// Every library sends its commands with the context of the call that needs them. That shows, for each of them alike,
// when Redis has answered to a waiter for the first time: from then on the waiter has asked, and the next may.

type askKey struct{}

// ask is a waiter's first command on its way.
type ask struct {
	done     atomic.Bool
	answered chan struct{} // closed when the answer has come
}

// withAsk returns a context whose first command, when answered, closes the channel.
func withAsk(ctx context.Context) (context.Context, <-chan struct{}) {
	a := &ask{answered: make(chan struct{})}
	return context.WithValue(ctx, askKey{}, a), a.answered
}

func noteAnswer(ctx context.Context) {
	if a, ok := ctx.Value(askKey{}).(*ask); ok && a.done.CompareAndSwap(false, true) {
		close(a.answered)
	}
}

// watch notes the commands of a go-redis client.
type watch struct{ calls *atomic.Int64 }

func (w watch) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) { return next(ctx, network, addr) }
}

func (w watch) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		err := next(ctx, cmd)
		w.calls.Add(1)
		noteAnswer(ctx)
		return err
	}
}

func (w watch) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		err := next(ctx, cmds)
		w.calls.Add(int64(len(cmds)))
		return err
	}
}

// watchedRueidis notes the commands of a rueidis client.
type watchedRueidis struct {
	rueidis.Client
	calls *atomic.Int64
}

func (w watchedRueidis) Do(ctx context.Context, cmd rueidis.Completed) rueidis.RedisResult {
	result := w.Client.Do(ctx, cmd)
	w.calls.Add(1)
	noteAnswer(ctx)
	return result
}
