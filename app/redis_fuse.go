package main

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// Times of a fuse.
const (
	fuseAfter = time.Second            // without any answer
	fuseTries = 250 * time.Millisecond // between two calls that are let through to see
)

// fuse lets calls to a Redis server fail at once while it does not answer, so that a crowd does not wait for it, one call
// after the other. It blows when calls fail for a while and none is answered. Then a call now and then is let through; the
// first that is answered mends it.
type fuse struct {
	mu       sync.Mutex
	answered time.Time // the last time
	mute     time.Time // since when calls fail; zero while they are answered
	blown    bool
	next     time.Time // when a call is let through
}

// fused puts a fuse before a client.
func fused(client *redis.Client) *redis.Client {
	client.AddHook(&fuse{})
	return client
}

// blownError is what a call gets that was not let through: a failure of the network, for all who ask.
type blownError struct{}

func (blownError) Error() string   { return "redis does not answer" }
func (blownError) Timeout() bool   { return true }
func (blownError) Temporary() bool { return true }

// admits says whether a call is let through.
func (f *fuse) admits() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := time.Now()
	if f.blown && now.Before(f.next) {
		return false
	}
	f.next = now.Add(fuseTries)
	return true
}

// note learns from what came of a call. One that was given up says nothing about the server.
func (f *fuse) note(begun time.Time, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var answer redis.Error
	switch {
	case err == nil || errors.As(err, &answer):
		f.answered, f.mute, f.blown = time.Now(), time.Time{}, false
		return
	case errors.Is(err, context.Canceled) || errors.Is(err, redis.ErrClosed):
		return
	case f.mute.IsZero() && begun.Before(f.answered):
		f.mute = f.answered
	case f.mute.IsZero():
		f.mute = begun
	}
	f.blown = time.Since(f.mute) >= fuseAfter
}

// DialHook implements redis.Hook.
func (f *fuse) DialHook(next redis.DialHook) redis.DialHook { return next }

// ProcessHook implements redis.Hook.
func (f *fuse) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		return f.pass([]redis.Cmder{cmd}, func() error { return next(ctx, cmd) })
	}
}

// ProcessPipelineHook implements redis.Hook.
func (f *fuse) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		return f.pass(cmds, func() error { return next(ctx, cmds) })
	}
}

// greetings are what the client sends by itself on a new connection, while a call that was let through waits for that.
var greetings = []string{"hello", "auth", "client", "select", "readonly"}

// pass makes a call if it is let through.
func (f *fuse) pass(cmds []redis.Cmder, call func() error) error {
	if slices.Contains(greetings, cmds[0].Name()) {
		return call()
	}
	if !f.admits() {
		for _, cmd := range cmds {
			cmd.SetErr(blownError{})
		}
		return blownError{}
	}
	begun := time.Now()
	err := call()
	f.note(begun, err)
	return err
}
