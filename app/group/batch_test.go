package group_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"

	"lunchgo/app/group"
)

// doubles answers each number with twice as much, once a gate is open, and keeps what was asked together.
type doubles struct {
	gate  chan struct{}
	calls [][]int
	err   error
}

func (d *doubles) answer(_ context.Context, asked []int) ([]int, error) {
	<-d.gate
	d.calls = append(d.calls, asked)
	answers := make([]int, len(asked))
	for i, n := range asked {
		answers[i] = 2 * n
	}
	return answers, d.err
}

func TestBatch_AnswersEachQuestionOfACall(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := doubles{gate: make(chan struct{})}
		batch := group.NewBatch(3, 1, d.answer)
		answers := make([]int, 6)
		for i := range answers {
			go func() { answers[i], _ = batch.Ask(t.Context(), i) }()
			synctest.Wait()
		}
		close(d.gate)
		synctest.Wait()
		if !slices.Equal(answers, []int{0, 2, 4, 6, 8, 10}) {
			t.Errorf("answered %v", answers)
		}
		if want := [][]int{{0}, {1, 2, 3}, {4, 5}}; !slices.EqualFunc(d.calls, want, slices.Equal) {
			t.Errorf("asked %v, want %v", d.calls, want)
		}
		if all, err := batch.AskAll(t.Context(), []int{7, 9}); err != nil || !slices.Equal(all, []int{14, 18}) {
			t.Errorf("answered %v, %v", all, err)
		}
	})
}

// A call that fails fails for all of its questions, and for no later one.
func TestBatch_ACallFailsForItsQuestions(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := doubles{gate: make(chan struct{}), err: errors.New("away")}
		close(d.gate)
		batch := group.NewBatch(3, 1, d.answer)
		if _, err := batch.Ask(t.Context(), 1); !errors.Is(err, d.err) {
			t.Errorf("ended with %v", err)
		}
		if _, err := batch.AskAll(t.Context(), []int{1, 2}); !errors.Is(err, d.err) {
			t.Errorf("ended with %v", err)
		}
		synctest.Wait() // for the last call
		d.err = nil
		if n, err := batch.Ask(t.Context(), 4); n != 8 || err != nil {
			t.Errorf("answered %d, %v", n, err)
		}
	})
}

// Who stops waiting goes; the call goes on for the others, and the next one leaves out who has gone before it.
func TestBatch_NobodyWaitsLongerThanTheyWant(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := doubles{gate: make(chan struct{})}
		batch := group.NewBatch(3, 1, d.answer)
		ctx, cancel := context.WithCancel(t.Context())
		var first, second error
		var answer int
		go func() { _, first = batch.Ask(ctx, 1) }()
		synctest.Wait()
		go func() { answer, second = batch.Ask(t.Context(), 2) }()
		synctest.Wait()
		cancel()
		synctest.Wait()
		if !errors.Is(first, context.Canceled) {
			t.Errorf("ended with %v", first)
		}
		close(d.gate)
		synctest.Wait()
		if answer != 4 || second != nil {
			t.Errorf("answered %d, %v", answer, second)
		}
		d.gate = make(chan struct{})
		go func() { _, _ = batch.Ask(t.Context(), 3) }()
		synctest.Wait()
		ctx, cancel = context.WithCancel(t.Context())
		go func() { _, first = batch.Ask(ctx, 4) }()
		go func() { answer, second = batch.Ask(t.Context(), 5) }()
		synctest.Wait()
		cancel()
		close(d.gate)
		synctest.Wait()
		if last := d.calls[len(d.calls)-1]; !slices.Equal(last, []int{5}) || answer != 10 || second != nil {
			t.Errorf("asked %v, answered %d, %v", last, answer, second)
		}
	})
}
