package locks

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

// guard is a piece of a script that keeps a promise. Without it the promise must be seen to break: else its test shows
// nothing.
type guard struct {
	name     string
	op       operation // whose text is changed; of all operations if empty
	from, to string
}

// off returns the change of a client that takes the guard away.
func (g guard) off(t testing.TB) func(*Client) {
	return func(c *Client) {
		if g.op == "" {
			mutateAll(t, c, g.from, g.to)
		} else {
			mutate(t, c, g.op, g.from, g.to)
		}
	}
}

// body is a test of a promise; edit changes each client that it makes.
type body func(t testing.TB, edit func(*Client))

// prove runs the test of a promise, then once without each guard, where it must fail.
func prove(t *testing.T, test body, guards ...guard) {
	t.Helper()
	t.Parallel()
	t.Run("holds", func(t *testing.T) {
		t.Parallel()
		test(t, func(*Client) {})
	})
	for _, g := range guards {
		without(t, g.name, test, g.off(t))
	}
}

// without runs the test of a promise in clients that lack something, where it must fail.
func without(t *testing.T, what string, test body, edit func(*Client)) {
	t.Helper()
	if testing.Short() {
		return
	}
	t.Run("without "+what, func(t *testing.T) {
		t.Parallel()
		mustFail(t, func(trial testing.TB) { test(trial, edit) })
	})
}

// takesSeconds leaves a test to the whole run.
func takesSeconds(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes seconds")
	}
}

// mustFail runs a test that has to fail. It has several tries: on a busy machine things can go right by chance, such as a
// message that is missed but comes when a beat would have told the same.
func mustFail(t *testing.T, test func(testing.TB)) {
	t.Helper()
	for range 5 {
		v := &trial{TB: t}
		if v.run(test); v.Failed() {
			t.Log("noticed: " + strings.Join(v.said, "; "))
			return
		}
	}
	t.Error("nothing was noticed")
}

// trial is a test whose failure is wanted: it is kept to itself.
type trial struct {
	testing.TB
	ctx context.Context

	mu       sync.Mutex
	failed   bool
	said     []string
	cleanups []func()
}

func (v *trial) run(test func(testing.TB)) {
	ctx, cancel := context.WithCancel(context.Background())
	v.ctx = ctx
	done := make(chan struct{})
	go func() { // a goroutine of its own, because FailNow ends it
		defer close(done)
		test(v)
	}()
	<-done
	cancel()
	for _, f := range slices.Backward(v.cleanups) {
		f()
	}
}

func (v *trial) Context() context.Context { return v.ctx }

func (v *trial) Cleanup(f func()) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.cleanups = append(v.cleanups, f)
}

func (v *trial) say(text string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.failed = true
	if len(v.said) < 3 { // one fault brings others
		v.said = append(v.said, text)
	}
}

func (v *trial) Error(args ...any)                 { v.say(fmt.Sprint(args...)) }
func (v *trial) Errorf(format string, args ...any) { v.say(fmt.Sprintf(format, args...)) }
func (v *trial) Fail()                             { v.say("failed") }
func (v *trial) Log(...any)                        {}
func (v *trial) Logf(string, ...any)               {}

func (v *trial) FailNow() {
	v.Fail()
	runtime.Goexit()
}

func (v *trial) Fatal(args ...any) {
	v.Error(args...)
	runtime.Goexit()
}

func (v *trial) Fatalf(format string, args ...any) {
	v.Errorf(format, args...)
	runtime.Goexit()
}

func (v *trial) Failed() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.failed
}
