package views_test

import (
	"context"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// tab drives the page in a browser; each step fails the test.
type tab struct {
	t   *testing.T
	ctx context.Context
}

func newTab(t *testing.T) tab {
	ctx, cancel := context.WithTimeout(browser(t), time.Minute)
	t.Cleanup(cancel)
	return tab{t, ctx}
}

func (b tab) open(url string) {
	b.t.Helper()
	must(b.t, chromedp.Do(b.ctx, chromedp.EmulateViewport(390, 900), chromedp.Navigate(url)))
}

// until waits for an expression to become true, over navigations too.
func (b tab) until(expression string) {
	b.t.Helper()
	var last error
	for end := time.Now().Add(15 * time.Second); time.Now().Before(end) && b.ctx.Err() == nil; pause(b.ctx) {
		var holds bool
		if holds, last = chromedp.Run(b.ctx, chromedp.Evaluate[bool](expression)); last == nil && holds {
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

// disableScript turns the scripts of the pages off; those of the test still run.
func (b tab) disableScript() {
	b.t.Helper()
	must(b.t, chromedp.Do(b.ctx, send(emulation.SetScriptExecutionDisabled,
		emulation.SetScriptExecutionDisabledParams{Value: true})))
}
