package locks

import (
	"context"
	"time"

	"lunchgo/app/group"
)

// How many calls of a partition are under way at once, and how many of those that come meanwhile go together in the
// next one. Thousands of lines would ask for a connection each, every time that they beat.
const (
	callsAtOnce   = 4
	callsTogether = 64
)

// partitionCalls sends the calls of a partition, which is on one server.
type partitionCalls struct {
	group.Queue[*scriptCall]
	users int // who waits for a call; guarded by the client's mu
}

// scriptCall is a script that somebody waits for. values and err are set when done closes.
type scriptCall struct {
	group.Call
	ctx    context.Context
	done   chan struct{}
	values []any
	err    error
}

// useCalls returns what sends a partition's calls, until endCalls.
func (c *Client) useCalls(partition string) *partitionCalls {
	c.mu.Lock()
	defer c.mu.Unlock()
	calls := c.calls[partition]
	if calls == nil {
		calls = &partitionCalls{Queue: group.Queue[*scriptCall]{Send: c.sendScripts, Most: callsTogether,
			Calls: callsAtOnce}}
		c.calls[partition] = calls
	}
	calls.users++
	return calls
}

// endCalls gives back what useCalls returned.
func (c *Client) endCalls(partition string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	calls := c.calls[partition]
	if calls.users--; calls.users == 0 {
		delete(c.calls, partition)
	}
}

// evaluate runs a command's script, and what goes along with it.
func (s *session) evaluate(ctx context.Context, c command, args []any) ([]any, error) {
	call := &scriptCall{ctx: ctx, done: make(chan struct{}),
		Call: group.Call{Script: s.client.scripts[c.op], Keys: s.keys.names, Args: args, Along: c.along}}
	s.client.useCalls(s.name.Partition).Do(call)
	defer s.client.endCalls(s.name.Partition)
	select {
	case <-call.done:
		return call.values, call.err
	case <-ctx.Done():
	}
	select {
	case <-call.done:
		return call.values, call.err
	default:
		return nil, ctx.Err()
	}
}

// sendScripts runs scripts in one round trip, but those that nobody waits for any more.
func (c *Client) sendScripts(all []*scriptCall) {
	calls := make([]*scriptCall, 0, len(all))
	for _, call := range all {
		if call.ctx.Err() == nil {
			calls = append(calls, call)
		}
	}
	if len(calls) == 1 && calls[0].Along == nil {
		call := calls[0]
		call.values, call.err = call.Script.Run(call.ctx, c.rdb, call.Keys, call.Args...).Slice()
		close(call.done)
	} else if len(calls) > 0 {
		c.sendTogether(calls)
	}
}

func (c *Client) sendTogether(calls []*scriptCall) {
	ctx, cancel := callContext(calls)
	defer cancel()
	scripts := make([]group.Call, len(calls))
	for i, call := range calls {
		scripts[i] = call.Call
	}
	for i, answer := range group.RunScripts(ctx, c.rdb, scripts) {
		calls[i].values, calls[i].err = answer.Slice()
		close(calls[i].done)
	}
}

// callContext has the latest deadline of calls that go together, and is a single one's own.
func callContext(calls []*scriptCall) (context.Context, context.CancelFunc) {
	ctx := calls[0].ctx
	if len(calls) == 1 {
		return ctx, func() {}
	}
	ctx = context.WithoutCancel(ctx)
	var latest time.Time
	for _, call := range calls {
		deadline, bounded := call.ctx.Deadline()
		if !bounded {
			return ctx, func() {}
		}
		if deadline.After(latest) {
			latest = deadline
		}
	}
	return context.WithDeadline(ctx, latest)
}
