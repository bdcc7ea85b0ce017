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

// guard is a piece of a script that keeps a promise. Without it the test of the promise must fail, or the test shows
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

// testBody is a test of a promise; edit changes each client that it makes.
type testBody func(t testing.TB, edit func(*Client))

// testWithGuards runs the test of a promise, then once without each guard, where it must fail.
func testWithGuards(t *testing.T, test testBody, guards ...guard) {
	t.Helper()
	t.Parallel()
	t.Run("holds", func(t *testing.T) {
		t.Parallel()
		test(t, func(*Client) {})
	})
	for _, g := range guards {
		testWithout(t, g.name, test, g.off(t))
	}
}

// testWithout runs the test of a promise in clients that lack something, where it must fail.
func testWithout(t *testing.T, what string, test testBody, edit func(*Client)) {
	t.Helper()
	if testing.Short() {
		return
	}
	t.Run("without "+what, func(t *testing.T) {
		t.Parallel()
		mustFail(t, func(trial testing.TB) { test(trial, edit) })
	})
}

// skipIfShort leaves a test to the whole run.
func skipIfShort(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes seconds")
	}
}

// mustFail runs a test that has to fail, and not because its change broke a script.
func mustFail(t *testing.T, test func(testing.TB)) {
	t.Helper()
	f := &expectedFailure{TB: t}
	f.run(test)
	noticed := strings.Join(f.messages, "; ")
	switch {
	case !f.Failed():
		t.Error("nothing was noticed")
	case strings.Contains(noticed, "user_script"):
		t.Error("the change broke a script: " + noticed)
	default:
		t.Log("noticed: " + noticed)
	}
}

// expectedFailure is a test whose failure is wanted: it is kept to itself.
type expectedFailure struct {
	testing.TB
	ctx context.Context

	mu       sync.Mutex
	failed   bool
	messages []string
	cleanups []func()
}

func (v *expectedFailure) run(test func(testing.TB)) {
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

func (f *expectedFailure) Context() context.Context { return f.ctx }

func (v *expectedFailure) Cleanup(f func()) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.cleanups = append(v.cleanups, f)
}

func (f *expectedFailure) record(text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.failed = true
	if len(f.messages) < 3 { // one fault brings others
		f.messages = append(f.messages, text)
	}
}

func (f *expectedFailure) Error(args ...any)                 { f.record(fmt.Sprint(args...)) }
func (f *expectedFailure) Errorf(format string, args ...any) { f.record(fmt.Sprintf(format, args...)) }
func (f *expectedFailure) Fail()                             { f.record("failed") }
func (f *expectedFailure) Log(...any)                        {}
func (f *expectedFailure) Logf(string, ...any)               {}

func (f *expectedFailure) FailNow() {
	f.Fail()
	runtime.Goexit()
}

func (f *expectedFailure) Fatal(args ...any) {
	f.Error(args...)
	runtime.Goexit()
}

func (f *expectedFailure) Fatalf(format string, args ...any) {
	f.Errorf(format, args...)
	runtime.Goexit()
}

func (f *expectedFailure) Failed() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.failed
}
