// Package browsertest starts the browser in which tests look at pages.
package browsertest

import (
	"context"
	"errors"
	"os/exec"
	"slices"

	"github.com/chromedp/chromedp"
)

var (
	// The shell draws the same pages for half the processor time, without a window, an account or notifications.
	shells = []string{"chromium-headless-shell", "chrome-headless-shell"}
	whole  = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable",
		"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"}

	errNone = errors.New("these tests need a real browser, and there is none: .ci/setup test installs Chromium")
)

// Start starts the cheapest Chromium that draws pages. It returns the context of its tabs, and how it ends.
func Start() (context.Context, func(), error) { return start(find(slices.Concat(shells, whole))) }

// StartStill starts a Chromium that lays pages out, but draws nothing: what a test asks of a page's text, sizes and
// colors costs a quarter less. It takes no pictures, and a script that waits for the next frame waits for ever.
func StartStill() (context.Context, func(), error) {
	shell := find(shells)
	if shell == "" { // only the shell leaves its frames to the test
		return Start()
	}
	return start(shell, chromedp.Flag("enable-begin-frame-control", true),
		chromedp.Flag("run-all-compositor-stages-before-draw", true))
}

// StartWhole starts the Chromium that people use, which shows notifications too.
func StartWhole() (context.Context, func(), error) { return start(find(whole)) }

func start(path string, more ...chromedp.ExecAllocatorOption) (context.Context, func(), error) {
	if path == "" {
		return nil, func() {}, errNone
	}
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(path),
		chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-sync", true),
		chromedp.Flag("hide-scrollbars", true),
		// No page lives long enough to pay for compilers that make its scripts fast, or for small steps of a collector.
		chromedp.Flag("js-flags", "--no-maglev --no-turbofan --min-semi-space-size=32 --max-semi-space-size=64"),
		// Pages that it keeps to go back to would keep their streams open, until no connection is left.
		chromedp.Flag("disable-back-forward-cache", true))
	allocator, free := chromedp.NewExecAllocator(context.Background(), append(options, more...)...)
	ctx, cancel := chromedp.NewContext(allocator)
	return ctx, func() { cancel(); free() }, chromedp.Do(ctx)
}

func find(names []string) string {
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}
