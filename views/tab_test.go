package views_test

import (
	"context"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// tab drives the page in a browser; each step fails the test.
type tab struct {
	t   *testing.T
	ctx context.Context
}

func newTab(t *testing.T) tab {
	t.Helper()
	return bounded(t, browser(t))
}

// newWholeTab is a tab of the browser that people use: what draws pages alone has no notifications.
func newWholeTab(t *testing.T) tab {
	t.Helper()
	return bounded(t, whole.open(t))
}

// bounded ends what hangs; a busy machine takes its time.
func bounded(t *testing.T, ctx context.Context) tab {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(cancel)
	return tab{t, ctx}
}

func (b tab) open(url string) {
	b.t.Helper()
	must(b.t, chromedp.Do(b.ctx, chromedp.EmulateViewport(390, 900), chromedp.Navigate(url)))
}

// until waits for an expression, or what it promises, to become true, over navigations too.
func (b tab) until(expression string) {
	b.t.Helper()
	var last error
	for end := time.Now().Add(time.Minute); time.Now().Before(end) && b.ctx.Err() == nil; pause(b.ctx) {
		var ok bool
		if ok, last = chromedp.Run(b.ctx, chromedp.Evaluate[bool](expression, chromedp.EvalAwaitPromise)); last == nil && ok {
			return
		}
	}
	b.t.Fatalf("never true: %s (last error: %v)", expression, last)
}

// pause lets the page go on before the next look at it.
func pause(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(50 * time.Millisecond):
	}
}

func (b tab) click(selector string) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, chromedp.Click(chromedp.CSS(selector))); err != nil {
		b.t.Fatalf("%s: %v", selector, err)
	}
}

func (b tab) run(script string) {
	b.t.Helper()
	if _, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool](script+";true")); err != nil {
		b.t.Fatalf("%s: %v", script, err)
	}
}

// mouse moves the mouse to a point of the screen, with its left button pressed there, held or released.
func (b tab) mouse(what input.DispatchMouseEventType, x, y float64) {
	b.t.Helper()
	event := input.DispatchMouseEventParams{Type: what, X: x, Y: y, Button: input.MouseButtonLeft, Buttons: 1,
		ClickCount: 1}
	if what == input.DispatchMouseEventTypeMouseReleased {
		event.Buttons = 0
	}
	must(b.t, chromedp.Do(b.ctx, send(input.DispatchMouseEvent, event)))
}

// touch puts a finger on a point of the screen, moves it there, or lifts it.
func (b tab) touch(what input.DispatchTouchEventType, at ...float64) {
	b.t.Helper()
	points := []*input.TouchPoint{}
	if len(at) == 2 {
		points = append(points, &input.TouchPoint{X: at[0], Y: at[1]})
	}
	must(b.t, chromedp.Do(b.ctx, send(input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: what,
		TouchPoints: points})))
}

// press presses a key that types nothing.
func (b tab) press(key string) {
	b.t.Helper()
	for _, what := range []input.DispatchKeyEventType{input.DispatchKeyEventTypeRawKeyDown,
		input.DispatchKeyEventTypeKeyUp} {
		must(b.t, chromedp.Do(b.ctx,
			send(input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: what, Key: key, Code: key})))
	}
}

// disableScript turns the scripts of the pages off; those of the test still run.
func (b tab) disableScript() {
	b.t.Helper()
	must(b.t, chromedp.Do(b.ctx, send(emulation.SetScriptExecutionDisabled,
		emulation.SetScriptExecutionDisabledParams{Value: true})))
}

// receives waits for what the page has sent to the site.
func (b tab) receives(from <-chan string, want string) {
	b.t.Helper()
	select {
	case got := <-from:
		if got != want {
			b.t.Fatalf("the page has sent %q, want %q", got, want)
		}
	case <-b.ctx.Done():
		b.t.Fatalf("the page has sent nothing, want %q", want)
	}
}
