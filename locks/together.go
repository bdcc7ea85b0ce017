package locks

import (
	"context"
	"sync/atomic"
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
	group.Queue[scriptCall]
	users int // who waits for a call; guarded by the client's mu
}

// scriptCall is a script that somebody waits for until ctx ends.
type scriptCall struct {
	*group.AwaitedCall
	ctx context.Context
}

// useCalls returns what sends a partition's calls, until endCalls.
func (c *Client) useCalls(partition string) *partitionCalls {
	c.mu.Lock()
	defer c.mu.Unlock()
	calls := c.calls[partition]
	if calls == nil {
		calls = &partitionCalls{Queue: group.Queue[scriptCall]{Send: c.sendScripts, Most: callsTogether,
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
	call := scriptCall{ctx: ctx, AwaitedCall: group.NewAwaitedCall(group.Call{Script: s.client.scripts[c.op],
		Keys: s.keys.names, Args: args, Along: c.along})}
	s.client.useCalls(s.name.Partition).Do(call)
	defer s.client.endCalls(s.name.Partition)
	select {
	case <-call.Done:
		return call.Answer.Slice()
	case <-ctx.Done():
	}
	select {
	case <-call.Done:
		return call.Answer.Slice()
	default:
		return nil, ctx.Err()
	}
}

// sendScripts runs scripts in one round trip, but those that nobody waits for any more.
func (c *Client) sendScripts(all []scriptCall) {
	calls, waiting := make([]*group.AwaitedCall, 0, len(all)), make([]context.Context, 0, len(all))
	for _, call := range all {
		if call.ctx.Err() == nil {
			calls, waiting = append(calls, call.AwaitedCall), append(waiting, call.ctx)
		}
	}
	if len(calls) == 0 {
		return
	}
	ctx, cancel := jointContext(waiting)
	defer cancel()
	if call := calls[0]; len(calls) == 1 && call.Along == nil {
		call.Answer = call.Script.Run(ctx, c.rdb, call.Keys, call.Args...)
		close(call.Done)
		return
	}
	group.RunAwaited(ctx, c.rdb, calls)
}

// jointContext ends when all of some contexts have ended, and has the latest of their deadlines.
func jointContext(all []context.Context) (context.Context, context.CancelFunc) {
	if len(all) == 1 {
		return all[0], func() {}
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(all[0]))
	latest, bounded := time.Time{}, true
	var ended atomic.Int64
	var stops []func() bool
	for _, one := range all {
		deadline, has := one.Deadline()
		bounded = bounded && has
		if deadline.After(latest) {
			latest = deadline
		}
		stops = append(stops, context.AfterFunc(one, func() {
			if ended.Add(1) == int64(len(all)) {
				cancel()
			}
		}))
	}
	end := func() {
		for _, stop := range stops {
			stop()
		}
		cancel()
	}
	if !bounded {
		return ctx, end
	}
	ctx, cancelAtLast := context.WithDeadline(ctx, latest)
	return ctx, func() { cancelAtLast(); end() }
}
