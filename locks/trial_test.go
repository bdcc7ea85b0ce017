package locks

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// attempts bounds the trials of a test on a machine that stalls.
const attempts = 4

// mustPass runs a test that goes by the clock, in parallel with others. A failure while the machine stalled proves
// nothing: then it runs again.
func mustPass(t *testing.T, test func(testing.TB)) {
	t.Helper()
	t.Parallel()
	for left := attempts - 1; ; left-- {
		v, begun := &trial{TB: t}, time.Now()
		v.run(test)
		switch {
		case !v.Failed():
			return
		case left > 0 && !v.timeless && stalls.since(begun):
			t.Logf("again, because the machine stalled: %s", v.noticed())
		default:
			t.Error(v.noticed())
			return
		}
	}
}

// mustFail runs a test that has to fail, in parallel with others, and not because its change broke a script.
func mustFail(t *testing.T, test func(testing.TB)) {
	t.Helper()
	t.Parallel()
	for left := attempts - 1; ; left-- {
		v, begun := &trial{TB: t, wanted: true}, time.Now()
		v.run(test)
		switch {
		case !v.Failed() && left > 0 && stalls.since(begun):
			continue
		case !v.Failed():
			t.Error("nothing was noticed")
		case strings.Contains(v.noticed(), "user_script"):
			t.Error("the change broke a script: " + v.noticed())
		default:
			t.Log("noticed: " + v.noticed())
		}
		return
	}
}

// trial is one run of a test, which keeps its failure to itself.
type trial struct {
	testing.TB
	wanted   bool // it has to fail
	timeless bool // its failure counts on any machine
	ctx      context.Context

	mu       sync.Mutex // guards what follows
	failed   bool
	messages []string
	cleanups []func()
}

// failureWanted reports whether a test has to fail: then it does not wait long, and tries more.
func failureWanted(t testing.TB) bool {
	v, ok := t.(*trial)
	return ok && v.wanted
}

// ignoresClock marks a test that does not go by the clock: its failure counts even if the machine stalls.
func ignoresClock(t testing.TB) {
	if v, ok := t.(*trial); ok {
		v.timeless = true
	}
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

func (v *trial) noticed() string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return strings.Join(v.messages, "; ")
}

func (v *trial) Context() context.Context { return v.ctx }

func (v *trial) Cleanup(f func()) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.cleanups = append(v.cleanups, f)
}

func (v *trial) record(text string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.failed = true
	if len(v.messages) < 3 { // one fault brings others
		v.messages = append(v.messages, testLines()+text)
	}
}

// testLines returns the lines of the test that the caller is at, the innermost first.
func testLines() string {
	callers := make([]uintptr, 20)
	frames := runtime.CallersFrames(callers[:runtime.Callers(3, callers)])
	lines := ""
	for frame, more := frames.Next(); more; frame, more = frames.Next() {
		if file := filepath.Base(frame.File); strings.HasSuffix(file, "_test.go") && file != "trial_test.go" {
			lines += fmt.Sprintf("%s:%d: ", file, frame.Line)
		}
	}
	return lines
}

func (v *trial) Error(args ...any)                 { v.record(fmt.Sprint(args...)) }
func (v *trial) Errorf(format string, args ...any) { v.record(fmt.Sprintf(format, args...)) }
func (v *trial) Fail()                             { v.record("failed") }

func (v *trial) Log(args ...any) {
	if !v.wanted {
		v.TB.Log(args...)
	}
}

func (v *trial) Logf(format string, args ...any) {
	if !v.wanted {
		v.TB.Logf(format, args...)
	}
}

func (v *trial) FailNow() {
	v.Fail()
	runtime.Goexit()
}

func (v *trial) Fatal(args ...any) {
	v.record(fmt.Sprint(args...))
	runtime.Goexit()
}

func (v *trial) Fatalf(format string, args ...any) {
	v.record(fmt.Sprintf(format, args...))
	runtime.Goexit()
}

func (v *trial) Failed() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.failed
}
