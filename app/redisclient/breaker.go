package redisclient

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/locks"
)

// Times of a circuit breaker.
const (
	openAfter  = time.Second            // without any answer
	probeEvery = 250 * time.Millisecond // between two calls that are let through to see
)

// circuitBreaker lets calls to a Redis server fail at once while it is away (locks.IsAway), so that a crowd does not wait
// for it, one call after the other. It opens when calls fail for a while and none is answered. Then a call now and then is let
// through; the first that is answered closes it.
type circuitBreaker struct {
	mu       sync.Mutex
	answered time.Time // the last time
	failing  time.Time // since when calls fail; zero while they are answered
	open     bool
	next     time.Time // when a call is let through
}

// withBreaker puts a circuit breaker before a client.
func withBreaker(client *redis.Client) *redis.Client {
	client.AddHook(&circuitBreaker{})
	return client
}

// openError is what a call gets that was not let through: a failure of the network, for all who ask.
type openError struct{}

func (openError) Error() string   { return "redis does not answer" }
func (openError) Timeout() bool   { return true }
func (openError) Temporary() bool { return true }

// allows says whether a call is let through.
func (b *circuitBreaker) allows() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	if b.open && now.Before(b.next) {
		return false
	}
	b.next = now.Add(probeEvery)
	return true
}

// note learns from what came of a call. One that was given up says nothing about the server.
func (b *circuitBreaker) note(begun time.Time, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var reply redis.Error
	switch {
	case err == nil || errors.As(err, &reply) && !locks.IsAway(err):
		b.answered, b.failing, b.open = time.Now(), time.Time{}, false
		return
	case errors.Is(err, context.Canceled) || errors.Is(err, redis.ErrClosed):
		return
	case b.failing.IsZero() && begun.Before(b.answered):
		b.failing = b.answered
	case b.failing.IsZero():
		b.failing = begun
	}
	b.open = time.Since(b.failing) >= openAfter
}

// DialHook implements redis.Hook.
func (b *circuitBreaker) DialHook(next redis.DialHook) redis.DialHook { return next }

// ProcessHook implements redis.Hook.
func (b *circuitBreaker) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		return b.pass([]redis.Cmder{cmd}, func() error { return next(ctx, cmd) })
	}
}

// ProcessPipelineHook implements redis.Hook.
func (b *circuitBreaker) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		return b.pass(cmds, func() error { return next(ctx, cmds) })
	}
}

// handshake is what the client sends by itself on a new connection, while a call that was let through waits for that.
var handshake = []string{"hello", "auth", "client", "select", "readonly"}

// pass makes a call if it is let through.
func (b *circuitBreaker) pass(cmds []redis.Cmder, call func() error) error {
	if slices.Contains(handshake, cmds[0].Name()) {
		return call()
	}
	if !b.allows() {
		for _, cmd := range cmds {
			cmd.SetErr(openError{})
		}
		return openError{}
	}
	begun := time.Now()
	err := call()
	b.note(begun, err)
	return err
}
