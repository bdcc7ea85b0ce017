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

// circuitBreaker lets calls to a Redis server fail at once while it is away (locks.IsAway), so that a crowd does not
// wait for it, one call after the other. It opens when calls fail for a while and none is answered. A server that was
// silent is then asked for a sign now and then, by nobody's call: a call that lay with it for the whole timeout would
// hold up those of other servers that go with it. Once it gives one, a call now and then is let through; the first that
// is answered closes it.
type circuitBreaker struct {
	ping   func(ctx context.Context) error // asks the server for a sign; its own call passes by
	missed func()                          // called when it did not carry a call out; nil for one server

	mu       sync.Mutex
	answered time.Time // the last time
	failing  time.Time // since when calls fail; zero while they are answered
	open     bool
	silent   bool      // the last call failed without a reply
	asking   bool      // for a sign
	next     time.Time // when a call is let through, or a sign asked for
}

// withBreaker puts a circuit breaker before a client.
func withBreaker(client *redis.Client, missed func()) *redis.Client {
	client.AddHook(&circuitBreaker{ping: func(ctx context.Context) error { return client.Ping(ctx).Err() },
		missed: missed})
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
	if b.open && (b.asking || now.Before(b.next)) {
		return false
	}
	b.next = now.Add(probeEvery)
	if b.open && b.silent {
		b.asking = true
		go b.ask()
		return false
	}
	return true
}

// sign marks the call that asks for one.
type sign struct{}

// ask asks the server for a sign.
func (b *circuitBreaker) ask() {
	ctx, cancel := context.WithTimeout(context.WithValue(context.Background(), sign{}, true), timeout)
	defer cancel()
	err := b.ping(ctx)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.asking, b.next = false, time.Now().Add(probeEvery)
	if err == nil || isReply(err) {
		b.silent, b.next = false, time.Time{}
		return
	}
	b.miss()
}

// miss says that a call was not carried out.
func (b *circuitBreaker) miss() {
	if b.missed != nil {
		b.missed()
	}
}

func isReply(err error) bool {
	var reply redis.Error
	return errors.As(err, &reply)
}

// note learns from what came of a call. One that was given up says nothing about the server.
func (b *circuitBreaker) note(begun time.Time, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case err == nil || isReply(err) && !locks.IsAway(err):
		b.answered, b.failing, b.open = time.Now(), time.Time{}, false
		return
	case errors.Is(err, context.Canceled) || errors.Is(err, redis.ErrClosed):
		return
	case b.failing.IsZero() && begun.Before(b.answered):
		b.failing = b.answered
	case b.failing.IsZero():
		b.failing = begun
	}
	b.miss()
	b.silent = !isReply(err)
	b.open = time.Since(b.failing) >= openAfter
}

// DialHook implements redis.Hook.
func (b *circuitBreaker) DialHook(next redis.DialHook) redis.DialHook { return next }

// ProcessHook implements redis.Hook.
func (b *circuitBreaker) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if ctx.Value(sign{}) != nil {
			return next(ctx, cmd)
		}
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
	if b.missed == nil {
		err = explainMoved(cmds, err)
	}
	b.note(begun, err)
	return err
}

// movedError is what a call to one server gets that is a node of a cluster, which was not to be seen when the process
// started: such a server is taken for one that is away.
type movedError struct{ reply error }

func (e movedError) Error() string {
	return "REDIS_URL names one server, which is a node of a Redis Cluster: start LunchGo again (" + e.reply.Error() +
		")"
}
func (movedError) Timeout() bool   { return false }
func (movedError) Temporary() bool { return true }

// explainMoved puts a movedError in the place of each reply that leads to another node.
func explainMoved(cmds []redis.Cmder, err error) error {
	for _, cmd := range cmds {
		if redis.HasErrorPrefix(cmd.Err(), "MOVED") {
			cmd.SetErr(movedError{cmd.Err()})
		}
	}
	if redis.HasErrorPrefix(err, "MOVED") {
		return movedError{err}
	}
	return err
}
