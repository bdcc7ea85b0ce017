package group

import (
	"context"
	"slices"

	"github.com/redis/go-redis/v9"
)

// Call is one run of a script.
type Call struct {
	Script *redis.Script
	Keys   []string
	Args   []any
	Along  func(pipe redis.Pipeliner) // adds commands to the same round trip; nil: none
}

// AwaitedCall is a call that somebody waits for. Answer is set when Done closes.
type AwaitedCall struct {
	Call
	Done   chan struct{}
	Answer *redis.Cmd
}

// NewAwaitedCall returns a call that has not been answered.
func NewAwaitedCall(c Call) *AwaitedCall { return &AwaitedCall{Call: c, Done: make(chan struct{})} }

// RunAwaited is RunScripts for calls that are waited for.
func RunAwaited(ctx context.Context, rdb redis.Cmdable, awaited []*AwaitedCall) {
	calls := make([]Call, len(awaited))
	for i, c := range awaited {
		calls[i] = c.Call
	}
	for i, answer := range RunScripts(ctx, rdb, calls) {
		awaited[i].Answer = answer
		close(awaited[i].Done)
	}
}

// RunScripts runs scripts in one round trip, or in one for each server of a cluster. The answers are in the order of
// the calls, each with its own error. A server that does not know a script yet gets it.
func RunScripts(ctx context.Context, rdb redis.Cmdable, calls []Call) []*redis.Cmd {
	answers := make([]*redis.Cmd, len(calls))
	Pipeline(ctx, rdb, func(pipe redis.Pipeliner) {
		for i, c := range calls {
			answers[i] = c.Script.EvalSha(ctx, pipe, c.Keys, c.Args...)
			if c.Along != nil {
				c.Along(pipe)
			}
		}
	})
	isUnknown := func(answer *redis.Cmd) bool { return redis.HasErrorPrefix(answer.Err(), "NOSCRIPT") }
	if !slices.ContainsFunc(answers, isUnknown) {
		return answers
	}
	Pipeline(ctx, rdb, func(pipe redis.Pipeliner) {
		for i, c := range calls {
			if isUnknown(answers[i]) {
				answers[i] = c.Script.Eval(ctx, pipe, c.Keys, c.Args...)
			}
		}
	})
	return answers
}

// Pipeline sends commands in one round trip, or in one for each server of a cluster. Each command has its own error
// then, also when the server refuses the connection: the client tells only the whole pipeline of that.
func Pipeline(ctx context.Context, rdb redis.Cmdable, fill func(pipe redis.Pipeliner)) {
	commands, err := rdb.Pipelined(ctx, func(pipe redis.Pipeliner) error {
		fill(pipe)
		return nil
	})
	hasError := func(c redis.Cmder) bool { return c.Err() != nil }
	if err == nil || slices.ContainsFunc(commands, hasError) {
		return
	}
	for _, c := range commands {
		c.SetErr(err)
	}
}
