package locks

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Turns are the turns of one ticket in several lines. It is safe for concurrent use.
type Turns struct {
	turns  []*Turn // in the order in which they were locked
	ctx    context.Context
	cancel context.CancelCauseFunc
}

// LockAll waits for the ticket's turn in all the lines, of whatever partitions. Lines of one partition are locked
// together (Client.Joint). Partitions are locked one after the other in the order of their names, and what is held
// already is renewed meanwhile: nobody waits for a smaller name while holding a larger one, so callers cannot block
// each other for ever. When one cannot be had, or one of those held is lost, all are released in reverse and the error
// of Line.Lock, or ErrLeaseLost, is returned. Waiting counts towards Config.MaxHold of the lines held. Returns
// ErrBadEntry without lines.
func (c *Client) LockAll(ctx context.Context, ticket string, names ...Name) (*Turns, error) {
	if len(names) == 0 {
		return nil, fmt.Errorf("%w: no lines to lock", ErrBadEntry)
	}
	all := &Turns{}
	all.ctx, all.cancel = context.WithCancelCause(c.ctx)
	waiting, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	defer context.AfterFunc(all.ctx, func() { stop(context.Cause(all.ctx)) })()
	for _, line := range c.inOrder(names) {
		turn, err := line.Lock(waiting, ticket)
		if err == nil {
			all.add(turn)
			continue
		}
		if waiting.Err() != nil {
			err = context.Cause(waiting)
		}
		return nil, all.giveUp(ctx, err)
	}
	if all.ctx.Err() != nil {
		return nil, all.giveUp(ctx, context.Cause(all.ctx))
	}
	return all, nil
}

// inOrder returns a line for each partition, in the order in which they are to be locked.
func (c *Client) inOrder(names []Name) []*Line {
	keys := map[string][]string{}
	for _, n := range names {
		keys[n.Partition] = append(keys[n.Partition], n.Lines()...)
	}
	var lines []*Line
	for _, partition := range slices.Sorted(maps.Keys(keys)) {
		lines = append(lines, c.Joint(partition, keys[partition]...))
	}
	return lines
}

// add notes a turn; the whole is over when it is.
func (all *Turns) add(t *Turn) {
	all.turns = append(all.turns, t)
	context.AfterFunc(t.Context(), func() { all.cancel(context.Cause(t.Context())) })
}

// giveUp releases what was locked although ctx may have ended; Redis ends by itself, after a lease, what this call
// cannot release.
func (all *Turns) giveUp(ctx context.Context, why error) error {
	if len(all.turns) > 0 {
		client := all.turns[0].line.client
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), client.cfg.Lease)
		defer cancel()
		if err := all.Release(ctx, 0); err != nil && !errors.Is(err, ErrStale) {
			client.cfg.Logger.Warn("locks: return turns failed", "error", err)
		}
	}
	all.cancel(why)
	return why
}

// Fence of the turn in a line, as Turn.Fence. Lines of one partition share one; fences of different partitions cannot
// be compared. It is 0 for a line that was not locked.
func (all *Turns) Fence(n Name) int64 {
	for _, t := range all.turns {
		if t.line.name.Partition == n.Partition && slices.Contains(t.line.name.Lines(), n.Key) {
			return t.fence
		}
	}
	return 0
}

// Context ends when any of the turns does, with its cause (Turn.Context).
func (all *Turns) Context() context.Context { return all.ctx }

// Release ends the turns in reverse order; served as for Turn.Release. It releases all of them whatever comes of one,
// and may be repeated. The error is ErrStale (errors.Is) if one of them was over before.
func (all *Turns) Release(ctx context.Context, served int) error {
	var errs []error
	for _, t := range slices.Backward(all.turns) {
		errs = append(errs, t.Release(ctx, served))
	}
	all.cancel(context.Canceled)
	return errors.Join(errs...)
}
