package group

import (
	"context"
	"slices"
)

// Batch answers questions by calls. A question that comes alone is asked at once; those that come while calls are under
// way go together in the next. So an answer is never older than its question. Its methods may be called at once from
// many goroutines.
type Batch[Q, A any] struct{ queue Queue[*question[Q, A]] }

// question waits for its answer until ctx ends. answer and err are set when done closes.
type question[Q, A any] struct {
	ctx    context.Context
	asked  Q
	done   chan struct{}
	answer A
	err    error
}

// NewBatch returns a batch of at most so many questions in a call, and calls under way at once. A call returns an
// answer for each question, in their order. Its context has the values of the first question's and no end: it bounds
// itself.
func NewBatch[Q, A any](most, calls int, call func(ctx context.Context, questions []Q) ([]A, error)) *Batch[Q, A] {
	return &Batch[Q, A]{Queue[*question[Q, A]]{Most: most, Calls: calls, Send: func(all []*question[Q, A]) {
		// Nobody is asked for those who have gone: where calls are slow they would fill all the next ones.
		all = slices.DeleteFunc(slices.Clone(all), func(q *question[Q, A]) bool { return q.ctx.Err() != nil })
		if len(all) == 0 {
			return
		}
		asked := make([]Q, len(all))
		for i, q := range all {
			asked[i] = q.asked
		}
		answers, err := call(context.WithoutCancel(all[0].ctx), asked)
		for i, q := range all {
			if q.err = err; err == nil {
				q.answer = answers[i]
			}
			close(q.done)
		}
	}}}
}

// Ask returns the answer to a question, or its call's error, or ctx's when that ends first.
func (b *Batch[Q, A]) Ask(ctx context.Context, asked Q) (A, error) {
	q := b.add(ctx, asked)
	return q.wait(ctx)
}

// AskAll returns the answers to questions in their order, or the first error.
func (b *Batch[Q, A]) AskAll(ctx context.Context, asked []Q) ([]A, error) {
	all := make([]*question[Q, A], len(asked))
	for i := range asked {
		all[i] = b.add(ctx, asked[i])
	}
	answers := make([]A, len(all))
	for i, q := range all {
		var err error
		if answers[i], err = q.wait(ctx); err != nil {
			return nil, err
		}
	}
	return answers, nil
}

// add has a question asked by a goroutine of its own: a caller that made the call would wait for its end.
func (b *Batch[Q, A]) add(ctx context.Context, asked Q) *question[Q, A] {
	q := &question[Q, A]{ctx: ctx, asked: asked, done: make(chan struct{})}
	b.queue.Add(q)
	return q
}

func (q *question[Q, A]) wait(ctx context.Context) (answer A, err error) {
	select {
	case <-q.done:
		return q.answer, q.err
	case <-ctx.Done():
		return answer, ctx.Err()
	}
}
